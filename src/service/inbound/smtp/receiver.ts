import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { domainToASCII } from 'node:url'
import type { SMTPServerAddress, SMTPServerDataStream, SMTPServerSession } from 'smtp-server'
import { addrSpec, hasUtf8Local } from '../../../mail/headers/address'
import { readHeaders } from '../../../mail/headers/header-reader'
import type { Authentication } from '../../../protocol/records/message'
import { maxMailBytes, maxRecipients as maxMailRecipients } from '../../../protocol/records/upload-limit'
import { systemClock } from '../../base/time'
import type { MakeLimiter } from '../../net/rate-limiter'
import type { Clock, Logger } from '../../ports'
import { createSelfSigned, type KeyAndCertificate } from './certificate'
import { type SmtpLimit, SmtpLimiter, type SmtpRates } from './limiter'
import { type MemoryBudget, MessageBuffer } from './message-buffer'
import { asHandlerError, isRefusal, type Reply, replyOf, replyTo } from './reply'
import type { SenderCheck, SenderVerdict } from './sender-check'
import { SessionServer } from './session'

/** Data of the sender outside of the message. Domains are in their ASCII form (RFC 5890). */
export interface Envelope {
  /** Empty for the null sender of bounces (RFC 5321 section 4.5.5). */
  mailFrom: string
  recipients: string[]
  /** IPv4 without the `::ffff:` of a dual-stack socket, or IPv6. */
  remoteAddress: string
  heloName: string
  tls: boolean
  /** True if the sender declared the message as internationalized (RFC 6531). */
  smtpUtf8: boolean
  /** Null if the sender was not checked. */
  authentication: Authentication | null
  /** The rest of the verdict; see {@link SenderVerdict}. */
  judgedDomain: SenderVerdict['judgedDomain']
  signatures: SenderVerdict['signatures']
  spfAligned: boolean
}

/** Part of an envelope that is known at RCPT; `declaredBytes` is 0 without `SIZE` (RFC 1870). */
export type Opening = Pick<Envelope, 'mailFrom' | 'remoteAddress'> & { declaredBytes: number }

/** Handler behind SMTP: accepts messages, or throws ServiceError with a code that has an `smtp` reply. */
export interface SmtpHandler {
  /** At RCPT: resolves if this sender can write to the address now; with true if any sender can. */
  admit(recipient: string, opening: Opening): Promise<unknown>
  /** After DATA: resolves only when the message is on disk. `raw` has an `ArrayBuffer` of its own. */
  accept(envelope: Envelope, raw: Uint8Array<ArrayBuffer>): Promise<{ queueId: string }>
}

export interface SmtpReceiverOptions {
  host: string
  /** 0 for any free port. */
  port: number
  /** Name in the banner. */
  hostname: string
  handler: SmtpHandler
  logger: Logger
  /** Checks the sender of a message before the handler gets it. */
  checkSender?: SenderCheck | undefined
  /** Whether to refuse a message whose header has a NUL, or a CR that ends no line; default `refuse`. */
  bareCr?: 'refuse' | 'accept' | undefined
  /** Maximum size of one message; 25 MiB. */
  maxMessageBytes?: number
  /** Maximum number of recipients of one message; 100. */
  maxRecipients?: number
  /** Maximum number of open connections in total; 1,000. */
  maxConnections?: number
  /** Limits of one address; without them no limit applies. */
  rates?: SmtpRates | undefined
  /** Makes the counters of addresses, shared by all nodes if there are several. */
  limiterOf?: MakeLimiter | undefined
  /** Called when an address reached a limit. */
  onLimited?: (limit: SmtpLimit) => void
  /** Addresses of proxies, which report the client's address (PROXY protocol, version 1). */
  proxies?: string[] | undefined
  clock?: Clock
  /** Memory limit of all messages in progress together; more are postponed with 452. 512 MiB. */
  maxMemoryBytes?: number
  /** Certificate for STARTTLS. Default: a self-signed one, which suffices between mail servers. */
  tls?: KeyAndCertificate | undefined
  /** Time without data after which a client is disconnected; 60 s. */
  socketTimeoutMs?: number
  /** Time without a command or 16 KiB of a message after which a slow client is disconnected; 1 min. */
  progressTimeoutMs?: number
  /** Time without a message after which a connection can be closed in favor of a new one; 10 s. */
  giveWayMs?: number
  /** Time that `close` waits for messages in progress; 30 s. */
  closeTimeoutMs?: number
}

