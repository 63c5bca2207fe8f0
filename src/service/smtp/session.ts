import { SMTPConnection } from 'smtp-server/lib/smtp-connection'
import { DotUnstuffer } from './dot-stuffing'
import type { SmtpLimiter } from './limiter'
import { bringsStatus, closingText, isMistake } from './reply'

type Parser = ReturnType<SMTPConnection['_createParser']>

/** What bounds one connection. */
export interface SessionLimits {
  /** Commands since the last mail that was taken, the good ones and the bad ones. */
  commandsPerMail: number
  /** How long a client may go on without finishing a command or sending {@link progressBytes} of a mail. */
  progressMs: number
}

/** What counts as progress of a mail: slower than this in `progressMs` is an attack, or as good as one. */
const progressBytes = 16 * 1024

/** How long a client that was sent away at shutdown has to read that and close its side. */
const lingerMs = 1000

/**
 * The connection of smtp-server with what it lacks. It is the only file that knows its insides: the members with
 * an underscore are in its type declarations and have been since version 1, and the tests of the receiver fail
 * where one of them changes its meaning.
 */
export class Session extends SMTPConnection {
  limits: SessionLimits | undefined
  limiter: SmtpLimiter | undefined
  /** What its address is counted by; null where that is not limited. */
  group: string | null = null
  progressedAt = Date.now()
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
      if (maxClients && this._server.connections.size > maxClients) {
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
    let open = 0
    for (const one of this._server.connections as Set<Session>) if (one.group === this.group) open += 1
    return limiter.connect(this.group, open)
  }

  /** Whether the address may send one more mail now. */
  mayMail(): boolean {
    return this.group === null || this.limiter?.mail(this.group) !== false
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

  override _onCommand(command: Buffer, callback?: () => void): void {
    this.progressedAt = Date.now()
    this.#commands += 1
    if (this.limits && this.#commands > this.limits.commandsPerMail) {
      return this.send(421, '4.7.0 Too many commands without a mail')
    }
    if (this.#waitMs === 0) return super._onCommand(command, callback)
    // The reply to a mistake leaves at once; what comes after it waits, so that replies keep their order.
    this.limiter?.after(this.#waitMs, () => {
      if (!this._closing && !this._closed) super._onCommand(command, callback)
    })
    this.#waitMs = 0
  }

  /** Each mistake of an address makes it wait longer; too many, and it is sent away. */
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

  /** Whether a mail is on its way in, or taken and not answered yet. */
  get receiving(): boolean {
    return Boolean(this._dataStream)
  }

  /** Tells the client that the service goes down, and ends the connection. */
  leave(): void {
    this.send(421, 'Server shutting down')
    setTimeout(() => this._socket.destroy(), lingerMs).unref()
  }

  /** Ends the connection without a word: the client would not stop to read one. */
  cutOff(): void {
    this._socket.destroy()
  }

  /** Begins to count commands anew. */
  mailTaken(): void {
    this.#commands = 0
  }

  /** Ends the connection of a client that trickles: each byte starts the idle timeout anew. */
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
