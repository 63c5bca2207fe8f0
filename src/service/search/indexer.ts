import type { Core } from '../core/context'
import { accountsToIndex, indexMessages, searchTopic } from '../core/search'

/** Mail that has just come is first of all delivered; a search takes in by itself what it lacks. */
const quietMs = 2_000
const latestMs = 30_000
const mostAccounts = 100

/** Takes new messages into the search index, once their account is quiet, so that a search need not wait. */
export class SearchIndexer {
  readonly #core: Core
  readonly #unsubscribe: () => void
  #cancel: (() => void) | undefined
  #wokenAtMs: number | undefined
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
    await this.#running
  }

  #wake(): void {
    const now = this.#core.clock.now()
    this.#wokenAtMs ??= now
    this.#cancel?.()
    if (this.#closed) return
    const delayMs = Math.max(0, Math.min(quietMs, this.#wokenAtMs + latestMs - now))
    this.#cancel = this.#core.clock.after(delayMs, () => {
      this.#wokenAtMs = undefined
      this.#running = this.#running.then(() => this.#run())
    })
  }

  async #run(): Promise<void> {
    try {
      for (;;) {
        const accounts = await accountsToIndex(this.#core, mostAccounts)
        for (const tenantId of accounts) {
          if (this.#closed) return
          await indexMessages(this.#core, tenantId)
        }
        if (accounts.length < mostAccounts) return
      }
    } catch (error) {
      this.#core.logger.error({ error }, 'messages could not be taken into the search index')
    }
  }
}
