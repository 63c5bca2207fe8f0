import { searchTopic } from '../../messages'
import type { Clock, Signals } from '../../ports'

/** Call it a lull once no mail has come for so long. */
const lullMs = 100
/** Wait no longer for the end of a rush: what lasts longer may go on all day. */
const longestRushMs = 60_000

/** Waits for lulls in the mail: a thread that learns takes a core from it for milliseconds, whatever its priority. */
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

  /** Resolves in the next lull, or once the rush has lasted a minute. */
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
