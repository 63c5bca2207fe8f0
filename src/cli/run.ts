import { Command, CommanderError } from 'commander'
import { UsageError } from '../protocol/errors/error'
import { writeError } from './base/output'
import { warnOfSecrets } from './base/secret-arguments'

/** Version of the package, set by the build. */
declare const PACKAGE_VERSION: string

/** Summary of a command, and the file that defines it, which is loaded on use. */
type Entry = [summary: string, load: () => Promise<{ define(command: Command): unknown }>]

const groups: Record<string, Record<string, Entry>> = {
  'Run a service:': {
    dev: ['Run the service on this machine for development', () => import('./service/dev')],
    serve: ['Run the service in production', () => import('./service/serve')],
    doctor: ['Check production readiness', () => import('./doctor/command')],
    approvals: ['Approve or reject drafts of agents', () => import('./admin/approvals')],
    admin: ['Administer accounts and the service', () => import('./admin/admin')],
    keys: ['Create, list and revoke API keys', () => import('./admin/keys')],
    backup: ['Back up the data folder, also while the service runs', () => import('./admin/backup')],
    restore: ['Restore a data folder from a backup', () => import('./admin/restore')],
  },
  'Use a mailbox:': {
    signup: ['Create an account for an agent', () => import('./mailbox/signup')],
    send: ['Send an email', () => import('./mailbox/send')],
    mail: ['List or search messages', () => import('./mailbox/mail')],
    search: ['Search messages, by keyword and semantically', () => import('./mailbox/search')],
    read: ['Show a message', () => import('./mailbox/read')],
    deliver: ['Deliver an inbound email from a mail server', () => import('./mailbox/deliver')],
    reply: ['Reply to a message', () => import('./mailbox/reply')],
    drafts: ['Show and send drafts', () => import('./mailbox/drafts')],
    consumers: ['Show the state of consumers', () => import('./mailbox/consumers')],
    domains: ['Add domains and check their DNS records', () => import('./account/domains')],
    labels: ['Create, list and delete labels', () => import('./account/labels')],
    suppressions: ['List and change suppressed addresses', () => import('./account/suppressions')],
    connect: ['Connect a mailbox at any IMAP server', () => import('./mailbox/connect')],
    webhooks: ['Manage webhooks', () => import('./mailbox/webhooks')],
    listen: ['Show the events of an account as they happen', () => import('./mailbox/listen')],
    mcp: ['Offer a mailbox to an MCP client', () => import('./mailbox/mcp')],
  },
}

const bold = (text: string) => `\u001b[1m${text}\u001b[22m`

/** Creates the program; `entered` is called with each command on the way to the chosen one. */
function createProgram(entered: (command: Command) => void): Command {
  const program = new Command('restante')
    .description('Email for AI agents.')
    .version(PACKAGE_VERSION)
    .exitOverride()
    .helpCommand(false)
    // Removed again if the output has no colours.
    .configureHelp({ styleTitle: bold })
    .configureOutput({ outputError: () => {} })
    .addHelpText(
      'after',
      `
Examples:
  restante dev --agent agent.ts
  restante send agent@restante.localhost "Hello, is anybody there?"
  restante mail

restante <command> --help shows the options of a command.`,
    )
  const enter = (_parent: Command, command: Command) => {
    entered(command)
    command.hook('preSubcommand', enter)
  }
  const entries = new Map<Command, Entry[1]>()
  for (const [group, commands] of Object.entries(groups)) {
    program.commandsGroup(group)
    for (const [name, [summary, load]] of Object.entries(commands))
      entries.set(program.command(name).summary(summary), load)
  }
  program.hook('preAction', (_program, command) => warnOfSecrets(command))
  return program.hook('preSubcommand', async (_program, command) => {
    const { define } = (await entries.get(command)?.()) ?? {}
    define?.(command)
    enter(program, command)
  })
}

const pathOf = (command: Command): string =>
  command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name()

/**
 * Rewrites errors of commander in our own words. `list` is the default subcommand, so a word that follows its
 * parent was meant as a subcommand.
 */
function explain(error: unknown, command: Command): unknown {
  if (!(error instanceof CommanderError)) return error
  const { parent, args, registeredArguments } = command
  const [word] = args
  if (parent?.parent && command.name() === 'list' && word && registeredArguments.length === 0) {
    const names = parent.commands.map((one) => one.name()).join(', ')
    return new UsageError('invalid_arguments', `${pathOf(parent)} has no command ${word}: it has ${names}.`)
  }
  const said = error.message.replace(/^error: |\.$/g, '').replace(/\s+/g, ' ')
  const usage = command.parent ? ` Usage: ${pathOf(command)} ${command.usage()}.` : ''
  return new UsageError('invalid_arguments', `${said}.${usage} See ${pathOf(command)} --help.`, {
    cause: error,
  })
}

const isShown = (error: unknown) =>
  error instanceof CommanderError && (error.exitCode === 0 || error.code === 'commander.help')

/** Rewrites `help dev` to `dev --help`. */
const withHelp = ([first, ...rest]: readonly string[]) =>
  first === 'help' ? [...rest, '--help'] : [...(first === undefined ? [] : [first]), ...rest]

/** Runs `restante` with these arguments. @returns The exit code; errors are written to standard error. */
export async function run(args: readonly string[]): Promise<number> {
  let command: Command | undefined
  const program = createProgram((entered) => {
    command = entered
  })
  process.exitCode = 0
  try {
    await program.parseAsync(withHelp(args), { from: 'user' })
    return Number(process.exitCode)
  } catch (error) {
    if (!isShown(error)) writeError(explain(error, command ?? program), args.includes('--json'))
    return error instanceof CommanderError ? error.exitCode : 1
  } finally {
    process.exitCode = undefined
  }
}
