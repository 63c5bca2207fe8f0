import { searchTopic } from '../messages/add-message'
import {
  accountsToIndex,
  accountsToReindex,
  accountsToTidy,
  type IndexPorts,
  indexMessages,
  maxAtOnce,
  reindexSome,
  type SplitWords,
  splitHere,
  tidyUp,
} from './index-messages'
import { mergeSegments } from './segments/merging'
import { inSlices, type Pause, sliceMs } from './segments/pauses'
import type { SearchThreads } from './semantic/threads'

/**
 * Idle time in ms after which new messages are indexed: delivery comes first, and a search indexes what it
 * lacks.
 */
const quietMs = 1_000
const maxDelayMs = 2_000
const maxAccounts = 100
/** Time in ms after which a run that could not do everything is repeated. */
const againMs = 120_000
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
  readonly #ports: IndexPorts
  readonly #threads: Pick<SearchThreads, 'background'>
  readonly #unsubscribe: () => void
  #cancel: (() => void) | undefined
  #cancelAgain: (() => void) | undefined
  /** Runs that wait for the current one. */
  #runsWaiting = 0
  #wokenAtMs: number | undefined
  #lastWakeMs = 0
  #waitedMs = 0
  #endRest = () => {}
  #running: Promise<void> = Promise.resolve()
  #closed = false

  constructor(ports: IndexPorts, threads: Pick<SearchThreads, 'background'>) {
    this.#ports = ports
    this.#threads = threads
    this.#unsubscribe = ports.signals.subscribe(searchTopic, () => this.#wake())
    this.#wake()
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#unsubscribe()
    this.#cancel?.()
    this.#cancelAgain?.()
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
    this.#cancel = this.#ports.clock.background(delayMs, () => {
      this.#wokenAtMs = undefined
      this.#runNext()
    })
  }

  /** Runs once the current run has ended. */
  #runNext(): void {
    this.#runsWaiting++
    this.#running = this.#running.then(() => {
      this.#runsWaiting--
      return this.#run()
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
  readonly #splitWords: SplitWords = async (messages, pause, waitedMs) => {
    this.#waitedMs = waitedMs
    if (messages.length === maxAtOnce && !this.#isHurried)
      try {
        return await this.#threads.background('split', messages)
      } catch (error) {
        if (this.#closed) return null
        this.#ports.logger.warn({ error }, 'the thread that splits messages into words failed')
      }
    return splitHere(messages, pause)
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
        const accounts = await accountsToIndex(this.#ports, maxAccounts)
        let isWell = true
        for (const { tenantId, isScattered } of this.#fromAnywhere(accounts)) {
          if (this.#closed) return
          const isDone = await this.#attempt(tenantId, async () => {
            // Another node that has indexed also tidies up; a search that has does not.
            if ((await this.#index(tenantId)) || isScattered) await this.#tidyUp(tenantId)
          })
          isWell &&= isDone
        }
        if (accounts.length < maxAccounts || !isWell) break
      }
      await this.#tidy()
      await this.#reindex()
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
  async #index(tenantId: string): Promise<boolean> {
    try {
      return await indexMessages(this.#ports, tenantId, this.#inSlices(), this.#splitWords)
    } finally {
      this.#waitedMs = 0
    }
  }

  /**
   * Indexes outdated messages again, some of each account in turn, until new ones wait. An account that fails
   * is tried again later.
   */
  async #reindex(): Promise<void> {
    const failed = new Set<string>()
    for (;;) {
      const accounts = await accountsToReindex(this.#ports, maxAccounts)
      let isDone = true
      for (const tenantId of this.#fromAnywhere(accounts)) {
        if (failed.has(tenantId)) continue
        if (this.#closed || this.#wokenAtMs !== undefined || this.#runsWaiting > 0) return
        const isWell = await this.#attempt(tenantId, async () => {
          const pause = this.#inSlices()
          if (!(await reindexSome(this.#ports, tenantId, pause, this.#splitWords))) return
          await mergeSegments(this.#ports, tenantId, pause)
          isDone = false
        })
        if (!isWell) failed.add(tenantId)
      }
      if (isDone) break
    }
    if (failed.size > 0) this.#runAgain()
  }

  /** Runs again later, for what could not be done now. */
  #runAgain(): void {
    if (this.#closed) return
    this.#cancelAgain ??= this.#ports.clock.after(againMs, () => {
      this.#cancelAgain = undefined
      this.#runNext()
    })
  }

  /** Removes the words of erased messages, and runs again later while some must wait. */
  async #tidy(): Promise<void> {
    for (const tenantId of await accountsToTidy(this.#ports)) {
      if (this.#closed) return
      await this.#attempt(tenantId, () => this.#tidyUp(tenantId))
    }
    const rest = await accountsToTidy(this.#ports)
    if (rest.length > 0) this.#runAgain()
  }
}
