import { searchTopic } from '../../messages/add-message'
import type { Clock, Signals } from '../../ports'

/** Idle time in ms after which inbound traffic counts as quiet. */
const idleMs = 100
/** Maximum wait in ms for the end of a burst: a longer one may last all day. */
const maxBurstMs = 60_000

/**
 * Waits for idle periods of inbound traffic: an embedding thread takes a core from it for milliseconds,
 * despite its priority.
 */
export class IdlePeriods {
  readonly #clock: Clock
  readonly #unsubscribe: () => void
  #arrivedAtMs = Number.NEGATIVE_INFINITY
  #burstSinceMs = Number.NEGATIVE_INFINITY
  readonly #endWaits = new Set<() => void>()
  #closed = false

  constructor({ clock, signals }: { readonly clock: Clock; readonly signals: Signals }) {
    this.#clock = clock
    this.#unsubscribe = signals.subscribe(searchTopic, () => {
      const now = clock.now()
      if (now - this.#arrivedAtMs >= idleMs) this.#burstSinceMs = now
      this.#arrivedAtMs = now
    })
  }

  /** Resolves in the next idle period, or once the burst has lasted a minute; false once it is closed. */
  readonly wait = async (): Promise<boolean> => {
    while (!this.#closed) {
      const now = this.#clock.now()
      if (now - this.#arrivedAtMs >= idleMs || now - this.#burstSinceMs >= maxBurstMs) return true
      await new Promise<void>((resolve) => {
        const end = () => {
          cancel()
          this.#endWaits.delete(end)
          resolve()
        }
        const cancel = this.#clock.background(idleMs, end)
        this.#endWaits.add(end)
      })
    }
    return false
  }

  close(): void {
    this.#closed = true
    this.#unsubscribe()
    for (const end of this.#endWaits) end()
  }
}
