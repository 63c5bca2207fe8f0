import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server'
import { SMTPConnection, type SMTPConnectionOptions } from 'smtp-server/lib/smtp-connection'
import { DotUnstuffer } from './dot-stuffing'
import type { SmtpLimiter } from './limiter'
import { bringsStatus, closingText, isMistake } from './reply'

type Parser = ReturnType<SMTPConnection['_createParser']>
type ParserDone = Parameters<Parser['_write']>[2]

/** Limits of one connection. */
interface SessionLimits {
  /** Maximum number of commands since the last accepted message, valid or not. */
  commandsPerMail: number
  /** Time that a client may go on without a finished command or {@link progressBytes} of a message. */
  progressMs: number
  /** Time without a message after which the connection can be closed in favor of a new one. */
  giveWayMs: number
}

/** Bytes that count as progress of a message: fewer in `progressMs` are treated as an attack. */
const progressBytes = 16 * 1024

/**
 * Sender addresses in use that RFC 5321 section 4.1.2 forbids: a final dot, adjacent dots, no brackets, or an
 * underscore in the host. A space in quotes is allowed, but smtp-server cannot read it.
 */
const lenientSender =
  /^(mail from:\s{0,9})<?("[^"\\@<>\p{Cc}]{1,62}"|[^\s<>"@,:;()[\]\\\p{Cc}]{1,64})@([\p{L}\p{N}_-]{1,63}(?:\.[\p{L}\p{N}_-]{1,63}){0,20})(?=[\s>]|$)>?(.*)$/isu

const newline = 10

/** Returns whether a client sent several commands at once. */
const isGroup = (chunk: Buffer): boolean => {
  const end = chunk.indexOf(newline)
  return end !== -1 && end < chunk.length - 1
}

/** Time that a disconnected client has to read the reply and close its side. */
const lingerMs = 1000

/**
 * Connection of smtp-server with additions. Only this file depends on its internals. The members with an
 * underscore are in its type declarations since version 1. If one of them changes its meaning, the tests of
 * the receiver fail.
 */
class Session extends SMTPConnection {
  limits: SessionLimits | undefined
  limiter: SmtpLimiter | undefined
  /** Group that its address is counted in; null if it is not limited. */
  group: string | null = null
  progressedAt = Date.now()
  /** Time when it connected, or last delivered a message. */
  progressAt = Date.now()
  #commands = 0
  #waitMs = 0
  #bytesSeen = 0
  #dots = new DotUnstuffer()
  #unstuffed: Parser['_dataStream'] = null
  /** Socket that collects the replies to a group of commands. */
  #collecting: Socket | undefined

  /**
   * smtp-server waits 100 ms here for clients that talk before the greeting. That limits a sender with one
   * connection per message to ten messages a second. Without the wait no client can be early: the greeting is
   * sent in the turn that accepts the connection.
   */
  override init(): void {
    this._setListeners(() => {
      const { maxClients } = this._server.options
      if (maxClients && this._server.connections.size > maxClients && !this.#closeOne(() => true)) {
        return this.send(421, `4.3.2 ${this.name} has too many connections, try again in a moment`)
      }
      const refused = this.#refusedByLimits()
      if (refused !== null) return this.send(421, `4.7.0 ${this.name}: ${refused}`)
      this.connectionReady()
    })
  }

  #refusedByLimits(): string | null {
    const { limiter } = this
    this.group = limiter?.groupOf(this.remoteAddress) ?? null
    if (!limiter || this.group === null) return null
    let open = 1
    for (const one of this.#others()) if (one.group === this.group) open += 1
    if (limiter.isFull(open) && this.#closeOne(({ group }) => group === this.group)) open -= 1
    return limiter.connect(this.group, open)
  }

  *#others(): Iterable<Session> {
    for (const one of this._server.connections as Set<Session>) if (one !== this && !one._closing) yield one
  }

