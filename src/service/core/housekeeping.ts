import type { Core } from './context'
import { eraseExpiredAccounts, shortenLogs } from './retention'
import { dropOldPolicies } from './transport-policies'

const everyMs = 60 * 60_000

/** Looks at the start and every hour for what has been kept long enough. */
export class Housekeeper {
  readonly #core: Core
  #cancel = () => {}
  #running: Promise<void>
  #closed = false

  constructor(core: Core) {
    this.#core = core
    this.#running = this.#run()
  }

  /** Lets what runs come to its end. */
  async close(): Promise<void> {
    this.#closed = true
    this.#cancel()
    await this.#running
  }

  async #run(): Promise<void> {
    for (const work of [shortenLogs, dropOldPolicies, eraseExpiredAccounts])
      await work(this.#core).catch((error) =>
        this.#core.logger.error({ error }, 'what was kept long enough could not be removed'),
      )
    if (this.#closed) return
    this.#cancel = this.#core.clock.after(everyMs, () => {
      this.#running = this.#run()
    })
  }
}
