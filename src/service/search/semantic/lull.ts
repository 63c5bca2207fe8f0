import { searchTopic } from '../../messages'
import type { Clock, Signals } from '../../ports'

/** Idle time in ms after which inbound traffic counts as quiet. */
const lullMs = 100
/** Maximum wait in ms for the end of a burst: a longer one may last all day. */
const longestRushMs = 60_000

/**
 * Waits for idle periods of inbound traffic: a learning thread takes a core from it for milliseconds, despite
 * its priority.
 */
export class Lulls {
  readonly #clock: Clock
  readonly #unsubscribe: () => void
  #cameAtMs = Number.NEGATIVE_INFINITY
  #rushSinceMs = Number.NEGATIVE_INFINITY
  readonly #endWaits = new Set<() => void>()
  #closed = false

  constructor({ clock, signals }: { readonly clock: Clock; readonly signals: Signals }) {
    this.#clock = clock
    this.#unsubscribe = signals.subscribe(searchTopic, () => {
      const now = clock.now()
      if (now - this.#cameAtMs >= lullMs) this.#rushSinceMs = now
      this.#cameAtMs = now
    })
  }

  /** Resolves in the next idle period, or once the burst has lasted a minute. */
  readonly wait = async (): Promise<void> => {
    while (!this.#closed) {
      const now = this.#clock.now()
      if (now - this.#cameAtMs >= lullMs || now - this.#rushSinceMs >= longestRushMs) return
      await new Promise<void>((resolve) => {
        const end = () => {
          cancel()
          this.#endWaits.delete(end)
          resolve()
        }
        const cancel = this.#clock.background(lullMs, end)
        this.#endWaits.add(end)
      })
    }
  }

  close(): void {
    this.#closed = true
    this.#unsubscribe()
    for (const end of this.#endWaits) end()
  }
}
