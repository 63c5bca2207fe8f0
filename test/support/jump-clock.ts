import type { Clock } from 'restante/service'

/** A clock that moves only by `jump`: what became due meanwhile is called once, as after a sleep of the machine. */
export class JumpClock implements Clock {
  #nowMs: number
  #timers: { dueMs: number; callback: () => void }[] = []

  constructor(nowMs = Date.now()) {
    this.#nowMs = nowMs
  }

  now(): number {
    return this.#nowMs
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

  random(): number {
    return Math.random()
  }

  /** Counts the timers that are due after exactly this time. */
  timersIn(delayMs: number): number {
    return this.#timers.filter(({ dueMs }) => dueMs === this.#nowMs + delayMs).length
  }

  jump(byMs: number): void {
    this.#nowMs += byMs
    const due = this.#timers.filter(({ dueMs }) => dueMs <= this.#nowMs)
    this.#timers = this.#timers.filter(({ dueMs }) => dueMs > this.#nowMs)
    for (const { callback } of due) callback()
  }
}
