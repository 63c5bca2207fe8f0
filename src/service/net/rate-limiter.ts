import { boundedMap } from '../base'

/** A rate: `limit` times in `windowMs`, all of them at once if need be. */
export interface Rate {
  limit: number
  windowMs: number
}

/** The answer of a limiter. */
export interface RateVerdict {
  allowed: boolean
  /** The number of times that are left now. */
  remaining: number
  /** The time until it may happen once more; 0 while it may. */
  retryAfterMs: number
  /** The time until all of the rate is there again. */
  resetMs: number
}

/** Limits how often something happens per key. */
export interface Limiter {
  readonly rate: Rate
  /** Counts once, where that is allowed. */
  take(key: string): RateVerdict | Promise<RateVerdict>
  /** Does so without waiting for anybody. */
  takeNow(key: string): RateVerdict
  /** Tells what {@link Limiter.takeNow} would answer, without counting. */
  look(key: string): RateVerdict
}

/** Makes the limiters of a service; `kind` names what is counted. */
export type MakeLimiter = (kind: string, rate: Rate) => Limiter

/** Beyond this many keys the least recently seen are forgotten: memory is bounded for any clients. */
const maxKeys = 50_000

/**
 * Limits how often something happens per key, evenly: what was used comes back bit by bit, not at the full minute
 * (the generic cell rate algorithm: one number per key, and no timers). It counts in this process.
 */
export class RateLimiter implements Limiter {
  readonly rate: Rate
  readonly #eachMs: number
  readonly #nowMs: () => number
  /** The time at which a key will have all of its rate again. */
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
    // No more than all of it was used, however far the clock was set back since.
    return Math.min(this.rate.windowMs, Math.max(0, (this.#fullAt.get(key) ?? now) - now))
  }

  #fits(usedMs: number): boolean {
    // Sums of fractions are a hair off.
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
