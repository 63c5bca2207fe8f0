import { boundedMap } from '../base/bounded-map'
import type { Clock } from '../ports'

/** Maximum number of attempts within a window. */
export interface Allowance {
  max: number
  /** In seconds. */
  window: number
}

/** Counts attempts by name, in fixed windows of the service's clock. */
export class Attempts {
  readonly #clock: Clock
  readonly #counts = boundedMap<{ count: number; untilMs: number }>(20_000)

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Forgets the attempts under a name. */
  forget(name: string): void {
    this.#counts.delete(name)
  }

  /** Counts one attempt. @returns Seconds to wait if the limit is reached, else null */
  consume(name: string, { max, window }: Allowance): number | null {
    const nowMs = this.#clock.now()
    const held = this.#counts.get(name)
    const entry = held && held.untilMs > nowMs ? held : { count: 0, untilMs: nowMs + window * 1_000 }
    this.#counts.set(name, entry)
    if (entry.count >= max) return Math.ceil((entry.untilMs - nowMs) / 1_000)
    entry.count++
    return null
  }
}
