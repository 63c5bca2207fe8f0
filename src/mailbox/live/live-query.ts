/*
 * A list that stays equal to the service's. It reads its first rows, then follows the log:
 *
 * ```
 *           first watcher                page read, and the log applied up to it
 *   idle ─────────────────▶ reading ──────────────────────────────────────────▶ following
 *    ▲                        ▲ │                                                 │   │
 *    │                        │ └─ failed: after a while ─┐   rows spoiled, gap ──┘   │
 *    │                        └───────────────────────────┴──────────┘                │
 *    └───────────────────────────── last watcher left ────────────────────────────────┘
 * ```
 *
 * A result stays visible until the next one is complete.
 */

import { onAbort } from '../../client/abort'
import { isTransient, retryPauseMs } from '../../client/retry'
import { HandlerError, isRestanteError, type RestanteError } from '../../protocol/errors/error'
import type { Event } from '../../protocol/records/event'
import type { Clock } from '../../protocol/time/clock'
import { type LiveRecord, type LiveRows, type LiveRules, rowsAfter, rowsOfPage } from './live-rows'

/** Successive results of a live query, by iteration or by `subscribe` and `getSnapshot`. */
export interface LiveQuery<Item> extends AsyncIterableIterator<readonly Item[], undefined>, AsyncDisposable {
  /**
   * Calls the listener after each new result, until the returned function is called. React's
   * `useSyncExternalStore` accepts it and `getSnapshot`; neither needs `this`.
   *
   * @example
   * ```ts
   * const { subscribe, getSnapshot } = mailbox.threads.watch({ label: 'urgent' })
   * const stop = subscribe(() => console.log(getSnapshot()?.length))
   * ```
   */
  readonly subscribe: (listener: () => void) => () => void
  /**
   * Returns the last result; the same array as long as nothing in it changes. Undefined before the first.
   *
   * @example
   * ```ts
   * const drafts = mailbox.drafts.watch()
   * const stop = drafts.subscribe(() => {})
   * console.log(drafts.getSnapshot()?.length ?? 'not read yet')
   * ```
   */
  readonly getSnapshot: () => readonly Item[] | undefined
  return(): Promise<IteratorResult<readonly Item[], undefined>>
  [Symbol.asyncIterator](): LiveQuery<Item>
}

/** The parts of its mailbox that a live query uses. */
export interface LiveContext {
  readonly clock: Clock
  /** Newest known position of the log, and the distance of the cursor from it. */
  position(): { readonly head: number; readonly lag: number }
  /** Resolves once the log is applied up to its current end. */
  level(signal: AbortSignal): Promise<void>
  add(query: LiveWatcher): void
  remove(query: LiveWatcher): void
  onError(error: RestanteError): void
}

/** Interface by which the mailbox notifies a live query. */
export interface LiveWatcher {
  apply(event: Event): void
  /** The cursor has reached the end of the log. */
  levelled(): void
  /** Reads all rows again: the log has a gap, and earlier reads are void. */
  reset(): void
  /** Ends the query, with an error if one is given. */
  end(failure?: { readonly error: unknown }): void
}

/** Rules of one live query, and the function that reads it. */
export interface LiveSource<R extends LiveRecord, Item> {
  readonly rules: LiveRules<R>
  /** Reads as many records as the rules allow. */
  read(signal: AbortSignal): Promise<{ readonly records: readonly R[]; readonly more: boolean }>
  toItem(record: R): Item
  /** Ends the iterator at once: it throws the signal's reason. */
  readonly signal: AbortSignal | undefined
}

type Result<Item> = IteratorResult<readonly Item[], undefined>
interface Waiter<Item> {
  resolve(result: Result<Item>): void
  reject(error: unknown): void
}

const over = { value: undefined, done: true } as const
const maxPending = 1_000

/** {@link LiveQuery} with the methods for its mailbox. */
export class LiveList<R extends LiveRecord, Item> implements LiveQuery<Item>, LiveWatcher {
  readonly #context: LiveContext
  readonly #source: LiveSource<R, Item>
  readonly #listeners = new Set<() => void>()
  /** Visible items by id. */
  #shown = new Map<string, { readonly record: R; readonly item: Item }>()
  #iterating = false
  #waiters: Waiter<Item>[] = []
  /** Null during a read. */
  #list: LiveRows<R> | null = null
  /** Events that arrived during the read. */
  #pending: Event[] = []
  /** Newest known position of the log at the start of the read. */
  #from = 0
  #reading: AbortController | null = null
  #failures = 0
  #cancelRetry: (() => void) | null = null
  #snapshot: readonly Item[] | undefined
  #yielded: readonly Item[] | undefined
  #ended = false
  #failure: { readonly error: unknown } | null = null
  #stopListening = () => {}

  constructor(context: LiveContext, source: LiveSource<R, Item>) {
    this.#context = context
    this.#source = source
    this.#stopListening = onAbort(source.signal, () => this.end({ error: source.signal?.reason }))
  }

  readonly getSnapshot = (): readonly Item[] | undefined => this.#snapshot

  readonly subscribe = (listener: () => void): (() => void) => {
    // A wrapper of its own, so that a listener that is added twice is called twice.
    const own = () => listener()
    this.#listeners.add(own)
    this.#watch()
    return () => {
      this.#listeners.delete(own)
      this.#watch()
    }
  };

