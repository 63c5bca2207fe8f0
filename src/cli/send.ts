import { text as readAll } from 'node:stream/consumers'
import { createClient } from '../client'
import { NetworkError, UsageError } from '../protocol/errors'
import type { ConnectionOptions } from './flags'
import { createOutput, printable } from './output'

interface SendOptions extends ConnectionOptions {
  subject: string
  from: string
  smtp?: string
  json?: boolean
}

interface Mail {
  to: string
  subject: string
  text: string
}

/** Bounds of the repeats: short, since a person waits at the terminal. */
const retry = { totalMs: 1_500 }

async function sendFromInbox({ url, key }: ConnectionOptions, mail: Mail): Promise<object> {
  const client = createClient({ url, apiKey: key })
  return client.messages.send(
    { ...mail, to: [mail.to], client_id: `cli:${crypto.randomUUID()}` },
    { retry, timeoutMs: 30_000 },
  )
}

/** The place to dial for mail: a setting that says "any port" cannot be dialled. */
function smtpTarget(given: string | undefined): string {
  const setting = process.env.RESTANTE_SMTP ?? ''
  return given ?? (/:0*[1-9]\d*$/.test(setting) ? setting : '127.0.0.1:2525')
}

function readHostPort(smtp: string): { host: string; port: number } {
  const [, host = '', port] = /^(?:\[?([^\]]*?)\]?):(\d{1,5})$/.exec(smtp) ?? []
  if (host && Number(port) > 0 && Number(port) < 65_536) return { host, port: Number(port) }
  throw new UsageError('invalid_smtp', `--smtp ${smtp} must be host:port, such as 127.0.0.1:2525.`)
}

function explain(error: unknown, smtp: string): unknown {
  const { code, response, message } = error as Error & { code?: string; response?: string }
  if (response)
    return new UsageError('mail_refused', `${smtp} refused the mail: ${response}`, { cause: error })
  if (code === 'EENVELOPE')
    return new UsageError('invalid_address', `${message}: give addresses such as ana@example.com.`, {
      cause: error,
    })
  return new NetworkError(
    'smtp_unreachable',
    `${smtp} could not be reached: ${message}. Is restante dev running? Another address goes with --smtp host:port.`,
    { cause: error },
  )
}

/** As any other mail program would: one SMTP dialogue. */
async function sendBySmtp(smtp: string, from: string, mail: Mail): Promise<object> {
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
    const { response, messageId } = await transport.sendMail({ from, ...mail })
    return { response, message_id: messageId }
  } catch (error) {
    throw explain(error, smtp)
  } finally {
    transport.close()
  }
}

async function readText(): Promise<string> {
  if (process.stdin.isTTY) process.stderr.write('Write the mail; Ctrl-D ends it.\n')
  return readAll(process.stdin)
}

/** `restante send`: one mail. */
export async function send(to: string, given: string | undefined, options: SendOptions): Promise<void> {
  const mail = { to, subject: options.subject, text: given ?? (await readText()) }
  const smtp = smtpTarget(options.smtp)
  const result = options.key ? await sendFromInbox(options, mail) : await sendBySmtp(smtp, options.from, mail)
  const how =
    'response' in result ? `${smtp} said: ${printable(String(result.response))}` : 'it is on its way'
  createOutput(options.json).tell(`Sent to ${printable(to)}: ${how}`, result)
}
