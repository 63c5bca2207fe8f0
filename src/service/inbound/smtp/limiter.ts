import { monotonicNow } from '../../../protocol/time/clock'
import { addressGroup, type Networks, parseNetworks } from '../../net/networks'
import { type Limiter, type MakeLimiter, RateLimiter } from '../../net/rate-limiter'
import type { Clock } from '../../ports'

/** Limits of one address; IPv6 addresses count by their /64. */
export interface SmtpRates {
  /** Maximum number of open connections. */
  connectionsPerAddress: number
  /** New connections. */
  connectionsPerMinute: number
  mailsPerMinute: number
  /** Unknown recipients and nonsensical commands. */
  errorsPerMinute: number
  /** Addresses and networks without limits. */
  exempt: string
}

/** Limit that was reached. */
export type SmtpLimit = 'open' | 'connections' | 'mails' | 'errors'

/**
 * First wait after a quarter of the allowed errors. Each further error doubles it, up to half the time that
 * forgives one error: a client that goes on guessing is finally disconnected.
 */
const firstWaitMs = 200

/** Limits what a remote address does to the SMTP server. It refuses only before a message is accepted. */
export class SmtpLimiter {
  /** Calls back after a delay. */
  readonly background: Clock['background']
  readonly #rates: SmtpRates
  readonly #exempt: Networks
  readonly #connections: Limiter
  readonly #mails: Limiter
  readonly #errors: Limiter
  readonly #onLimited: (limit: SmtpLimit) => void

  constructor(
    rates: SmtpRates,
    clock: Clock,
    onLimited: (limit: SmtpLimit) => void = () => {},
    limiterOf: MakeLimiter = (_kind, rate) => new RateLimiter(rate, () => monotonicNow(clock)),
  ) {
    const perMinute = (kind: string, limit: number) => limiterOf(`smtp_${kind}`, { limit, windowMs: 60_000 })
    this.background = (delayMs, callback) => clock.background(delayMs, callback)
    this.#rates = rates
    this.#exempt = parseNetworks(rates.exempt)
    this.#connections = perMinute('connections', rates.connectionsPerMinute)
    this.#mails = perMinute('mails', rates.mailsPerMinute)
    this.#errors = perMinute('errors', rates.errorsPerMinute)
    this.#onLimited = onLimited
  }

  /** Returns the group that an address is counted in; null if it is not limited. */
  groupOf(address: string): string | null {
    return this.#exempt.has(address) ? null : addressGroup(address)
  }

  /** Returns whether `open` connections are more than one address may have. */
  isFull(open: number): boolean {
    return open > this.#rates.connectionsPerAddress
  }

  /** Counts a new connection, with which `open` are open; returns why it is refused, or null. */
  connect(group: string, open: number): string | null {
    if (this.isFull(open)) return this.#refuse('open', 'too many connections from your address, close some')
    if (!this.#errors.look(group).allowed)
      return this.#refuse('errors', 'too many errors from your address, try again in a minute')
    if (!this.#connections.takeNow(group).allowed)
      return this.#refuse('connections', 'too many connections from your address, try again in a minute')
    return null
  }

  /** Counts a message; false if it must wait. */
  async mail(group: string): Promise<boolean> {
    if ((await this.#mails.take(group)).allowed) return true
    this.#onLimited('mails')
    return false
  }

  /** Counts an error. Returns the wait before the next command in ms; null if it must be disconnected. */
  error(group: string): number | null {
    const { allowed, remaining } = this.#errors.takeNow(group)
    if (!allowed) {
      this.#onLimited('errors')
      return null
    }
    const { limit, windowMs } = this.#errors.rate
    const paid = limit - remaining - Math.ceil(limit / 4)
    return paid <= 0 ? 0 : Math.min(windowMs / limit / 2, firstWaitMs * 2 ** (paid - 1))
  }

  #refuse(limit: SmtpLimit, why: string): string {
    this.#onLimited(limit)
    return why
  }
}
