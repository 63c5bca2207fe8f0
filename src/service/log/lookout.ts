import { idle } from '../../protocol/time'
import type { Clock } from '../ports'
import { pollEveryMs } from './poller'

/** Hears what there is of a key now; undefined where there is nothing, or it could not be asked for. */
type Look<State> = (state: State | undefined) => void

/** The keys of one statement. */
const maxAtOnce = 1_000

/**
 * Looks every few seconds, for all who wait, at what they wait for, by one statement: a lost wake-up costs time only, and
 * a look costs the database the same for one reader as for hundreds. Whoever is told what it did not know looks closer by
 * itself, and so does everybody where the look fails. With nobody there it looks at nothing.
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

  /** Tells `look` of the key from now on; the returned function ends that. */
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
      // Who has left meanwhile is told nothing.
      for (const { key, looks } of some)
        for (const look of looks) if (this.#waiting.get(key)?.has(look)) look(states.get(key))
    }
  }
}
