import type { Clock } from '../../../src/protocol/time/clock'

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

/** Lets everything that waits for no timer happen. */
export const settle = async (turns = 4): Promise<void> => {
  for (let count = 0; count < turns; count += 1) await turn()
}

/** Waits until something is so, without a clock; fails after many turns of the event loop. */
export const until = async (condition: () => boolean): Promise<void> => {
  for (let count = 0; !condition(); count += 1) {
    if (count > 2_000) throw new Error(`never so: ${condition}`)
    await turn()
  }
}

/** A clock that moves only by `advance`. */
export class FakeClock implements Clock {
  #nowMs = Date.parse('2026-01-31T12:00:00Z')
  #timers: { dueMs: number; callback: () => void }[] = []
  /** The number that `random` answers. */
  chance = 0.5

  now(): number {
    return this.#nowMs
  }

  random(): number {
    return this.chance
  }

  get pending(): number {
    return this.#timers.length
  }

  after(delayMs: number, callback: () => void): () => void {
    const timer = { dueMs: this.#nowMs + delayMs, callback }
    this.#timers.push(timer)
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer)
    }
  }

  background(delayMs: number, callback: () => void): () => void {
    return this.after(delayMs, callback)
  }

  /** Moves on at once, as after a sleep of the machine: what became due meanwhile is called once. */
  jump(byMs: number): void {
    this.#nowMs += byMs
    const due = this.#timers.filter(({ dueMs }) => dueMs <= this.#nowMs)
    this.#timers = this.#timers.filter(({ dueMs }) => dueMs > this.#nowMs)
    for (const { callback } of due) callback()
  }

  /** Moves on, timer by timer, letting the consequences of each happen. */
  async advance(byMs: number): Promise<void> {
    const endMs = this.#nowMs + byMs
    for (;;) {
      await settle()
      const next = this.#timers.sort((one, other) => one.dueMs - other.dueMs)[0]
      if (!next || next.dueMs > endMs) break
      this.#timers = this.#timers.filter((other) => other !== next)
      this.#nowMs = Math.max(this.#nowMs, next.dueMs)
      next.callback()
    }
    this.#nowMs = endMs
  }
}
