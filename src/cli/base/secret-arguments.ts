import type { Command, Option } from 'commander'
import { createOutput, paint } from './output'

/** Checks whether one of the URLs in a text has a password, or the token of a NATS server. */
export const holdsPassword = (text: string): boolean =>
  text.split(',').some((one) => {
    const url = /^\s*([a-z][a-z\d+.-]*):\/\/([^/?#]*)@/i.exec(one)
    return url !== null && (url[2]!.includes(':') || /^(nats|tls)$/i.test(url[1]!))
  })

/** Environment variable that can replace an option. */
interface Replacement {
  variable: string
  /** True if the value is always a secret; otherwise only a URL with a password is. */
  isSecret: boolean
}

const replacements = new WeakMap<Option, Replacement>()

/** Adds an option, and the environment variable that keeps its value out of the process list. */
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

/** Secret that was given as an argument, and the remedy. */
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

/** Environment variables for passwords in URL arguments, by command. */
const passwordVariables: Readonly<Record<string, string>> = { add: 'RESTANTE_MAILBOX_PASSWORD' }

function exposedArguments(command: Command): Exposed[] {
  const variable = command.parent?.name() === 'connect' ? passwordVariables[command.name()] : undefined
  const remedy = variable === undefined ? 'Leave the password out of the URL.' : `Set ${variable} instead.`
  return command.registeredArguments
    .filter((_argument, i) => typeof command.args[i] === 'string' && holdsPassword(command.args[i]))
    .map((argument) => ({ argument: `<${argument.name()}>`, remedy }))
}

/** These commands report exposed settings among their own findings. */
const reporting = new Set(['serve', 'doctor'])

/** Warns on standard error about each secret in the arguments, which every user of the machine can list. */
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
