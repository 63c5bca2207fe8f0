#!/usr/bin/env node
import { Command, CommanderError } from 'commander'
import { UsageError } from '../protocol/error'
import { addConnectionFlags, addSettingFlags, devDefaults, serveDefaults } from './flags'
import { writeError } from './output'

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

/** What commander says in its own way, in ours. */
function explain(error: unknown): unknown {
  if (!(error instanceof CommanderError)) return error
  const said = error.message.replace(/^error: /, '').replace(/\s+/g, ' ')
  return new UsageError('invalid_arguments', `${said}: see restante --help.`, { cause: error })
}

const isShown = (error: unknown) =>
  error instanceof CommanderError && (error.exitCode === 0 || error.code === 'commander.help')

// Whoever reads the output may leave before its end, as `head` does.
process.stdout.on('error', () => process.exit(1))

let exitCode = 0
try {
  await program.parseAsync()
} catch (error) {
  if (!isShown(error)) writeError(explain(error), process.argv.includes(json))
  exitCode = error instanceof CommanderError ? error.exitCode : 1
}
// What an agent left open must not keep a stopped process; the writes before this have gone out when it is called back.
process.stdout.write('', () => process.exit(exitCode))
