import type { Command, Option } from 'commander'
import { holdsPassword } from '../../service/base'
import { createOutput, paint } from './output'

/** Environment variable that takes the place of an option. */
interface Replacement {
  variable: string
  /** True if the value is a secret. Without it, only a URL with a password is one. */
  isSecret: boolean
}

const replacements = new WeakMap<Option, Replacement>()

/** Adds an option and names the environment variable that keeps its value out of the list of processes. */
export function addReplaceableOption(
  command: Command,
  [flags, description]: readonly [flags: string, description: string],
  replacement: Replacement,
): Command {
  const option = command.createOption(flags, description)
  replacements.set(option, replacement)
  return command.addOption(option)
}

/** Adds an option whose value is a secret. */
export const addSecretOption = (command: Command, flags: string, description: string, variable: string) =>
  addReplaceableOption(command, [flags, `${description} [${variable}]`], { variable, isSecret: true })

/** A secret that was given as an argument, and where to put it instead. */
interface Exposed {
  argument: string
  remedy: string
}

function exposedOption(command: Command, option: Option): Exposed | null {
  const name = option.attributeName()
  if (command.getOptionValueSource(name) !== 'cli') return null
  const { variable, isSecret } = replacements.get(option) ?? {}
  const value: unknown = command.getOptionValue(name)
  const values = Array.isArray(value) ? value : [value]
  if (!isSecret && !values.some((one) => typeof one === 'string' && holdsPassword(one))) return null
  return {
    argument: option.long ?? option.flags,
    remedy: variable === undefined ? 'Leave the password out of the URL.' : `Set ${variable} instead.`,
  }
}

/** Environment variables for the passwords in URLs that are arguments, by command. */
const passwordVariables: Readonly<Record<string, string>> = { add: 'RESTANTE_MAILBOX_PASSWORD' }

function exposedArguments(command: Command): Exposed[] {
  const variable = command.parent?.name() === 'connect' ? passwordVariables[command.name()] : undefined
  const remedy = variable === undefined ? 'Leave the password out of the URL.' : `Set ${variable} instead.`
  return command.registeredArguments
    .filter((_argument, i) => typeof command.args[i] === 'string' && holdsPassword(command.args[i]))
    .map((argument) => ({ argument: `<${argument.name()}>`, remedy }))
}

/** These report exposed settings as findings of their own. */
const reporting = new Set(['serve', 'doctor'])

/** Warns on standard error about each secret that was given as an argument: every user of the machine can list it. */
export function warnOfSecrets(command: Command): void {
  const options = reporting.has(command.name()) ? [] : command.options
  const exposed = [
    ...options.flatMap((option) => exposedOption(command, option) ?? []),
    ...exposedArguments(command),
  ]
  const output = createOutput(command.getOptionValue('json') === true, process.stderr)
  for (const { argument, remedy } of exposed) {
    const message = `Every user of this machine can read the secret in ${argument} while the command runs. ${remedy}`
    output.tell(`${paint('yellow', 'restante:', process.stderr)} ${message}`, {
      warning: 'secret_in_arguments',
      message,
    })
  }
}
