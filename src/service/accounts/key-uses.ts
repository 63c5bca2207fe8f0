import type { Clock, Logger } from '../ports'
import type { Store } from '../store/store'

const everyMs = 60_000
const maxAtOnce = 500

/** Collects the keys that are used, and stores their last use once a minute. A request only adds to a set. */
export class KeyUses {
  readonly #parts: { store: Store; clock: Clock; logger: Logger }
  #used = new Set<string>()
  #cancel: (() => void) | undefined

  constructor(parts: { store: Store; clock: Clock; logger: Logger }) {
    this.#parts = parts
  }

  note(keyHash: string): void {
    this.#used.add(keyHash)
    this.#cancel ??= this.#parts.clock.background(everyMs, () => void this.flush())
  }

  /** Stores the collected uses. Never fails: an error only loses times of use. */
  async flush(): Promise<void> {
    const { store, clock, logger } = this.#parts
    this.#cancel?.()
    this.#cancel = undefined
    const hashes = [...this.#used].sort()
    this.#used = new Set()
    const used = { last_used_at: new Date(clock.now()).toISOString() }
    for (let at = 0; at < hashes.length; at += maxAtOnce) {
      const some = hashes.slice(at, at + maxAtOnce)
      await store
        .write((tx) => tx.updateTable('api_keys').set(used).where('key_hash', 'in', some).execute())
        .catch((error) => logger.warn({ error }, 'the last use of keys could not be written down'))
    }
  }
}
