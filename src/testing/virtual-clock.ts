import type { Clock } from '../client'

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

interface Timer {
  readonly dueMs: number
  readonly callback: () => void
}

/** The options of a {@link VirtualClock}. */
interface VirtualClockOptions {
  /** Milliseconds since 1970. */
  nowMs: number
  /** Of its chance. */
  seed: number
  /** Told whenever a timer is set, called or cancelled. */
  onChange?: () => void
}

/**
 * Time that moves only when it is told to, for the service and the mailbox alike.
 *
 * @example
 * ```ts
 * import { createWorld } from 'restante/testing'
 *
 * await using world = await createWorld({ startAt: new Date('2026-03-01T09:00:00Z') })
 * await world.advance({ hours: 1 })
 * console.log(new Date(world.clock.now())) // 10:00
 * ```
 */
export class VirtualClock implements Clock {
  readonly random: () => number
  readonly #onChange: () => void
  readonly #timers = new Set<Timer>()
  #nowMs: number

  /** @internal */
  constructor({ nowMs, seed, onChange = () => {} }: VirtualClockOptions) {
    this.#nowMs = nowMs
    this.random = seededRandom(seed)
    this.#onChange = onChange
  }

  now(): number {
    return this.#nowMs
  }

  after(delayMs: number, callback: () => void): () => void {
    const timer = { dueMs: this.#nowMs + Math.max(0, delayMs), callback }
    this.#timers.add(timer)
    this.#onChange()
    return () => {
      if (this.#timers.delete(timer)) this.#onChange()
    }
  }

  background(delayMs: number, callback: () => void): () => void {
    return this.after(delayMs, callback)
  }

  /**
   * Moves to the next timer that is due by then, and calls it. False where there is none: then it is that time.
   *
   * @internal
   */
  step(untilMs: number): boolean {
    const next = this.#next()
    if (!next || next.dueMs > untilMs) {
      this.#nowMs = Math.max(this.#nowMs, untilMs)
      return false
    }
    this.#nowMs = Math.max(this.#nowMs, next.dueMs)
    this.#timers.delete(next)
    this.#onChange()
    next.callback()
    return true
  }

  /**
   * Moves on at once, as when the machine sleeps: what becomes due meanwhile is called late, by {@link step}.
   *
   * @internal
   */
  jump(byMs: number): void {
    this.#nowMs += byMs
    this.#onChange()
  }

  /** The one that is due first; of those that are due at the same time, the one that was set first. */
  #next(): Timer | undefined {
    let next: Timer | undefined
    for (const timer of this.#timers) if (!next || timer.dueMs < next.dueMs) next = timer
    return next
  }
}

/** A stretch of time; its parts add up. */
export interface Duration {
  days?: number
  hours?: number
  minutes?: number
  seconds?: number
  ms?: number
}

/** Adds up the parts of a duration, in milliseconds. */
export const milliseconds = ({ days = 0, hours = 0, minutes = 0, seconds = 0, ms = 0 }: Duration): number =>
  (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1_000 + ms
