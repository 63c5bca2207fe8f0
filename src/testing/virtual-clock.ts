import type { OptionNames } from '../protocol/options'
import type { Clock } from '../protocol/time/clock'

/** Returns a generator of numbers from 0 to 1 that depend on the seed alone (mulberry32). */
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
  dueMs: number
  readonly callback: (skippedMs?: number) => void
  /** For an idle timer: its period, the time at which it was set, and the time skipped since. */
  readonly idle?: {
    readonly everyMs: number
    readonly setMs: number
    skippedMs: number
  }
}

/** Options of a {@link VirtualClock}. */
interface VirtualClockOptions {
  /** Milliseconds since 1970. */
  nowMs: number
  /** Seed of its randomness. */
  seed: number
  /** Called whenever a timer is set, called or cancelled. */
  onChange?: (() => void) | undefined
}

/**
 * A clock that moves only on request, for the service and the mailbox alike.
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
  /** Time of the last activity. An idle timer that was set since then has nothing new to find. */
  #stirredMs: number
  #stirs = 0

  /** @internal */
  constructor({ nowMs, seed, onChange = () => {} }: VirtualClockOptions) {
    this.#nowMs = nowMs
    this.#stirredMs = nowMs
    this.random = seededRandom(seed)
    this.#onChange = onChange
  }

  now(): number {
    return this.#nowMs
  }

  after(delayMs: number, callback: () => void): () => void {
    this.stir()
    return this.#set({ dueMs: this.#nowMs + Math.max(0, delayMs), callback })
  }

  background(delayMs: number, callback: () => void): () => void {
    return this.after(delayMs, callback)
  }

  idle(delayMs: number, callback: (skippedMs?: number) => void): () => void {
    const everyMs = Math.max(1, delayMs)
    const idle = { everyMs, setMs: this.#nowMs, skippedMs: 0 }
    return this.#set({ dueMs: this.#nowMs + everyMs, callback, idle })
  }

  #set(timer: Timer): () => void {
    this.#timers.add(timer)
    this.#onChange()
    return () => {
      if (this.#timers.delete(timer)) this.#onChange()
    }
  }

  /**
   * Moves to the next timer that is due by then, and calls it. If there is none, moves to that time and
   * returns false. Idle timers set since the last activity are skipped until `wakeMs`, when they may find
   * something.
   *
   * @internal
   */
  step(untilMs: number, wakeMs = Number.POSITIVE_INFINITY): boolean {
    const next = this.#next()
    const nextMs = Math.min(untilMs, next?.dueMs ?? untilMs)
    if (wakeMs <= nextMs) {
      this.#nowMs = Math.max(this.#nowMs, wakeMs)
      this.stir()
      return true
    }
    if (!next || next.dueMs > untilMs) {
      this.#nowMs = Math.max(this.#nowMs, untilMs)
      return false
    }
    this.#nowMs = Math.max(this.#nowMs, next.dueMs)
    this.#timers.delete(next)
    this.#onChange()
    if (!next.idle) this.stir()
    next.callback(next.idle?.skippedMs)
    return true
  }

  /**
   * Notes activity: each skipped idle timer is due again, at its next regular time.
   *
   * @internal
   */
  stir(): void {
    for (const timer of this.#timers) {
      const lateMs = this.#nowMs - timer.dueMs
      if (!timer.idle || !this.#isAtRest(timer) || lateMs <= 0) continue
      const { everyMs } = timer.idle
      const leftOutMs = Math.ceil(lateMs / everyMs) * everyMs
      timer.dueMs += leftOutMs
      timer.idle.skippedMs += leftOutMs
    }
    this.#stirredMs = this.#nowMs
    this.#stirs += 1
  }

  /**
   * Counts activity: earlier findings hold until it grows.
   *
   * @internal
   */
  get stirs(): number {
    return this.#stirs
  }

  #isAtRest({ idle }: Timer): boolean {
    return idle !== undefined && idle.setMs > this.#stirredMs
  }

  /**
   * Moves on at once, as when the machine sleeps. {@link step} then calls the timers that became due, late.
   *
   * @internal
   */
  jump(byMs: number): void {
    this.stir()
    this.#nowMs += byMs
    this.#onChange()
  }

  /** Returns the timer that is due first and not skipped; among equal times, the one that was set first. */
  #next(): Timer | undefined {
    let next: Timer | undefined
    for (const timer of this.#timers)
      if (!this.#isAtRest(timer) && (!next || timer.dueMs < next.dueMs)) next = timer
    return next
  }
}

/** A duration; its parts add up. */
export interface Duration {
  days?: number | undefined
  hours?: number | undefined
  minutes?: number | undefined
  seconds?: number | undefined
  ms?: number | undefined
}

export const durationNames: OptionNames<Duration> = {
  ...{ days: 'number', hours: 'number', minutes: 'number', seconds: 'number', ms: 'number' },
}

/** Adds up the parts of a duration, in milliseconds. */
export const milliseconds = ({ days = 0, hours = 0, minutes = 0, seconds = 0, ms = 0 }: Duration): number =>
  (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1_000 + ms