  /** Disconnects the client that is idle for longest; false if there is none. */
  #closeOne(among: (one: Session) => boolean): boolean {
    const now = Date.now()
    let longestMs = -1
    let idlest: Session | undefined
    for (const one of this.#others()) {
      const heldMs = one.#heldMs(now)
      if (heldMs <= longestMs || !among(one)) continue
      longestMs = heldMs
      idlest = one
    }
    idlest?.leave('4.3.2 Others wait for this place, come back with a mail')
    return idlest !== undefined
  }

  /** Counts a message of the address; false if it must wait. */
  async mayMail(): Promise<boolean> {
    return this.group === null || (await this.limiter?.mail(this.group)) !== false
  }

  /** A client may close its side after its last command (`nc`, scripts): it still gets its replies. */
  override _createParser(): ReturnType<SMTPConnection['_createParser']> {
    const parser = super._createParser()
    parser._feedDataStream = (chunk, done) => this.#feed(parser, chunk, done)
    const write = parser._write.bind(parser)
    parser._write = (chunk, encoding, done) => {
      const isAlone = parser._dataMode || !isGroup(chunk)
      if (isAlone) write(chunk, encoding, done)
      else this.#answerTogether((finish) => write(chunk, encoding, finish), done)
    }
    parser.once('finish', () => {
      if (!this._closing) this.close()
    })
    return parser
  }

  /** Writes the replies to a group of commands together, as RFC 2920 section 3.2 asks. */
  #answerTogether(run: (finish: ParserDone) => void, done: ParserDone): void {
    this.#writeCollected()
    this.#collecting = this._socket
    this.#collecting.cork()
    run((error) => {
      this.#writeCollected()
      done(error)
    })
  }

  #writeCollected(): void {
    this.#collecting?.uncork()
    this.#collecting = undefined
  }

  /** Removes dots without smtp-server, which takes an event loop turn for each of maybe millions. */
  #feed(parser: Parser, chunk: Buffer, done: () => void): void {
    this.#writeCollected()
    const stream = parser._dataStream
    if (!stream) return done()
    if (stream !== this.#unstuffed) {
      this.#unstuffed = stream
      this.#dots = new DotUnstuffer()
    }
    const { content, rest } = this.#dots.push(chunk)
    parser._countDataBytes(content.length)
    if (rest) return parser._endDataMode(content, rest, done)
    if (content.length === 0 || !stream.writable || stream.write(content) || stream.destroyed) return done()
    const go = () => {
      stream.off('drain', go).off('close', go)
      done()
    }
    stream.once('drain', go).once('close', go)
  }

  /** A client that leaves during a handshake would go unnoticed on a socket that may be half open. */
  override upgrade(...handlers: Parameters<SMTPConnection['upgrade']>): void {
    this.#writeCollected()
    this._socket.allowHalfOpen = false
    super.upgrade(...handlers)
  }

  /** Reads sender addresses in use that break the rules; recipients are read strictly. */
  override _parseAddressCommand(
    name: string,
    command: Buffer | string,
  ): ReturnType<SMTPConnection['_parseAddressCommand']> {
    const strict = super._parseAddressCommand(name, command)
    const sender = strict || name !== 'mail from' ? null : lenientSender.exec(command.toString())
    if (!sender) return strict
    const [, head, local, domain, parameters] = sender as unknown as [string, string, string, string, string]
    const parsed = super._parseAddressCommand(name, `${head}<sender@sender.invalid>${parameters}`)
    return parsed && { ...parsed, address: `${local}@${domain}` }
  }

  override _onCommand(command: Buffer, callback?: () => void): void {
    this.progressedAt = Date.now()
    this.#commands += 1
    if (this.limits && this.#commands > this.limits.commandsPerMail) {
      return this.send(421, '4.7.0 Too many commands without a mail')
    }
    if (this.#waitMs === 0) return super._onCommand(command, callback)
    this.#writeCollected()
    // The reply to a mistake is sent at once; the next command waits, so that replies keep their order.
    this.limiter?.background(this.#waitMs, () => {
      if (!this._closing && !this._closed) super._onCommand(command, callback)
    })
    this.#waitMs = 0
  }

  /** Counts a mistake of an address, which makes it wait longer; true if it must be disconnected. */
  #countMistake(): boolean {
    const waitMs = this.group === null ? 0 : this.limiter?.error(this.group)
    if (waitMs === null) return true
    this.#waitMs = waitMs ?? 0
    return false
  }

  override send(code: number, text?: string | string[] | null, context?: string | false): void {
    if (isMistake(code, text) && this.#countMistake()) {
      return super.send(421, '4.7.0 Too many errors from your address', false)
    }
    if (bringsStatus(text)) super.send(code, text, false)
    else if (code === 421 && typeof text === 'string') super.send(code, closingText(text), false)
    // The context of an unknown command is the command itself, which smtp-server looks up among its own
    // names.
    else super.send(code, text, code === 500 ? undefined : context)
    if (code !== 421 && this._server._closeTimeout && !this.receiving) this.leave()
  }

  /** True while a message is being received, or was received and not answered yet. */
  get receiving(): boolean {
    return Boolean(this._dataStream)
  }

  /** Sends the client the reason, and ends the connection. */
  leave(text = 'Server shutting down'): void {
    this.send(421, text)
    setTimeout(() => this._socket.destroy(), lingerMs).unref()
  }

  /** Ends the connection without a reply: the client would not stop to read it. */
  cutOff(): void {
    this._socket.destroy()
  }

  /** Resets the command counter after an accepted message. */
  mailTaken(): void {
    this.#commands = 0
    this.progressAt = Date.now()
  }

  /** Returns the time since it may be disconnected for another; negative before. DATA gets more time. */
  #heldMs(now: number): number {
    const { giveWayMs, progressMs } = this.limits!
    return now - this.progressAt - (this.receiving ? progressMs : giveWayMs)
  }

  /** Ends the connection of a slow client, whose single bytes would restart the idle timeout. */
  endIfStalled(now: number): void {
    const busy = this._handlerPending || (this._dataStream && this._parser && !this._parser._dataMode)
    const bytesRead = this._socket.bytesRead
    if (busy || bytesRead - this.#bytesSeen >= progressBytes) {
      this.#bytesSeen = bytesRead
      this.progressedAt = now
    } else if (this.limits && now - this.progressedAt >= this.limits.progressMs) {
      this.send(421, 'Timeout - too slow')
    }
  }
}

