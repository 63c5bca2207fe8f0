import { boundedMap } from '../base/bounded-map'

/** Rate: `limit` times in `windowMs`, possibly all at once. */
export interface Rate {
  limit: number
  windowMs: number
}

/** Result of a limiter. */
export interface RateVerdict {
  allowed: boolean
  /** Number of times that are left now. */
  remaining: number
  /** Time until it is allowed once more; 0 if it is allowed now. */
  retryAfterMs: number
  /** Time until the full rate is available again. */
  resetMs: number
}

/** Limits how often something happens per key. */
export interface Limiter {
  readonly rate: Rate
  /** Counts once, if that is allowed. */
  take(key: string): RateVerdict | Promise<RateVerdict>
  /** Counts once, if that is allowed, without waiting. */
  takeNow(key: string): RateVerdict
  /** Returns the result that {@link Limiter.takeNow} would have, without counting. */
  look(key: string): RateVerdict
}

/** Makes the limiters of a service; `kind` names what is counted. */
export type MakeLimiter = (kind: string, rate: Rate) => Limiter

/** Maximum number of keys. Beyond it the least recently used are dropped, so that memory is bounded. */
const maxKeys = 50_000

/**
 * Limits how often something happens per key, evenly: capacity returns gradually, not at the full minute (the
 * generic cell rate algorithm: one number per key, and no timers). It counts in this process.
 */
export class RateLimiter implements Limiter {
  readonly rate: Rate
  readonly #eachMs: number
  readonly #nowMs: () => number
  /** Time at which a key has its full rate again. */
  readonly #fullAt = boundedMap<number>(maxKeys)

  constructor(rate: Rate, nowMs: () => number) {
    this.rate = rate
    this.#eachMs = rate.windowMs / rate.limit
    this.#nowMs = nowMs
  }

  take(key: string): RateVerdict {
    const now = this.#nowMs()
    const usedMs = this.#usedMs(key, now)
    const allowed = this.#fits(usedMs)
    if (!allowed) return this.#verdict(false, usedMs)
    this.#fullAt.set(key, now + usedMs + this.#eachMs)
    return this.#verdict(true, usedMs + this.#eachMs)
  }

  takeNow(key: string): RateVerdict {
    return this.take(key)
  }

  look(key: string): RateVerdict {
    const usedMs = this.#usedMs(key, this.#nowMs())
    return this.#verdict(this.#fits(usedMs), usedMs)
  }

  #usedMs(key: string, now: number): number {
    // At most the full rate was used, even if the clock was set back since.
    return Math.min(this.rate.windowMs, Math.max(0, (this.#fullAt.get(key) ?? now) - now))
  }

  #fits(usedMs: number): boolean {
    // Tolerance for rounding errors of sums of fractions.
    return usedMs + this.#eachMs <= this.rate.windowMs + 1e-3
  }

  #verdict(allowed: boolean, usedMs: number): RateVerdict {
    const { windowMs } = this.rate
    return {
      allowed,
      remaining: Math.max(0, Math.floor((windowMs - usedMs + 1e-3) / this.#eachMs)),
      retryAfterMs: Math.max(0, usedMs + this.#eachMs - windowMs),
      resetMs: usedMs,
    }
  }
}