  [Symbol.asyncIterator](): this {
    return this
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.return()
  }

  /** Resolves with the newest result, once it differs from the last one yielded. */
  next(): Promise<Result<Item>> {
    return new Promise((resolve, reject) => {
      this.#waiters.push({ resolve, reject })
      this.#iterating = true
      this.#watch()
      this.#serve()
    })
  }

  async return(): Promise<Result<Item>> {
    this.#iterating = false
    this.#yielded = undefined
    for (const { resolve } of this.#waiters.splice(0)) resolve(over)
    this.#watch()
    return over
  }

  async throw(error: unknown): Promise<Result<Item>> {
    await this.return()
    throw error
  }

  apply(event: Event): void {
    if (this.#list) return this.#take(rowsAfter(this.#source.rules, this.#list, event))
    if (!this.#reading || event.seq <= this.#from) return
    if (this.#pending.length >= maxPending) this.#read()
    else this.#pending.push(event)
  }

  levelled(): void {
    if (this.#list) this.#show(this.#list)
    if (this.#cancelRetry) this.#read()
  }

  reset(): void {
    if (this.#isActive) this.#read()
  }

  end(failure?: { readonly error: unknown }): void {
    if (this.#ended) return
    this.#ended = true
    this.#failure = failure ?? null
    this.#stopListening()
    this.#rest()
    this.#serve()
  }

  get #isActive(): boolean {
    return this.#list !== null || this.#reading !== null || this.#cancelRetry !== null
  }

  /** Reads while there are watchers. */
  #watch(): void {
    const watched = this.#iterating || this.#listeners.size > 0
    if (!watched) return this.#rest()
    if (this.#ended || this.#isActive) return
    this.#context.add(this)
    // A closed mailbox ends the query in `add`.
    if (!this.#ended) this.#read()
  }

  #rest(): void {
    this.#context.remove(this)
    this.#stopReading()
  }

  #stopReading(): void {
    this.#cancelRetry?.()
    this.#cancelRetry = null
    this.#reading?.abort()
    this.#reading = this.#list = null
    this.#pending = []
  }

  #take(list: LiveRows<R>): void {
    const changed = list !== this.#list
    this.#list = list
    if (list.spoiled) this.#read()
    else if (changed && this.#context.position().lag === 0) this.#show(list)
  }

  #read(): void {
    this.#stopReading()
    const reading = new AbortController()
    this.#reading = reading
    this.#from = this.#context.position().head
    this.#load(reading.signal).then(
      (list) => {
        if (this.#reading !== reading) return
        this.#reading = null
        this.#failures = 0
        this.#take(list)
      },
      (error) => {
        if (this.#reading === reading) this.#failed(error)
      },
    )
  }

  /**
   * Returns the rows as of the cursor. They were read between two known ends of the log. Events in between
   * are applied again, which has no effect on rows that already include them.
   */
  async #load(signal: AbortSignal): Promise<LiveRows<R>> {
    const { rules } = this.#source
    const { records, more } = await this.#source.read(signal)
    await this.#context.level(signal)
    return this.#pending.reduce(
      (list, event) => rowsAfter(rules, list, event),
      rowsOfPage(rules, records, more),
    )
  }

  #failed(error: unknown): void {
    this.#reading = null
    if (!isTransient(error)) {
      if (isRestanteError(error)) this.#context.onError(error)
      return this.end({ error })
    }
    const { clock } = this.#context
    this.#failures += 1
    this.#cancelRetry = clock.after(retryPauseMs(error, this.#failures, clock), () => this.#read())
  }

  #show({ rows }: LiveRows<R>): void {
    const shown = rows.map(({ record }) => this.#toShow(record))
    this.#shown = new Map(shown.map((one) => [one.record.id, one]))
    const items = shown.map(({ item }) => item)
    const before = this.#snapshot
    if (before?.length !== items.length || items.some((item, at) => item !== before[at])) {
      this.#snapshot = items
      for (const listener of [...this.#listeners]) this.#call(listener)
    }
    this.#serve()
  }

  /** Returns the visible item if its record is unchanged, else a new one. */
  #toShow(record: R): { readonly record: R; readonly item: Item } {
    const shown = this.#shown.get(record.id)
    if (shown?.record === record) return shown
    if (shown && JSON.stringify(shown.record) === JSON.stringify(record)) return { record, item: shown.item }
    return { record, item: this.#source.toItem(record) }
  }

  #call(listener: () => void): void {
    try {
      listener()
    } catch (cause) {
      this.#context.onError(
        new HandlerError('listener_failed', 'a listener of a live query threw: see cause', { cause }),
      )
    }
  }

  #serve(): void {
    const waiter = this.#waiters[0]
    if (!waiter) return
    if (this.#ended) return this.#finish()
    if (!this.#list || this.#snapshot === undefined || this.#snapshot === this.#yielded) return
    this.#yielded = this.#snapshot
    this.#waiters.shift()
    waiter.resolve({ value: this.#snapshot, done: false })
  }

  #finish(): void {
    for (const { resolve, reject } of this.#waiters.splice(0)) {
      const failure = this.#failure
      this.#failure = null
      if (failure) reject(failure.error)
      else resolve(over)
    }
  }
}
