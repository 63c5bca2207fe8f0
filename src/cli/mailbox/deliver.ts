import { readFileSync } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import { type Command, CommanderError, InvalidArgumentError } from 'commander'
import { isServiceError, type ServiceError, UsageError } from '../../protocol/errors/error'
import { addConnectionFlags, type ConnectionOptions, callService } from '../base/connection'
import { createOutput, jsonOption, writeError } from '../base/output'

/**
 * Exit codes of sysexits.h, as mail servers read them. pipe(8) of Postfix and the pipe transport of Exim
 * bounce the message for every code except `tryAgain`. Wrong arguments use it too, instead of EX_USAGE: the
 * sender must not get a bounce for a mistake of the administrator.
 */
const codes = { data: 65, noUser: 67, unavailable: 69, tryAgain: 75 }

/**
 * Parses an envelope sender. The empty one has several spellings; pipe(8) of Postfix uses `MAILER-DAEMON`.
 */
const senderOf = (from: string): string => (/^(?:<>|MAILER-DAEMON)$/i.test(from) ? '' : from)

/** Collects envelope recipients. A missing domain is a mistake in the command, not in the message. */
function recipientsOf(to: string, before: string[] = []): string[] {
  if (!/.@./.test(to))
    throw new InvalidArgumentError(
      `It is not an address. Give the recipient with its domain, such as \${recipient} in Postfix or $local_part@$domain in Exim.`,
    )
  return [...before, to]
}

/** Exits with `tryAgain` for wrong arguments too, since mail servers bounce the message for other codes. */
function putOff(error: CommanderError): never {
  throw error.exitCode === 0 ? error : new CommanderError(codes.tryAgain, error.code, error.message)
}

/** Defines `restante deliver`. */
export const define = (command: Command): Command =>
  addConnectionFlags(command)
    .exitOverride(putOff)
    .description('Deliver an inbound email from standard input. Mail servers pipe messages to it.')
    .requiredOption('--from <address>', 'envelope sender; empty, <> or MAILER-DAEMON for a bounce', senderOf)
    .requiredOption('--to <address...>', 'envelope recipients', recipientsOf)
    .option(
      '--client-ip <address>',
      'IP address of the client that sent the email. Counts for SPF if the key is trusted',
    )
    .option('--helo <name>', 'HELO name of that client')
    .option('--id <id>', 'queue id of the message, which identifies repeated deliveries')
    .option('--key-file <file>', 'file with the API key, readable only by its owner')
    .option(...jsonOption)
    .addHelpText(
      'after',
      `
Exits with 0 once the message is on disk. Other exit codes follow sysexits.h: 75
to try again later (also for a wrong key or argument, so that nothing is lost),
67 for an unknown address, 65 or 69 for a message that is refused for good. If
only some recipients accept the message, the command exits with 0 and names the
others: give one recipient at a time to get a code for each.`,
    )
    .action(deliver)

interface DeliverOptions extends ConnectionOptions {
  from: string
  to: string[]
  clientIp?: string
  helo?: string
  id?: string
  keyFile?: string
  json?: boolean
}

function keyIn(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (cause) {
    throw new UsageError('key_missing', `The key cannot be read: ${(cause as Error).message}.`, { cause })
  }
}

const noUser = ['mailbox_unavailable', 'address_retired']

/** Returns true if the only invalid fields are recipients, which nobody can have. */
const areRecipients = ({ code, details }: ServiceError): boolean => {
  const fields = Array.isArray(details) ? details.map((one) => String(one?.field)) : []
  return code === 'invalid_request' && fields.length > 0 && fields.every((one) => /^to\b/.test(one))
}

/** Returns the exit code for an error, by which the mail server retries or bounces. */
function exitCodeOf(error: unknown): number {
  if (!isServiceError(error)) return codes.tryAgain
  if (noUser.includes(error.code) || areRecipients(error)) return codes.noUser
  if (['message_too_large', 'payload_too_large', 'invalid_request'].includes(error.code)) return codes.data
  if (['sender_blocked', 'account_expired', 'idempotency_key_reused'].includes(error.code))
    return codes.unavailable
  // Wrong key, service down, account closed for now: the message must not be lost.
  return codes.tryAgain
}

/** Runs `restante deliver`: one message, for Postfix, Exim and procmail. */
async function deliver({ keyFile, ...options }: DeliverOptions): Promise<void> {
  try {
    const key = keyFile === undefined ? options.key : keyIn(keyFile)
    const content = new Uint8Array(await buffer(process.stdin))
    const client = await callService('deliver', { ...options, ...(key !== undefined && { key }) })
    const answer = await client.inbound.deliver({
      from: options.from,
      to: options.to,
      content,
      content_type: 'message/rfc822',
      ...(options.clientIp !== undefined && { client_ip: options.clientIp }),
      ...(options.helo !== undefined && { helo: options.helo }),
      ...(options.id !== undefined && { 'idempotency-key': options.id }),
    })
    const ids = answer.messages.map(({ id }) => id).join(', ')
    const refused = answer.refused.map(({ to, error }) => `\nRefused: ${to} (${error})`).join('')
    const line = `${answer.idempotent ? 'Already delivered' : 'Delivered'}: ${ids}${refused}`
    createOutput(options.json).tell(line, answer)
  } catch (error) {
    writeError(error, options.json === true)
    process.exitCode = exitCodeOf(error)
  }
}