/** SMTP server of smtp-server with {@link Session} for its connections. */
export class SessionServer extends SMTPServer {
  readonly #limits: SessionLimits
  readonly #limiter: SmtpLimiter | undefined
  readonly #sessionOf = new WeakMap<SMTPServerSession, Session>()
  #watch: NodeJS.Timeout | undefined
  #closed: Promise<void> | undefined

  constructor(options: SMTPServerOptions, limits: SessionLimits, limiter?: SmtpLimiter) {
    super(options)
    this.#limits = limits
    this.#limiter = limiter
  }

  override connect(socket: Socket | TLSSocket, options?: SMTPConnectionOptions | null): void {
    const session = new Session(this, socket, options)
    session.limits = this.#limits
    session.limiter = this.#limiter
    this.connections.add(session)
    this.#sessionOf.set(session.session, session)
    session.on('error', (error: Error) => this._onError(error))
    session.init()
  }

  get sessions(): Iterable<Session> {
    return this.connections as Set<Session>
  }

  /** Returns the connection of a session that handlers were given. */
  sessionOf(session: SMTPServerSession): Session | undefined {
    return this.#sessionOf.get(session)
  }

  /** Checks for stalled clients periodically; does not keep the process alive. */
  watch(): void {
    this.#watch = setInterval(() => {
      const now = Date.now()
      for (const session of this.sessions) session.endIfStalled(now)
    }, this.#limits.progressMs / 2).unref()
  }

  /** Stops accepting, disconnects idle clients, and resolves when the last connection is closed. */
  shutDown(): Promise<void> {
    this.#closed ??= new Promise((resolve) => {
      clearInterval(this.#watch)
      if (!this.server.listening) return resolve()
      this.server.once('close', resolve)
      this.close()
      for (const session of this.sessions) if (!session.receiving) session.leave()
    })
    return this.#closed
  }
}