/** SMTP server for inbound messages (RFC 5321). */
export interface SmtpReceiver {
  /** Resolves with the address it listens on. */
  listen(): Promise<{ host: string; port: number }>
  /** Uses another certificate for new connections. */
  useCertificate(tls: KeyAndCertificate): void
  /** Refuses new connections, lets DATA in progress finish, and disconnects the others with 421. */
  close(): Promise<void>
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: what is not ASCII
const beyondAscii = /[^\x00-\x7f]/

/**
 * Normalizes an address as the service compares it: smtp-server turns `xn--` domains into Unicode, this
 * reverts it. The bare `postmaster` of RFC 5321 section 4.1.1.3 belongs to `hostname`.
 */
function envelopeAddress(written: string, hostname?: string): string {
  if (!written.includes('@')) return written && hostname ? `${written}@${hostname}` : written
  const address = written.startsWith('"') ? addrSpec(written) : written
  if (!beyondAscii.test(address)) return address
  const at = address.lastIndexOf('@')
  const domain = address.slice(at + 1)
  return `${address.slice(0, at)}@${domainToASCII(domain) || domain}`
}

type Done = (error?: Error | null) => void

const senderOf = ({ envelope, remoteAddress }: SMTPServerSession) => ({
  mailFrom: envelope.mailFrom ? envelopeAddress(envelope.mailFrom.address) : '',
  remoteAddress,
})

/** Returns the size that the sender declared (RFC 1870); 0 without one. */
function declaredBytesOf({ envelope }: SMTPServerSession): number {
  const { SIZE } = (envelope.mailFrom || { args: {} }).args as { SIZE?: string }
  return Number(SIZE) || 0
}

const envelopeOf = (session: SMTPServerSession, hostname: string): Envelope => ({
  ...senderOf(session),
  recipients: session.envelope.rcptTo.map(({ address }) => envelopeAddress(address, hostname)),
  heloName: session.hostNameAppearsAs,
  tls: session.secure,
  smtpUtf8: session.envelope.smtpUtf8 === true,
  authentication: null,
  judgedDomain: null,
  signatures: [],
  spfAligned: false,
})

const outOfMemory: Reply = { code: 452, text: '4.3.1 Too much mail is coming in, try again in a moment' }
const malformed: Reply = {
  code: 550,
  text: '5.6.0 The header has a NUL, or a CR without LF: end each line with CR LF',
}
const notDeclared: Reply = { code: 553, text: '5.6.7 This address needs SMTPUTF8' }

class Receiver implements SmtpReceiver {
  readonly #options: SmtpReceiverOptions
  readonly #handler
  readonly #logger
  readonly #hostname
  readonly #maxMessageBytes
  readonly #budget: MemoryBudget
  readonly #server

  constructor(options: SmtpReceiverOptions) {
    this.#options = options
    const {
      handler,
      logger,
      hostname,
      maxMessageBytes = maxMailBytes,
      maxRecipients = maxMailRecipients,
    } = options
    this.#handler = handler
    this.#logger = logger
    this.#hostname = hostname
    this.#maxMessageBytes = maxMessageBytes
    this.#budget = { maxBytes: options.maxMemoryBytes ?? 512 * 1024 * 1024, usedBytes: 0 }
    const { rates, clock = systemClock, onLimited } = options
    const limiter = rates && new SmtpLimiter(rates, clock, onLimited, options.limiterOf)
    this.#server = new SessionServer(
      {
        ...(options.tls ?? createSelfSigned(hostname)),
        name: hostname,
        banner: 'Restante',
        size: maxMessageBytes,
        maxRecipients,
        maxClients: options.maxConnections ?? 1000,
        maxCommandLength: 4096,
        socketTimeout: options.socketTimeoutMs ?? 60_000,
        closeTimeout: options.closeTimeoutMs ?? 30_000,
        allowHalfOpen: true,
        disableReverseLookup: true,
        hideENHANCEDSTATUSCODES: false,
        authOptional: true,
        useProxy: options.proxies ?? false,
        disabledCommands: ['AUTH', 'HELP', 'WIZ', 'SHELL', 'KILL', 'XCLIENT', 'XFORWARD'],
        heloResponse: '%s',
        logger: false,
        onConnect: (_session, done) => done(),
        onMailFrom: this.#onMailFrom,
        onRcptTo: this.#onRcptTo,
        onData: this.#onData,
      },
      {
        commandsPerMail: 100 + 2 * maxRecipients,
        progressMs: options.progressTimeoutMs ?? 60_000,
        giveWayMs: options.giveWayMs ?? 10_000,
      },
      limiter,
    )
    // Disconnecting clients and failed TLS are only logged for debugging.
    this.#server.on('error', (error) => logger.debug({ error }, 'SMTP connection failed'))
  }

