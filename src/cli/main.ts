import { Command, CommanderError, Option } from 'commander'
import { UsageError } from '../protocol/errors'
import { addConnectionFlags, addSettingFlags, adminSettings, devDefaults, serveDefaults } from './flags'
import { writeError } from './output'

/** The version of the package, set when it is built. */
declare const PACKAGE_VERSION: string

const json = '--json'
const jsonMeaning = 'one JSON object a line'

const program = new Command('restante')
  .description('E-mail for AI agents.')
  .version(PACKAGE_VERSION)
  .exitOverride()
  .configureOutput({ outputError: () => {} })
  .addHelpText(
    'after',
    `
Examples:
  restante dev --agent agent.ts
  restante send agent@restante.localhost "Hello, is anybody there?"
  RESTANTE_API_KEY=rst_… restante listen --json

restante <command> --help tells the options of a command.`,
  )

addSettingFlags(program.command('dev'), devDefaults)
  .summary('Run the service on this machine, and an agent')
  .description(
    'Run the service on this machine with an account and an inbox ready, and show the mail that passes.',
  )
  .option('--agent <file>', 'run this agent module too, anew whenever it changes')
  .option(json, jsonMeaning)
  .action(async (options) => (await import('./dev')).dev(options))

addSettingFlags(program.command('serve'), serveDefaults)
  .description('Run the service for others')
  .option(json, jsonMeaning)
  .action(async (options) => (await import('./serve')).serve(options))

addSettingFlags(program.command('doctor'), serveDefaults)
  .summary('Say what is not fit for production')
  .description(
    'Say what is not fit for production in these settings, the data folder, the clock and the DNS, each with its remedy. The service may run meanwhile. Ends with 1 where there is something.',
  )
  .option(json, jsonMeaning)
  .action(async (options) => (await import('./doctor')).doctor(options))

addConnectionFlags(program.command('listen'))
  .description('Show the events of an account as they happen')
  .option(json, jsonMeaning)
  .action(async (options) => (await import('./listen')).listen(options))

addConnectionFlags(program.command('send'))
  .summary('Send a mail')
  .description('Send a mail: from your inbox with an API key, else by SMTP as a stranger would.')
  .argument('<to>', 'address of the recipient')
  .argument('[text]', 'what to write; read from standard input without it')
  .option('--subject <subject>', 'subject of the mail', 'Hello')
  .option('--from <address>', 'sender, where the mail goes by SMTP', 'you@example.com')
  .option('--smtp <host:port>', 'where to, where the mail goes by SMTP [RESTANTE_SMTP]')
  .option(json, jsonMeaning)
  .action(async (to, text, options) => (await import('./send')).send(to, text, options))

addConnectionFlags(program.command('mcp'))
  .summary('Give a mailbox to a client of the Model Context Protocol')
  .description(
    'Give a mailbox to a client of the Model Context Protocol, on standard input and output. Mail that needs approval becomes a draft that waits.',
  )
  .option('--inbox <address>', 'this inbox only; every inbox of the key without it')
  .option('--only <tools>', 'these tools only, such as search_mail,reply', (names) => names.split(','))
  .option('--read-only', 'only tools that look')
  .addOption(
    new Option('--approve <what>', 'what waits for a human besides what --flow says').choices([
      'none',
      'send',
      'all',
    ]),
  )
  .addOption(
    new Option(
      '--flow <how>',
      'mail to somebody who was no part of what the model has read: waits for a human (the default), is refused, or goes out',
    ).choices(['ask', 'refuse', 'off']),
  )
  .option('--recipients <list>', 'addresses and domains that may be told anything', (list) => list.split(','))
  .option('--no-attended', 'nobody sits there: also mail before anything was read waits for a human')
  .action(async (options) => (await import('./mcp')).mcp(options))

const data = '--data <folder>'
const dataFolder = process.env.RESTANTE_DATA || '.restante'

