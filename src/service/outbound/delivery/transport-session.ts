import { isAscii } from 'node:buffer'
import type { Readable } from 'node:stream'
import { TLSSocket } from 'node:tls'
import NodemailerConnection from 'nodemailer/lib/smtp-connection'
import { hasUtf8Local } from '../../../mail/headers/address'
import {
  bounce,
  classifyError,
  classifyReply,
  defer,
  type RecipientOutcome,
  type SmtpError,
  stageOf,
  type Verdict,
} from './outcome'
import { wireAddress } from './route'
import type { OutgoingMail, TransportTimeouts } from './transport'

/** Host and terms of a connection. */
export interface SessionOptions extends TransportTimeouts {
  /** A name or an address. */
  host: string
  port: number
  /** Name of the remote in outcomes and in TLS; the host by default. */
  name?: string | undefined
  /** Our name in EHLO. */
  hostname: string
  /** `opportunistic` uses STARTTLS if it is offered, without checking the certificate (RFC 7435). */
  tls: 'implicit' | 'required' | 'opportunistic' | 'off'
  verifyCertificate: boolean
  /** Trusted authorities as PEM; those of Node without. */
  ca?: string | string[] | undefined
  credentials?: { user: string; pass: string } | { user: string; accessToken: string } | undefined
}

/** Outcome of one message on one connection. */
export interface Attempt {
  outcomes: RecipientOutcome[]
  /** The connection broke after the whole message was sent: the remote may or may not have it. */
  uncertain: boolean
  /** The connection broke, whether or not sending had begun. */
  lost: boolean
}

/** An open SMTP connection, after greeting, TLS and login. */
export interface SmtpSession {
  readonly remote: string
  /** True if another message may follow: the connection is open, and every message so far was completed. */
  readonly reusable: boolean
  /** Why the certificate of the remote is not trusted; null if it is valid. */
  readonly distrust: string | null
  send(mail: OutgoingMail, signal?: AbortSignal): Promise<Attempt>
  /** Sends QUIT. */
  quit(): void
}

const defaultMs = 30_000

/** Verdict on a whole message. */
type Judgement = Omit<Attempt, 'outcomes'> & { verdict: Verdict }

/** Time in ms that a remote has to answer QUIT. */
const quitMs = 2_000

/** Private members of nodemailer that we need; tests fail if they change. */
interface Internals {
  _supportedExtensions: string[]
  _envelope: { accepted: string[]; rejectedErrors: (SmtpError & { recipient?: string })[] } | false
  _sendCommand(command: string, logged?: string): void
  _createSendStream(callback: unknown): Readable
}

/**
 * Connection that declares SMTPUTF8 for headers too (RFC 6531 section 3.4); nodemailer does so only for
 * addresses.
 */
class Connection extends NodemailerConnection {
  utf8Headers = false
  /** True once the final dot was sent: before it, no remote accepts a message (RFC 5321 section 4.1.1.4). */
  isHandedOver = false
  readonly internals = this as unknown as Internals

  _sendCommand(command: string, logged?: string): void {
    const declare = this.utf8Headers && command.startsWith('MAIL FROM:') && !command.includes('> SMTPUTF8')
    const parent = NodemailerConnection.prototype as unknown as Internals
    parent._sendCommand.call(
      this as unknown as Internals,
      declare ? command.replace('>', '> SMTPUTF8') : command,
      logged,
    )
  }

  _createSendStream(callback: unknown): Readable {
    const parent = NodemailerConnection.prototype as unknown as Internals
    const stream = parent._createSendStream.call(this as unknown as Internals, callback)
    return stream.once('end', () => {
      this.isHandedOver = true
    })
  }
}

