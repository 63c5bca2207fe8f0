import { idle } from '../../protocol/time/clock'
import type { Clock } from '../ports'
import { pollEveryMs } from './poller'

/** Receives the current state of a key; undefined if there is none, or the read failed. */
type Look<State> = (state: State | undefined) => void

/** Keys in one statement. */
const maxAtOnce = 1_000

/**
 * Polls the state of all waited-for keys every few seconds with one statement. A lost wake-up costs only
 * time, and one reader costs the database as much as hundreds. Listeners decide whether to read more; they
 * also do so if the poll fails. Without listeners it does not poll.
 */
export class Lookout<State> {
  readonly #clock: Clock
  readonly #read: (keys: readonly string[]) => Promise<ReadonlyMap<string, State>>
  readonly #waiting = new Map<string, Set<Look<State>>>()
  #looking = false
  #cancel: (() => void) | undefined

  constructor(clock: Clock, read: (keys: readonly string[]) => Promise<ReadonlyMap<string, State>>) {
    this.#clock = clock
    this.#read = read
  }

  /** Reports the state of the key to `look` from now on, until the returned function is called. */
  add(key: string, look: Look<State>): () => void {
    const looks = this.#waiting.get(key) ?? new Set()
    this.#waiting.set(key, looks.add(look))
    this.#cancel ??= idle(this.#clock, pollEveryMs, () => this.#again())
    return () => {
      looks.delete(look)
      if (looks.size === 0 && this.#waiting.get(key) === looks) this.#waiting.delete(key)
      if (this.#waiting.size > 0) return
      this.#cancel?.()
      this.#cancel = undefined
    }
  }

  #again(): void {
    this.#cancel = idle(this.#clock, pollEveryMs, () => this.#again())
    if (this.#looking) return
    this.#looking = true
    void this.#lookAtAll().finally(() => {
      this.#looking = false
    })
  }

  async #lookAtAll(): Promise<void> {
    const waiting = [...this.#waiting].map(([key, looks]) => ({ key, looks: [...looks] }))
    for (let at = 0; at < waiting.length; at += maxAtOnce) {
      const some = waiting.slice(at, at + maxAtOnce)
      const states = await this.#read(some.map(({ key }) => key)).catch(() => new Map<string, State>())
      // Listeners that left meanwhile are not called.
      for (const { key, looks } of some)
        for (const look of looks) if (this.#waiting.get(key)?.has(look)) look(states.get(key))
    }
  }
}
