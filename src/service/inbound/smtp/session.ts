import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server'
import { SMTPConnection, type SMTPConnectionOptions } from 'smtp-server/lib/smtp-connection'
import { DotUnstuffer } from './dot-stuffing'
import type { SmtpLimiter } from './limiter'
import { bringsStatus, closingText, isMistake } from './reply'

type Parser = ReturnType<SMTPConnection['_createParser']>

/** The bounds of one connection. */
interface SessionLimits {
  /** Commands since the last mail that was taken, the good ones and the bad ones. */
  commandsPerMail: number
  /** The time that a client may go on without finishing a command or sending {@link progressBytes} of a message. */
  progressMs: number
  /** The time without a message after which it gives way to another that has no room. */
  giveWayMs: number
}

/** The bytes that count as progress of a message: slower than this in `progressMs` is an attack, or as good as one. */
const progressBytes = 16 * 1024

/**
 * An address as senders give it that RFC 5321 section 4.1.2 does not allow: with a final dot or adjacent dots, without
 * brackets, with an underscore in its host. smtp-server cannot read a space in quotes either, which is allowed.
 */
const lenientSender =
  /^(mail from:\s{0,9})<?("[^"\\@<>\p{Cc}]{1,62}"|[^\s<>"@,:;()[\]\\\p{Cc}]{1,64})@([\p{L}\p{N}_-]{1,63}(?:\.[\p{L}\p{N}_-]{1,63}){0,20})(?=[\s>]|$)>?(.*)$/isu

/** The time that a client which was sent away has to read that and close its side. */
const lingerMs = 1000

/**
 * The connection of smtp-server with what it lacks. It is the only file that knows its insides: the members with
 * an underscore are in its type declarations and have been since version 1, and the tests of the receiver fail
 * where one of them changes its meaning.
 */
class Session extends SMTPConnection {
  limits: SessionLimits | undefined
  limiter: SmtpLimiter | undefined
  /** The group that its address is counted by; null where that is not limited. */
  group: string | null = null
  progressedAt = Date.now()
  /** The time when it came, or last brought a message. */
  broughtAt = Date.now()
  #commands = 0
  #waitMs = 0
  #bytesSeen = 0
  #dots = new DotUnstuffer()
  #unstuffed: Parser['_dataStream'] = null

  /**
   * smtp-server waits 100 ms here for clients that talk before the greeting, which holds a sender with a
   * connection per mail to ten mails a second. Without the wait nobody can be early: the greeting leaves in the
   * same turn in which the connection is accepted.
   */
  override init(): void {
    this._setListeners(() => {
      const { maxClients } = this._server.options
      if (maxClients && this._server.connections.size > maxClients && !this.#makeRoom(() => true)) {
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
    if (limiter.isFull(open) && this.#makeRoom(({ group }) => group === this.group)) open -= 1
    return limiter.connect(this.group, open)
  }

  *#others(): Iterable<Session> {
    for (const one of this._server.connections as Set<Session>) if (one !== this && !one._closing) yield one
  }

  /** Sends away who has held a place for nothing for longest; false where nobody has. */
  #makeRoom(among: (one: Session) => boolean): boolean {
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

  /** Counts a message of the address; false where it must wait. */
  async mayMail(): Promise<boolean> {
    return this.group === null || (await this.limiter?.mail(this.group)) !== false
  }

  /** A client may end its side after its last command (`nc`, scripts): it gets its replies, then the connection ends. */
  override _createParser(): ReturnType<SMTPConnection['_createParser']> {
    const parser = super._createParser()
    parser._feedDataStream = (chunk, done) => this.#feed(parser, chunk, done)
    parser.once('finish', () => {
      if (!this._closing) this.close()
    })
    return parser
  }

  /** smtp-server takes a turn of the event loop for each dot that it removes, and a stranger may send millions. */
  #feed(parser: Parser, chunk: Buffer, done: () => void): void {
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

  /** A client that leaves in the middle of a handshake would not be noticed on a socket that may be half open. */
  override upgrade(...handlers: Parameters<SMTPConnection['upgrade']>): void {
    this._socket.allowHalfOpen = false
    super.upgrade(...handlers)
  }

  /** Reads senders that exist though their addresses are against the rules; recipients are read strictly. */
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
    // The reply to a mistake leaves at once; what comes after it waits, so that replies keep their order.
    this.limiter?.background(this.#waitMs, () => {
      if (!this._closing && !this._closed) super._onCommand(command, callback)
    })
    this.#waitMs = 0
  }

  /** Counts a mistake of an address, which makes it wait longer; true where it made too many and is sent away. */
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
    // The context of an unknown command is the command itself, which smtp-server looks up among its own names.
    else super.send(code, text, code === 500 ? undefined : context)
    if (code !== 421 && this._server._closeTimeout && !this.receiving) this.leave()
  }

  /** True while a message is on its way in, or taken and not answered yet. */
  get receiving(): boolean {
    return Boolean(this._dataStream)
  }

  /** Tells the client why it has to go, and ends the connection. */
  leave(text = 'Server shutting down'): void {
    this.send(421, text)
    setTimeout(() => this._socket.destroy(), lingerMs).unref()
  }

  /** Ends the connection without a word: the client would not stop to read one. */
  cutOff(): void {
    this._socket.destroy()
  }

  /** Begins to count commands again. */
  mailTaken(): void {
    this.#commands = 0
    this.broughtAt = Date.now()
  }

  /**
   * The time for which it has held its place for nothing: from 0 on it may be sent away. A message on its way in takes
   * longer.
   */
  #heldMs(now: number): number {
    const { giveWayMs, progressMs } = this.limits!
    return now - this.broughtAt - (this.receiving ? progressMs : giveWayMs)
  }

  /** Ends the connection of a client that trickles: each byte starts the idle timeout again. */
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

/** smtp-server with {@link Session} for its connections. */
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

  /** The connection whose handlers were given this. */
  sessionOf(session: SMTPServerSession): Session | undefined {
    return this.#sessionOf.get(session)
  }

  /** Looks for stalled clients now and then; does not keep the process alive. */
  watch(): void {
    this.#watch = setInterval(() => {
      const now = Date.now()
      for (const session of this.sessions) session.endIfStalled(now)
    }, this.#limits.progressMs / 2).unref()
  }

  /** Accepts nobody any more, sends the idle away, and resolves when the last connection is gone. */
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
