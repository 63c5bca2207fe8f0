import { accessSync, constants } from 'node:fs'
import type { Command } from 'commander'
import type { Client } from '../../client/client'
import { baseAddress, sameAddress } from '../../mail/headers/address'
import { parseAddress } from '../../mail/headers/address-list'
import { isServiceError, NetworkError, UsageError } from '../../protocol/errors/error'
import type { Draft } from '../../protocol/records/draft'
import type { SendResult } from '../../protocol/records/message'
import { addConnectionFlags, askHere, type ConnectionOptions, callService } from '../base/connection'
import { outcomeOf } from '../base/draft-text'
import { createOutput, jsonOption, printable } from '../base/output'
import { readText } from '../base/until-stopped'
import { addAttachFlag, attach, bodyOf, markdownOption } from './attachments'

const usualSender = 'you@example.com'

/** Defines `restante send`. */
export const define = (command: Command): Command =>
  addAttachFlag(addConnectionFlags(command))
    .description(
      'Send an email. With an API key, it comes from your inbox. Without a key, or with --from, it is sent by SMTP like email from outside.',
    )
    .argument('<to>', 'address of the recipient')
    .argument('[text]', 'text of the email (default: standard input)')
    .option('--subject <subject>', 'subject of the email', 'Hello')
    .option(
      '--from <address>',
      `sender. Sends by SMTP even with an API key. Default for SMTP: ${usualSender}`,
    )
    .option(
      '--smtp <host:port>',
      'SMTP server. Sends by SMTP even with an API key. Default: RESTANTE_SMTP, else the service that runs in this folder, else 127.0.0.1:2525',
    )
    .option(...markdownOption)
    .option(...jsonOption)
    .action(send)

interface SendOptions extends ConnectionOptions {
  subject: string
  from?: string
  smtp?: string
  attach?: string[]
  markdown?: boolean
  json?: boolean
}

interface Mail {
  to: string
  subject: string
  text: string
}

/** Returns the only inbox of the key; null if it has several or may not read the account. */
async function ownInbox(client: Client) {
  try {
    const { inboxes } = await client.account.get()
    return inboxes.length === 1 ? inboxes[0]! : null
  } catch (error) {
    if (isServiceError(error, 'insufficient_scope')) return null
    throw error
  }
}

/** Refuses a message of an inbox to itself, which no loop receives. @throws UsageError `own_address` */
async function requireOther(client: Client, to: string): Promise<void> {
  const inbox = await ownInbox(client)
  const recipient = baseAddress(parseAddress(to)?.address ?? to)
  if (!inbox || !sameAddress(recipient, inbox.address)) return
  throw new UsageError(
    'own_address',
    `${printable(to)} is the inbox of your API key, and agents ignore their own messages. Send from another address: --from ${usualSender}.`,
  )
}

async function sendFromInbox(options: SendOptions, { to, subject, text }: Mail): Promise<SendResult | Draft> {
  const client = await callService('send', options)
  await requireOther(client, to)
  const attachments = await attach(client, options.attach)
  return client.messages.send({
    to: [to],
    subject,
    attachments,
    ...bodyOf(text, options),
    client_id: `cli:${crypto.randomUUID()}`,
  })
}

/** Returns false for settings without a fixed port, such as "off" or port 0. */
const canBeDialled = (address: string | undefined): address is string => /:0*[1-9]\d*$/.test(address ?? '')

/** Returns the SMTP server: the given one, else the setting, else the service that runs in this folder. */
async function smtpTarget(given: string | undefined): Promise<string> {
  if (given !== undefined) return given
  const setting = process.env.RESTANTE_SMTP
  if (canBeDialled(setting)) return setting
  const here = await askHere()
  return canBeDialled(here?.smtp) ? here.smtp : '127.0.0.1:2525'
}

function readHostPort(smtp: string): { host: string; port: number } {
  const [, host = '', port] = /^(?:\[?([^\]]*?)\]?):(\d{1,5})$/.exec(smtp) ?? []
  if (host && Number(port) > 0 && Number(port) < 65_536) return { host, port: Number(port) }
  throw new UsageError('invalid_smtp', `--smtp ${smtp} must be host:port, such as 127.0.0.1:2525.`)
}

function explain(error: unknown, smtp: string): unknown {
  const { code, response, message } = error as Error & { code?: string; response?: string }
  if (response)
    return new UsageError('mail_refused', `${smtp} refused the email: ${response}`, { cause: error })
  if (code === 'EENVELOPE')
    return new UsageError('invalid_address', `${message}. Give addresses such as ana@example.com.`, {
      cause: error,
    })
  return new NetworkError(
    'smtp_unreachable',
    `${smtp} could not be reached: ${message}. Is restante dev running? Choose another server with --smtp host:port.`,
    { cause: error },
  )
}

/** Checks the files before any connection is made. @throws UsageError `unreadable_attachment` */
function readable(paths: readonly string[]) {
  for (const path of paths)
    try {
      accessSync(path, constants.R_OK)
    } catch (cause) {
      const { message } = cause as Error
      throw new UsageError('unreadable_attachment', `${path} cannot be attached: ${message}`, { cause })
    }
  return paths.map((path) => ({ path }))
}

/** Sends in one SMTP session, like any mail client. */
async function sendBySmtp(smtp: string, { from = usualSender, attach: paths = [] }: SendOptions, mail: Mail) {
  const attachments = readable(paths)
  const target = readHostPort(smtp)
  const { createTransport } = await import('nodemailer')
  const transport = createTransport({
    ...target,
    tls: { rejectUnauthorized: false },
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 60_000,
  })
  try {
    const { response, messageId } = await transport.sendMail({ from, ...mail, attachments })
    return { response, message_id: messageId }
  } catch (error) {
    throw explain(error, smtp)
  } finally {
    transport.close()
  }
}

async function send(to: string, given: string | undefined, options: SendOptions): Promise<void> {
  const mail = { to, subject: options.subject, text: await readText(given) }
  const output = createOutput(options.json)
  const report = (how: string, facts: object) => output.tell(`Sent to ${printable(to)}: ${how}`, facts)
  const isBySmtp = options.from !== undefined || options.smtp !== undefined
  if (!isBySmtp && (options.key || process.env.RESTANTE_API_KEY)) {
    const answer = await sendFromInbox(options, mail)
    const isSent = 'message_id' in answer
    return isSent
      ? report(outcomeOf(answer), answer)
      : output.tell(`Not sent yet: ${outcomeOf(answer)}`, answer)
  }
  if (options.markdown)
    throw new UsageError(
      'invalid_options',
      '--markdown works only for email from your inbox. Set RESTANTE_API_KEY, and leave out --from and --smtp.',
    )
  const smtp = await smtpTarget(options.smtp)
  const result = await sendBySmtp(smtp, options, mail)
  report(`${smtp} said: ${printable(String(result.response))}`, result)
}
