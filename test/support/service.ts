import { createTransport, type SendMailOptions } from 'nodemailer'
import { createService, type Home, type Listening, type Service, type ServiceOptions } from 'restante/service'
import { findCodes } from '../../src/mail/codes'
import { htmlToText } from '../../src/mail/html/html-to-text'
import { findLinks } from '../../src/mail/links'
import { parseMail, readAttachments } from '../../src/mail/parse'
import { isServiceError } from '../../src/protocol/errors/error'
import { extractFile } from '../../src/service/extraction/extract'
import { openMessage, readFileWithin } from '../../src/service/extraction/open'
import { verifySignatures } from '../../src/service/inbound/authentication/verify-signatures'
import { postedMail } from '../../src/service/inbound/http/providers/posted-mail'
import { replyTo } from '../../src/service/inbound/smtp/reply'
import { occurrencesOf, withCalendar } from '../../src/service/invitations/calendar-tasks'
import type { Extractor, MailParser } from '../../src/service/ports'
import type { TestedPorts } from '../../src/service/service'
import { requireDocumented } from './documented'
import { makeKeyPair } from './key-pairs'

/** What the interface answered. */
export interface Answer {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests look at any answer, also at wrong ones
  body: any
}

export interface CallOptions {
  body?: unknown
  key?: string | null
  headers?: Record<string, string>
}

/** A service with its own account, and the ways to talk to it. */
export interface QuietService extends AsyncDisposable {
  service: Service
  home: Home
  /** Calls the interface as the account of the service, or with another key. */
  call(method: string, path: string, options?: CallOptions): Promise<Answer>
  /** Brings a mail in as a stranger does: by SMTP where the service listens or judges senders, else by its own method. */
  mail(mail: SendMailOptions): Promise<{ response: string }>
}

/** The same, and where it listens: to start the thread of SMTP takes ten times longer than to start the rest. */
export interface TestService extends QuietService {
  url: string
  smtp: string
}

const parse = (text: string) => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** A caller of the interface that needs no port. Each refusal has to be one that the description has. */
export function caller(service: Service, defaultKey: string) {
  return async (method: string, path: string, options: CallOptions = {}): Promise<Answer> => {
    const { body, key = defaultKey, headers } = options
    const request = new Request(`http://restante.test/v1${path}`, {
      method,
      headers: {
        ...(key !== null && { authorization: `Bearer ${key}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && {
        body:
          typeof body === 'string' || body instanceof Uint8Array ? (body as BodyInit) : JSON.stringify(body),
      }),
    })
    const response = await service.fetch(request)
    const answer = { status: response.status, headers: response.headers, body: parse(await response.text()) }
    requireDocumented(method, path, answer.status, answer.body)
    return answer
  }
}

const transportTo = (smtp: string) => {
  const [host, port] = smtp.split(':') as [string, string]
  const tls = { rejectUnauthorized: false }
  return createTransport({ host, port: Number(port), pool: true, maxConnections: 10, tls })
}

const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })

const domainOf = (address: string) => address.slice(address.lastIndexOf('@') + 1)

/** What SMTP does with a mail, but for the dialogue: its sender brings other domains their share, and a refusal reads as there. */
async function takeIn({ service, home }: Pick<QuietService, 'service' | 'home'>, mail: SendMailOptions) {
  const { envelope, message } = await composer.sendMail(mail)
  const here = envelope.to.filter((address) => domainOf(address) === domainOf(home.address))
  const recipients = here.length > 0 ? here : envelope.to
  const sender = { mailFrom: envelope.from || '', remoteAddress: '127.0.0.1', heloName: '[127.0.0.1]' }
  try {
    const { queueId } = await service.receive({ ...sender, recipients }, new Uint8Array(message as Buffer))
    return { response: `250 2.0.0 Accepted as ${queueId}` }
  } catch (error) {
    // What went wrong within is told to nobody; the sender tries again.
    if (!isServiceError(error)) throw new Error('451 4.3.0 Try again later', { cause: error })
    const { code, text } = replyTo(error)
    throw new Error(`${code} ${text}`, { cause: error })
  }
}

/** Reads mail in this thread, as a world does: starting threads takes longer than reading it. */
export const parser: MailParser = {
  parse: async (raw, mailFrom) => withCalendar(await parseMail(raw, {}, mailFrom), raw),
  attachments: (raw, indexes) => readAttachments(raw, indexes),
  findings: async ({ subject, text, html, senderDomain }) => ({
    codes: findCodes(subject, text),
    links: findLinks(text, html, senderDomain),
  }),
  markdown: async (markdown) => {
    const html = (await import('#markdown')).markdownToHtml(markdown)
    return { html, text: htmlToText(html) }
  },
  occurrences: async (...wanted) => occurrencesOf(...wanted),
  htmlText: async (html) => htmlToText(html),
  posted: async (...post) => postedMail(...post),
  verifySignatures: verifySignatures,
  canRead: async () => true,
  waiting: () => 0,
  close: async () => {},
}

/** Reads files in this thread, as a world does. */
export const extractor: Extractor = {
  extract: extractFile,
  open: openMessage,
  fileWithin: readFileWithin,
  close: async () => {},
}

/** Opens no port before it is asked to, which saves most of the time that a start takes. */
export async function openService(
  options: ServiceOptions = {},
  ports: TestedPorts = {},
): Promise<QuietService & { listen(): Promise<Listening> }> {
  const service = await createService(
    {
      ...{ http: '127.0.0.1:0', smtp: '127.0.0.1:0', log: 'silent', connectionsAllowPrivate: true },
      // Tests of the verification set it: everywhere else an operator claims as on `dev`.
      ...{ verifyOperators: false },
      // Tests of the search by meaning ask for the encoder: it costs more than all else that a message costs.
      ...(!options.embeddingsUrl && !ports.embedder && { embeddings: 'off' }),
      ...options,
    },
    { parser, extractor, makeKeyPair, ...ports },
  )
  const home = await service.home()
  let listening: Promise<Listening> | undefined
  const listen = () => (listening ??= service.listen())
  let transport: ReturnType<typeof transportTo> | undefined
  return {
    service,
    home,
    listen,
    call: caller(service, home.apiKey),
    async mail(mail) {
      const usual = { from: 'Ana <ana@example.com>', to: home.address, subject: 'Hello', text: 'Hi' }
      if (!listening && !ports.resolver) return takeIn({ service, home }, { ...usual, ...mail })
      const { smtp } = await listen()
      transport ??= transportTo(smtp)
      return transport.sendMail({ ...usual, ...mail })
    },
    async [Symbol.asyncDispose]() {
      transport?.close()
      await listening?.catch(() => {})
      await service.close()
    },
  }
}

/**
 * Opens a service whose clock may jump by days at once. On PostgreSQL, a service makes partitions of its log as it opens, and
 * meanwhile takes nothing that is dated days later. A service before this one has made them.
 */
export async function openForJumps(options: ServiceOptions, ports: TestedPorts) {
  await (await openService(options))[Symbol.asyncDispose]()
  return openService(options, ports)
}

export async function startService(options?: ServiceOptions, ports?: TestedPorts): Promise<TestService> {
  const quiet = await openService(options, ports)
  const { url, smtp } = await quiet.listen()
  return { ...quiet, url, smtp }
}
