import { type OneThread, oneThread } from '../base'
import { searchTopic } from '../messages'
import { inSlices, type Pause, sliceMs } from './segments'
import {
  accountsToTakeIn,
  accountsToTidy,
  maxAtOnce,
  type TakeApart,
  type TakeInPorts,
  takeApartHere,
  takeIn,
  tidyUp,
} from './take-in'
import type { IndexedTexts } from './terms'
import type { IndexedWords } from './words'

/**
 * Idle time in ms after which new messages are indexed: delivery comes first, and a search indexes what it
 * lacks.
 */
const quietMs = 1_000
const maxDelayMs = 2_000
const maxAccounts = 100
/** Time in ms after which merged and erased segments are checked again. */
const tidyAgainMs = 120_000
/** Rest in ms after each slice of work while messages keep coming: four fifths of the time. */
const restMs = 2
/** Wait in ms of messages after which the rests end: otherwise the backlog could grow forever. */
const hurryAfterMs = 2_500
/** Additional wait in ms for which a turn gets one more slice, up to `maxSlices`. */
const longerEachMs = 150
const maxSlices = 10
/** Wait in ms beyond which turns are not longer: old messages must not slow new ones. */
const oldMs = 60_000

/** Indexes new messages once their account is idle, so that a search need not wait. */
export class SearchIndexer {
  readonly #ports: TakeInPorts
  readonly #thread: OneThread<readonly IndexedTexts[], IndexedWords> = oneThread('#words-thread')
  readonly #unsubscribe: () => void
  #cancel: (() => void) | undefined
  #cancelTidy: (() => void) | undefined
  #wokenAtMs: number | undefined
  #lastWakeMs = 0
  #waitedMs = 0
  #endRest = () => {}
  #running: Promise<void> = Promise.resolve()
  #closed = false

  constructor(ports: TakeInPorts) {
    this.#ports = ports
    this.#unsubscribe = ports.signals.subscribe(searchTopic, () => this.#wake())
    this.#wake()
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#unsubscribe()
    this.#cancel?.()
    this.#cancelTidy?.()
    this.#endRest()
    await Promise.all([this.#running, this.#thread.close()])
  }

  #wake(): void {
    const now = this.#ports.clock.now()
    this.#wokenAtMs ??= now
    this.#lastWakeMs = now
    this.#cancel?.()
    if (this.#closed) return
    const delayMs = Math.max(0, Math.min(quietMs, this.#wokenAtMs + maxDelayMs - now))
    this.#cancel = this.#ports.clock.background(delayMs, () => {
      this.#wokenAtMs = undefined
      this.#running = this.#running.then(() => this.#run())
    })
  }

  get #isHurried(): boolean {
    return this.#waitedMs > hurryAfterMs
  }

  /** Leaves time for new messages: little once none come any more, or many wait. */
  readonly #rest: Pause = async () => {
    const isQuiet = this.#ports.clock.now() - this.#lastWakeMs >= quietMs
    await new Promise<void>((resolve) => {
      this.#endRest = resolve
      if (this.#closed) resolve()
      else if (isQuiet || this.#isHurried) setImmediate(resolve)
      else this.#ports.clock.background(restMs, resolve)
    })
    return !this.#closed
  }

  /** Makes turns longer the longer messages have waited, so that indexing keeps up. */
  #inSlices(): Pause {
    const slices = () => {
      if (!this.#isHurried || this.#waitedMs > oldMs) return 1
      return Math.min(maxSlices, 1 + (this.#waitedMs - hurryAfterMs) / longerEachMs)
    }
    return inSlices(this.#rest, () => sliceMs * slices())
  }

  /**
   * Tokenizes a full batch in a thread, so that new messages do not wait; a few messages need no thread. A
   * batch that has waited long is tokenized here.
   */
  readonly #takeApart: TakeApart = async (messages, pause, waitedMs) => {
    this.#waitedMs = waitedMs
    if (messages.length === maxAtOnce && !this.#isHurried)
      try {
        return await this.#thread.run(messages)
      } catch (error) {
        if (this.#closed) return null
        this.#ports.logger.warn({ error }, 'the thread that takes messages apart failed')
      }
    return takeApartHere(messages, pause)
  }

  /**
   * Starts at a random account: nodes woken together would all process the same one, and all but one in vain.
   */
  #fromAnywhere<One>(accounts: readonly One[]): One[] {
    const at = Math.floor(this.#ports.clock.random() * accounts.length)
    return [...accounts.slice(at), ...accounts.slice(0, at)]
  }

  async #run(): Promise<void> {
    try {
      for (;;) {
        const accounts = await accountsToTakeIn(this.#ports, maxAccounts)
        let isWell = true
        for (const { tenantId, isScattered } of this.#fromAnywhere(accounts)) {
          if (this.#closed) return
          const isDone = await this.#attempt(tenantId, async () => {
            // Another node that has indexed also tidies up; a search that has does not.
            if ((await this.#takeIn(tenantId)) || isScattered) await this.#tidyUp(tenantId)
          })
          isWell &&= isDone
        }
        if (accounts.length < maxAccounts || !isWell) break
      }
      await this.#tidy()
    } catch (error) {
      this.#ports.logger.error({ error }, 'the search index could not be maintained')
    }
  }

  /** Runs work for an account. Returns false if it failed: other accounts continue. */
  async #attempt(tenantId: string, work: () => Promise<void>): Promise<boolean> {
    try {
      await work()
      return true
    } catch (error) {
      this.#ports.logger.error({ error, tenantId }, 'the search index of an account could not be maintained')
      return false
    }
  }

  #tidyUp(tenantId: string): Promise<void> {
    return tidyUp(this.#ports, tenantId, this.#inSlices())
  }

  /** Returns false if there was nothing to index. */
  async #takeIn(tenantId: string): Promise<boolean> {
    try {
      return await takeIn(this.#ports, tenantId, this.#inSlices(), this.#takeApart)
    } finally {
      this.#waitedMs = 0
    }
  }

  /** Removes the words of erased messages, and runs again later while some must wait. */
  async #tidy(): Promise<void> {
    for (const tenantId of await accountsToTidy(this.#ports)) {
      if (this.#closed) return
      await this.#attempt(tenantId, () => this.#tidyUp(tenantId))
    }
    const rest = await accountsToTidy(this.#ports)
    if (rest.length === 0 || this.#closed || this.#cancelTidy) return
    this.#cancelTidy = this.#ports.clock.after(tidyAgainMs, () => {
      this.#cancelTidy = undefined
      this.#running = this.#running.then(() => this.#run())
    })
  }
}
