import { boundedMap } from '../base'
import type { Limiter, Rate, RateVerdict } from './rate-limiter'

/** The answer of the counter that all nodes share. */
export interface Slice {
  granted: number
  /** The time in which all of the rate would be there again, if nobody took any. */
  usedMs: number
}

/** Takes up to so many times of the rate of a key, for all nodes at once. */
export type TakeSlice = (key: string, wanted: number, rate: Rate) => Promise<Slice>

/** The part of a rate that a node takes at once: three that each hold one keep it within a twentieth. */
const sliceShare = 0.01
const maxKeys = 50_000

interface Held {
  /** The times that this node may still give; below 0 what it gave before it had asked. */
  left: number
  /** The time at which all nodes together will have all of the rate again, as far as this one knows. */
  fullAtMs: number
  /** There is nothing to be had before then. */
  nextAtMs: number
  taking?: Promise<void> | undefined
}

/**
 * Holds to a rate that several nodes share. Each takes slices of it, the next one before the last is used, so that one in
 * a hundred asks somebody else; of rates below a hundred each does. Where nobody can be asked, all may pass: what
 * cannot be counted cannot be done either.
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

  /** Counts once, where that is allowed. */
  async take(key: string): Promise<RateVerdict> {
    const held = this.#heldOf(key)
    while (held.left < 1) {
      if (this.#nowMs() < held.nextAtMs) return this.#verdict(held, false)
      await this.#fetch(key, held)
    }
    return this.#give(key, held)
  }

  /** Counts once and answers at once, on credit where this node has nothing and does not know better. */
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
    // Nobody waits longer than for all of it: the clock was set back.
    if (known && known.nextAtMs - this.#nowMs() <= this.rate.windowMs) return known
    const held: Held = { left: 0, fullAtMs: 0, nextAtMs: 0 }
    this.#held.set(key, held)
    return held
  }

  /** Takes a slice, and what was given on credit; who asks meanwhile waits for the same. */
  #fetch(key: string, held: Held): Promise<void> {
    held.taking ??= this.#takeMore(key, held).finally(() => {
      held.taking = undefined
    })
    return held.taking
  }

  async #takeMore(key: string, held: Held): Promise<void> {
    // What was given on credit meanwhile is taken too.
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
    // Half a slice at least has to be there again before it is worth asking.
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
