import { boundedMap } from '../base/bounded-map'
import type { Limiter, Rate, RateVerdict } from './rate-limiter'

/** Result of the counter that all nodes share. */
export interface Slice {
  granted: number
  /** Time until the full rate would be available again without further use. */
  usedMs: number
}

/** Takes up to `wanted` times of the rate of a key, for all nodes together. */
export type TakeSlice = (key: string, wanted: number, rate: Rate) => Promise<Slice>

/** Share of a rate taken at once: three nodes with one slice each deviate by less than a twentieth. */
const sliceShare = 0.01
const maxKeys = 50_000

interface Held {
  /** Times that this node may still allow; negative for those that it allowed on credit. */
  left: number
  /** Time at which all nodes together have the full rate again, as far as this one knows. */
  fullAtMs: number
  /** Time before which no more can be granted. */
  nextAtMs: number
  taking?: Promise<void> | undefined
}

/**
 * Enforces a rate that several nodes share. Each node takes slices of it, the next one before the last is
 * used up, so that one request in a hundred asks the counter. Rates below a hundred ask it each time. If the
 * counter is unreachable, all requests pass: the counted work cannot be done then either.
 */
export class SharedRateLimiter implements Limiter {
  readonly rate: Rate
  readonly #eachMs: number
  readonly #slice: number
  readonly #takeSlice: TakeSlice
  readonly #nowMs: () => number
  readonly #held = boundedMap<Held>(maxKeys)

  constructor(rate: Rate, takeSlice: TakeSlice, nowMs: () => number) {
    this.rate = rate
    this.#eachMs = rate.windowMs / rate.limit
    this.#slice = Math.floor(rate.limit * sliceShare)
    this.#takeSlice = takeSlice
    this.#nowMs = nowMs
  }

  /** Counts once, if that is allowed. */
  async take(key: string): Promise<RateVerdict> {
    const held = this.#heldOf(key)
    while (held.left < 1) {
      if (this.#nowMs() < held.nextAtMs) return this.#verdict(held, false)
      await this.#fetch(key, held)
    }
    return this.#give(key, held)
  }

  /** Counts once without waiting; on credit if this node has nothing left and knows of no refusal. */
  takeNow(key: string): RateVerdict {
    const held = this.#heldOf(key)
    if (!this.#isOpen(held)) return this.#verdict(held, false)
    return this.#give(key, held)
  }

  look(key: string): RateVerdict {
    const held = this.#heldOf(key)
    return this.#verdict(held, this.#isOpen(held))
  }

  #isOpen(held: Held): boolean {
    return held.left >= 1 || (this.#nowMs() >= held.nextAtMs && held.left > -this.rate.limit)
  }

  #give(key: string, held: Held): RateVerdict {
    held.left -= 1
    if (held.left < this.#slice / 2 && this.#nowMs() >= held.nextAtMs) void this.#fetch(key, held)
    return this.#verdict(held, true)
  }

  #heldOf(key: string): Held {
    const known = this.#held.get(key)
    // The maximum wait is a full window: a longer one means that the clock was set back.
    if (known && known.nextAtMs - this.#nowMs() <= this.rate.windowMs) return known
    const held: Held = { left: 0, fullAtMs: 0, nextAtMs: 0 }
    this.#held.set(key, held)
    return held
  }

  /** Takes a slice, and the times allowed on credit; concurrent callers wait for the same request. */
  #fetch(key: string, held: Held): Promise<void> {
    held.taking ??= this.#takeMore(key, held).finally(() => {
      held.taking = undefined
    })
    return held.taking
  }

  async #takeMore(key: string, held: Held): Promise<void> {
    // Includes times that were allowed on credit meanwhile.
    do await this.#takeOnce(key, held)
    while (held.left < 0 && held.nextAtMs === 0)
  }

  async #takeOnce(key: string, held: Held): Promise<void> {
    const wanted = Math.max(1, this.#slice, this.#slice - held.left)
    const { granted, usedMs } = await this.#takeSlice(key, wanted, this.rate).catch(() => ({
      granted: wanted,
      usedMs: 0,
    }))
    held.left += granted
    held.fullAtMs = this.#nowMs() + usedMs
    // Asks again only when at least half a slice is available.
    const worthMs = this.#eachMs * Math.max(1, this.#slice / 2)
    held.nextAtMs = granted < wanted ? held.fullAtMs - this.rate.windowMs + worthMs : 0
  }

  #verdict({ left, fullAtMs, nextAtMs }: Held, allowed: boolean): RateVerdict {
    const { windowMs } = this.rate
    const nowMs = this.#nowMs()
    const usedMs = Math.max(0, fullAtMs - nowMs)
    return {
      allowed,
      remaining: allowed ? Math.max(0, left + Math.floor((windowMs - usedMs + 1e-3) / this.#eachMs)) : 0,
      retryAfterMs: allowed ? 0 : Math.max(0, nextAtMs - nowMs),
      resetMs: usedMs,
    }
  }
}