const createConnection = (options: SessionOptions): Connection =>
  new Connection({
    host: options.host,
    port: options.port,
    servername: options.name,
    name: options.hostname,
    secure: options.tls === 'implicit',
    requireTLS: options.tls === 'required',
    opportunisticTLS: options.tls === 'opportunistic',
    ignoreTLS: options.tls === 'off',
    tls: { rejectUnauthorized: options.verifyCertificate, ...(options.ca && { ca: options.ca }) },
    // nodemailer includes everything up to the login in this one.
    connectionTimeout: (options.connectMs ?? defaultMs) + 3 * (options.greetingMs ?? defaultMs),
    greetingTimeout: options.greetingMs ?? defaultMs,
    socketTimeout: options.dataMs ?? 600_000,
    socketCloseTimeout: 0,
    maxResponseSize: 64 * 1024,
  })

/** Wraps a call with a callback in a promise; an abort closes the connection and rejects. */
function abortable<T>(
  connection: Connection,
  signal: AbortSignal | undefined,
  run: (settle: (error: SmtpError | null | undefined, value?: T) => void) => void,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      connection.close()
      reject(signal?.reason)
    }
    if (signal?.aborted) return onAbort()
    signal?.addEventListener('abort', onAbort, { once: true })
    run((error, value) => {
      signal?.removeEventListener('abort', onAbort)
      if (error) reject(error)
      else resolve(value as T)
    })
  })
}

async function connect(connection: Connection, connectMs: number, signal?: AbortSignal): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  try {
    await abortable<void>(connection, signal, (settle) => {
      connection.on('error', (error: SmtpError) => settle(error))
      connection.connect((error) => settle(error as SmtpError | undefined))
      timer = setTimeout(() => {
        if (connection.stage === 'init')
          settle(Object.assign(new Error('Connection timeout'), { code: 'ETIMEDOUT' }))
      }, connectMs)
    })
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Returns the login for nodemailer; a token is used for this connection only, without a refresh (XOAUTH2).
 */
function loginOf(
  credentials: NonNullable<SessionOptions['credentials']>,
): Parameters<Connection['login']>[0] {
  if (!('accessToken' in credentials)) return { ...credentials }
  const { user, accessToken } = credentials
  const oauth2 = {
    getToken: (isRetry: boolean, done: (error: Error | null, token?: string) => void) =>
      isRetry ? done(new Error('The access token was not taken.')) : done(null, accessToken),
    buildXOAuth2Token: (token: string) =>
      Buffer.from(`user=${user}\u0001auth=Bearer ${token}\u0001\u0001`).toString('base64'),
  }
  return { user, oauth2 } as unknown as Parameters<Connection['login']>[0]
}

/** Connects, greets, encrypts and logs in; rejects with an {@link SmtpError}. */
export async function openSession(options: SessionOptions, signal?: AbortSignal): Promise<SmtpSession> {
  const connection = createConnection(options)
  const { credentials } = options
  try {
    await connect(connection, options.connectMs ?? defaultMs, signal)
    if (credentials)
      await abortable(connection, signal, (settle) => connection.login(loginOf(credentials), settle))
  } catch (error) {
    connection.close()
    // A broken handshake is reported as a socket error; only the connection knows the phase.
    if (connection.upgrading && !signal?.aborted) (error as SmtpError).code = 'ETLS'
    throw error
  }
  return createSession(
    connection,
    `${options.name ?? options.host}[${addressOf(connection)}]:${options.port}`,
  )
}

const addressOf = (connection: Connection): string => (connection._socket || undefined)?.remoteAddress ?? '?'

const bytesOf = ({ raw: { buffer, byteOffset, byteLength } }: OutgoingMail): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength)