program
  .command('backup')
  .summary('Copy the data folder, also while the service runs')
  .description('Copy the data folder: database, large mails and the secret, also while the service runs.')
  .requiredOption('--to <folder>', 'new folder for the backup')
  .option(data, 'folder of the service [RESTANTE_DATA]', dataFolder)
  .option(json, jsonMeaning)
  .action(async (options) => (await import('./backup')).backup(options))

program
  .command('restore')
  .summary('Make a data folder from a backup')
  .description('Make a data folder from a backup. Mail that waited to be sent is held.')
  .requiredOption('--from <folder>', 'folder of the backup')
  .requiredOption(data, 'new folder for the service')
  .option('--send-pending', 'let mail go out that waited when the backup was made: it may arrive twice')
  .option(json, jsonMeaning)
  .action(async (options) => (await import('./backup')).restore(options))

const admin = program.command('admin').description('What the host of a service can do')

const waitingCommands = {
  hold: 'Hold the mail that waits to be sent, as after pg_restore: it has probably gone out',
  'send-held': 'Send the mail that restore or hold held',
} as const

for (const [command, meaning] of Object.entries(waitingCommands))
  addSettingFlags(admin.command(command), serveDefaults, adminSettings)
    .description(meaning)
    .option(json, jsonMeaning)
    .action(async (options) =>
      (await import('./admin')).adminWaiting(command as keyof typeof waitingCommands, options),
    )

const adminCommands = {
  pause: 'Pause sending: what is queued waits',
  resume: 'Send again, what has waited first',
  suspend: 'Close an account at once: no request, no mail in or out',
  unsuspend: 'Open an account again',
  erase: 'Close an account and erase all that it has; its addresses are never given again',
} as const
const whose = 'id of the account, or an address of its inboxes'

for (const [command, meaning] of Object.entries(adminCommands))
  addSettingFlags(admin.command(command), serveDefaults, adminSettings)
    .description(meaning)
    .argument('<account>', whose)
    .option(json, jsonMeaning)
    .action(async (account, options) =>
      (await import('./admin')).admin({ command: command as keyof typeof adminCommands, account }, options),
    )

addSettingFlags(admin.command('reparse'), serveDefaults, adminSettings)
  .description('Read stored mails again whose reading failed: they have their headers only')
  .option('--account <account>', `of one account only: ${whose}`)
  .option(json, jsonMeaning)
  .action(async (options) => (await import('./admin')).adminReparse(options))

addSettingFlags(admin.command('plan'), serveDefaults, adminSettings)
  .description('Give an account a plan')
  .argument('<account>', whose)
  .argument('<plan>', 'name of the plan: standard, unlimited, or one of the setting plans')
  .option(json, jsonMeaning)
  .action(async (account, plan, options) =>
    (await import('./admin')).admin({ command: 'plan', account, plan }, options),
  )

admin
  .command('accept-loss')
  .summary('Go on with a database whose end is missing')
  .description(
    'Go on with a database whose end is missing, as a start said that was refused. What is missing stays so: restore a backup to have it again.',
  )
  .option(data, 'folder of the service [RESTANTE_DATA]', dataFolder)
  .option(json, jsonMeaning)
  .action(async (options) => (await import('./admin')).adminAcceptLoss(options))

/** Rewrites what commander says in our own words. */
function explain(error: unknown): unknown {
  if (!(error instanceof CommanderError)) return error
  const said = error.message.replace(/^error: /, '').replace(/\s+/g, ' ')
  return new UsageError('invalid_arguments', `${said}: see restante --help.`, { cause: error })
}

const isShown = (error: unknown) =>
  error instanceof CommanderError && (error.exitCode === 0 || error.code === 'commander.help')

// The reader of the output may leave before its end, as `head` does.
process.stdout.on('error', () => process.exit(1))

let exitCode = 0
try {
  await program.parseAsync()
  exitCode = Number(process.exitCode ?? 0)
} catch (error) {
  if (!isShown(error)) writeError(explain(error), process.argv.includes(json))
  exitCode = error instanceof CommanderError ? error.exitCode : 1
}
// What an agent left open must not keep a stopped process; the writes before this have gone out when it is called back.
process.stdout.write('', () => process.exit(exitCode))
