import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server'
import type { SMTPConnectionOptions } from 'smtp-server/lib/smtp-connection'
import type { SmtpLimiter } from './limiter'
import { Session, type SessionLimits } from './session'

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
