import { type MessagePorts, searchTopic } from '../messages'
import { accountsToIndex, indexMessages } from './search'

/** Mail that has just come is first of all delivered; a search takes in by itself what it lacks. */
const quietMs = 2_000
const maxDelayMs = 30_000
const maxAccounts = 100
/** The time that it rests for each that it works, while mail keeps coming. */
const restFactor = 9

/** Takes new messages into the search index, once their account is quiet, so that a search need not wait. */
export class SearchIndexer {
  readonly #ports: MessagePorts
  readonly #unsubscribe: () => void
  #cancel: (() => void) | undefined
  #wokenAtMs: number | undefined
  #lastWakeMs = 0
  #endRest = () => {}
  #running: Promise<void> = Promise.resolve()
  #closed = false

  constructor(ports: MessagePorts) {
    this.#ports = ports
    this.#unsubscribe = ports.signals.subscribe(searchTopic, () => this.#wake())
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
    const now = this.#ports.clock.now()
    this.#wokenAtMs ??= now
    this.#lastWakeMs = now
    this.#cancel?.()
    if (this.#closed) return
    const delayMs = Math.max(0, Math.min(quietMs, this.#wokenAtMs + maxDelayMs - now))
    this.#cancel = this.#ports.clock.after(delayMs, () => {
      this.#wokenAtMs = undefined
      this.#running = this.#running.then(() => this.#run())
    })
  }

  /** Pauses that leave mail the time it needs: short ones once nothing comes any more. */
  #pacer(): () => Promise<boolean> {
    let startedMs = performance.now()
    return async () => {
      const workedMs = performance.now() - startedMs
      const isQuiet = this.#ports.clock.now() - this.#lastWakeMs >= quietMs
      await new Promise<void>((resolve) => {
        this.#endRest = resolve
        if (this.#closed) resolve()
        else if (isQuiet) setImmediate(resolve)
        else this.#ports.clock.after(workedMs * restFactor, resolve)
      })
      startedMs = performance.now()
      return !this.#closed
    }
  }

  async #run(): Promise<void> {
    try {
      for (;;) {
        const accounts = await accountsToIndex(this.#ports, maxAccounts)
        for (const tenantId of accounts) {
          if (this.#closed) return
          await indexMessages(this.#ports, tenantId, this.#pacer())
        }
        if (accounts.length < maxAccounts) return
      }
    } catch (error) {
      this.#ports.logger.error({ error }, 'messages could not be taken into the search index')
    }
  }
}