function distrustOf({ _socket }: Connection): string | null {
  if (!(_socket instanceof TLSSocket)) return 'there was no TLS'
  return _socket.authorized ? null : String(_socket.authorizationError)
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: what would break out of the command
const unsendable = /[\x00-\x1f\x7f<>]/

class DestinationSession implements SmtpSession {
  readonly #connection: Connection
  readonly remote: string
  readonly #internals
  #clean = true

  constructor(connection: Connection, remote: string) {
    this.#connection = connection
    this.remote = remote
    const { internals } = connection
    this.#internals = internals
  }

  readonly send: SmtpSession['send'] = async (mail, signal) => {
    const obstacles = new Map(
      mail.recipients.map((recipient) => [recipient, this.#obstacle(mail, recipient)]),
    )
    const to = mail.recipients.filter((recipient) => !obstacles.get(recipient)).map(wireAddress)
    const result = to.length ? await this.#judge(mail, to, signal) : undefined
    const outcomes = mail.recipients.map((recipient): RecipientOutcome => {
      const verdict = obstacles.get(recipient) ?? this.#refusalOf(wireAddress(recipient)) ?? result?.verdict
      return { recipient, ...(verdict as Verdict) }
    })
    // A failed transaction would need a reset first.
    this.#clean &&= result === undefined || result.verdict.outcome === 'sent'
    return { outcomes, uncertain: result?.uncertain ?? false, lost: result?.lost ?? false }
  }

  get distrust() {
    return distrustOf(this.#connection)
  }

  get reusable() {
    return this.#clean && !this.#connection.destroyed
  }

  quit() {
    if (this.#connection.destroyed) return
    this.#connection.quit()
    setTimeout(() => this.#connection.close(), quitMs).unref()
  }

  /** Returns why this recipient cannot be sent to on this connection at all. */
  #obstacle(mail: OutgoingMail, recipient: string): Verdict | undefined {
    if (unsendable.test(recipient) || !recipient.includes('@')) {
      return bounce(553, '5.1.3', 'This is not an address mail can be sent to.')
    }
    if (!isAscii(bytesOf(mail)) && !this.#internals._supportedExtensions.includes('8BITMIME')) {
      return bounce(
        554,
        '5.6.3',
        'The mail has bytes beyond ASCII, which the remote does not take (no 8BITMIME).',
        this.remote,
      )
    }
    const utf8 = mail.smtpUtf8Needed || hasUtf8Local(mail.mailFrom) || hasUtf8Local(recipient)
    if (!utf8 || this.#internals._supportedExtensions.includes('SMTPUTF8')) return undefined
    return bounce(
      553,
      '5.6.7',
      'The mail has characters beyond ASCII, which the remote does not take (no SMTPUTF8).',
      this.remote,
    )
  }

  #transmit(mail: OutgoingMail, to: string[], signal?: AbortSignal): Promise<string> {
    const raw = bytesOf(mail)
    const use8BitMime = !isAscii(raw)
    const envelope = { from: wireAddress(mail.mailFrom), to, size: raw.byteLength, use8BitMime }
    this.#connection.utf8Headers = mail.smtpUtf8Needed === true
    this.#connection.isHandedOver = false
    this.#internals._envelope = false // of the previous message, which would be taken for this one's if sending fails early
    return abortable(this.#connection, signal, (settle) =>
      this.#connection.send(envelope, raw, (error, info) =>
        settle(error as SmtpError | null, info?.response),
      ),
    )
  }

  /** Returns the verdict on the whole message; refusals of single recipients are with the envelope. */
  async #judge(mail: OutgoingMail, to: string[], signal?: AbortSignal): Promise<Judgement> {
    try {
      return {
        verdict: classifyReply(await this.#transmit(mail, to, signal), this.remote),
        uncertain: false,
        lost: false,
      }
    } catch (error) {
      if (signal?.aborted) throw error
      const failure = error as SmtpError
      const lost = !failure.response && this.#connection.destroyed
      const uncertain = lost && this.#connection.isHandedOver
      const stage = stageOf(failure)
      if (!uncertain) return { verdict: { ...classifyError(failure, this.remote), stage }, uncertain, lost }
      const text = `${failure.message}, after the mail was handed over: it may arrive twice`
      return { verdict: { ...defer('4.4.2', text, this.remote), stage: 'content' }, uncertain, lost }
    }
  }

  #refusalOf(recipient: string): Verdict | undefined {
    const errors = this.#internals._envelope ? this.#internals._envelope.rejectedErrors : []
    const error = errors?.find((rejected) => rejected.recipient === recipient)
    return error && { ...classifyError(error, this.remote), stage: 'recipient' }
  }
}

const createSession = (connection: Connection, remote: string): SmtpSession =>
  new DestinationSession(connection, remote)