  readonly useCertificate: SmtpReceiver['useCertificate'] = (tls) => this.#server.updateSecureContext(tls)

  readonly close: SmtpReceiver['close'] = () => this.#server.shutDown()

  readonly #onData = (
    stream: SMTPServerDataStream,
    session: SMTPServerSession,
    done: (error: Error | null, text?: string) => void,
  ): void => {
    const message = new MessageBuffer(this.#maxMessageBytes, this.#budget)
    let ended = false
    stream.on('data', (piece: Buffer) => {
      message.add(piece)
      // Draining lets an honest sender read its 552; no honest sender exceeds the limit four times.
      if (stream.byteLength > 4 * this.#maxMessageBytes) this.#server.sessionOf(session)?.cutOff()
    })
    stream.once('end', () => {
      ended = true
      this.#accept(message, session)
        .finally(() => message.release())
        .then(
          (text) => {
            this.#server.sessionOf(session)?.mailTaken()
            done(null, text)
          },
          (error: Error) => done(error),
        )
        .catch(this.#unexpected)
    })
    stream.once('close', () => {
      if (!ended) message.release()
    })
  }

  readonly #onRcptTo = (recipient: SMTPServerAddress, session: SMTPServerSession, done: Done): void => {
    if (this.#undeclared(recipient, session)) return done(asHandlerError(notDeclared))
    this.#admit(envelopeAddress(recipient.address, this.#hostname), session)
      .then(
        () => done(),
        (error) => done(this.#refusal(error)),
      )
      .catch(this.#unexpected)
  }

  readonly #onMailFrom = (sender: SMTPServerAddress, session: SMTPServerSession, done: Done): void => {
    if (this.#undeclared(sender, session)) return done(asHandlerError(notDeclared))
    this.#mayMail(session)
      .then((may) => done(may ? null : asHandlerError(replyOf('rate_limited'))))
      .catch(this.#unexpected)
  }

  async listen() {
    const listening = this.#server.listen(this.#options.port, this.#options.host)
    await once(listening, 'listening')
    this.#server.watch()
    const { address, port } = listening.address() as AddressInfo
    return { host: address, port }
  }

  // The callbacks of smtp-server process the following commands; an error there must not end the process.
  readonly #unexpected = (error: unknown) => this.#logger.error({ error }, 'SMTP connection broke')

  #refusal(error: unknown): Error {
    if (!isRefusal(error)) this.#logger.error({ error }, 'a message could not be received')
    return asHandlerError(replyTo(error))
  }

  #undeclared({ address }: SMTPServerAddress, session: SMTPServerSession): boolean {
    return !session.envelope.smtpUtf8 && hasUtf8Local(address)
  }

  async #mayMail(session: SMTPServerSession) {
    return (await this.#server.sessionOf(session)?.mayMail()) !== false
  }

  // Async, so that a synchronous throw of the handler is a refusal too.
  async #admit(recipient: string, session: SMTPServerSession) {
    return this.#handler.admit(recipient, { ...senderOf(session), declaredBytes: declaredBytesOf(session) })
  }

  async #accept(message: MessageBuffer, session: SMTPServerSession): Promise<string> {
    if (message.state === 'too-large') throw asHandlerError(replyOf('message_too_large'))
    if (message.state === 'out-of-memory') throw asHandlerError(outOfMemory)
    const raw = await message.take()
    if (this.#options.bareCr !== 'accept' && readHeaders(raw, 0).hasStrayControl)
      throw asHandlerError(malformed)
    try {
      const envelope = envelopeOf(session, this.#hostname)
      const verdict = await this.#options.checkSender?.(envelope, raw)
      const { queueId } = await this.#handler.accept({ ...envelope, ...verdict }, raw)
      return `2.0.0 Accepted as ${queueId}`
    } catch (error) {
      throw this.#refusal(error)
    }
  }
}

/**
 * Makes the SMTP receiver. It replies `250` to a message only after `handler.accept` has resolved. It keeps the
 * message byte for byte: the trace fields of RFC 5321 section 4.4 are separate data, not lines in it.
 *
 * Every refusal has an enhanced status code. Exceptions are the greeting, HELO and EHLO, where RFC 2034
 * section 3 forbids it.
 */
export const createSmtpReceiver = (options: SmtpReceiverOptions): SmtpReceiver => new Receiver(options)
