import { UsageError } from '../../../protocol/errors/error'
import { loadLater } from '../../base/load-later'
import { systemClock } from '../../base/time'
import type { Clock } from '../../ports'
import type { OutgoingMail } from './transport'
import type { Attempt, SessionOptions, SmtpSession } from './transport-session'

const loadSession = loadLater(() => import('./transport-session'))

/** Opens a connection to another server; the SMTP client is loaded with the first. */
export async function openSession(options: SessionOptions, signal?: AbortSignal): Promise<SmtpSession> {
  const { openSession: open } = await loadSession()
  return open(options, signal)
}

/** Options of {@link SessionPool}. */
export interface SessionPoolOptions {
  /** Idle connections kept per key; 5. */
  maxIdle?: number
  /** Messages per connection; 100. */
  maxMails?: number
  /** Time in ms that an idle connection is kept; 20 s. */
  idleMs?: number
  clock?: Clock
}

interface Idle {
  key: string
  session: SmtpSession
  mails: number
  cancel?: () => void
}

/** Maximum number of idle connections in all. */
const maxIdleInAll = 200

/** Pool of connections, reused by the next message to the same server under the same requirements. */
export class SessionPool {
  readonly #idle = new Set<Idle>()
  readonly #options: Required<SessionPoolOptions>
  #closed = false

  constructor({ maxIdle = 5, maxMails = 100, idleMs = 20_000, clock = systemClock }: SessionPoolOptions) {
    this.#options = { maxIdle, maxMails, idleMs, clock }
  }

  /**
   * Sends on an idle connection, or else on one that `open` opens; rejects if that fails.
   *
   * @param key Identifies the server and the requirements of the connection.
   */
  async send(
    key: string,
    open: () => Promise<SmtpSession>,
    mail: OutgoingMail,
    signal?: AbortSignal,
  ): Promise<Attempt> {
    if (this.#closed)
      throw new UsageError('transport_closed', 'This transport is closed; create another one.')
    for (let entry = this.#take(key); entry; entry = this.#take(key)) {
      const attempt = await this.#sendOn(entry, mail, signal)
      // It may have closed before it accepted anything.
      if (!attempt.lost || attempt.uncertain) return attempt
    }
    return this.#sendOn({ key, session: await open(), mails: 0 }, mail, signal)
  }

  /** Ends idle connections; those in use end with their message. */
  close(): void {
    this.#closed = true
    for (const entry of this.#idle) this.#quit(entry)
  }

  #take(key: string): Idle | undefined {
    for (const entry of this.#idle) {
      if (entry.key !== key) continue
      this.#idle.delete(entry)
      entry.cancel?.()
      if (entry.session.reusable) return entry
      entry.session.quit()
    }
    return undefined
  }

  async #sendOn(entry: Idle, mail: OutgoingMail, signal?: AbortSignal): Promise<Attempt> {
    const attempt = await entry.session.send(mail, signal)
    entry.mails += 1
    this.#giveBack(entry)
    return attempt
  }

  #giveBack(entry: Idle): void {
    const { maxIdle, maxMails, idleMs, clock } = this.#options
    const { session, mails, key } = entry
    const same = [...this.#idle].filter((one) => one.key === key).length
    const isFull = same >= maxIdle || this.#idle.size >= maxIdleInAll
    if (this.#closed || isFull || !session.reusable || mails >= maxMails) return session.quit()
    entry.cancel = clock.background(idleMs, () => this.#quit(entry))
    this.#idle.add(entry)
  }

  #quit(entry: Idle): void {
    this.#idle.delete(entry)
    entry.cancel?.()
    entry.session.quit()
  }
}
