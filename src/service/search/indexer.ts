import type { Core } from '../core/context'
import { accountsToIndex, indexMessages, searchTopic } from '../core/search'

/** Mail that has just come is first of all delivered; a search takes in by itself what it lacks. */
const quietMs = 2_000
const latestMs = 30_000
const mostAccounts = 100
/** How much longer it rests than it works, while mail keeps coming. */
const restFactor = 9

/** Takes new messages into the search index, once their account is quiet, so that a search need not wait. */
export class SearchIndexer {
  readonly #core: Core
  readonly #unsubscribe: () => void
  #cancel: (() => void) | undefined
  #wokenAtMs: number | undefined
  #lastWakeMs = 0
  #endRest = () => {}
  #running: Promise<void> = Promise.resolve()
  #closed = false

  constructor(core: Core) {
    this.#core = core
    this.#unsubscribe = core.signals.subscribe(searchTopic, () => this.#wake())
    this.#wake()
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#unsubscribe()
    this.#cancel?.()
    this.#endRest()
    await this.#running
  }

  #wake(): void {
    const now = this.#core.clock.now()
    this.#wokenAtMs ??= now
    this.#lastWakeMs = now
    this.#cancel?.()
    if (this.#closed) return
    const delayMs = Math.max(0, Math.min(quietMs, this.#wokenAtMs + latestMs - now))
    this.#cancel = this.#core.clock.after(delayMs, () => {
      this.#wokenAtMs = undefined
      this.#running = this.#running.then(() => this.#run())
    })
  }

  /** Pauses that leave mail the time it needs: short ones once nothing comes any more. */
  #pacer(): () => Promise<boolean> {
    let startedMs = performance.now()
    return async () => {
      const workedMs = performance.now() - startedMs
      const isQuiet = this.#core.clock.now() - this.#lastWakeMs >= quietMs
      await new Promise<void>((resolve) => {
        this.#endRest = resolve
        if (this.#closed) resolve()
        else if (isQuiet) setImmediate(resolve)
        else this.#core.clock.after(workedMs * restFactor, resolve)
      })
      startedMs = performance.now()
      return !this.#closed
    }
  }

  async #run(): Promise<void> {
    try {
      for (;;) {
        const accounts = await accountsToIndex(this.#core, mostAccounts)
        for (const tenantId of accounts) {
          if (this.#closed) return
          await indexMessages(this.#core, tenantId, this.#pacer())
        }
        if (accounts.length < mostAccounts) return
      }
    } catch (error) {
      this.#core.logger.error({ error }, 'messages could not be taken into the search index')
    }
  }
}
