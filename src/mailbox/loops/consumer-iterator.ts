/*
 * A loop over the messages of a named consumer:
 *
 * ```
 *            next(): acknowledge what was yielded         stop, abort
 *  yielded ──────────────────────────────────▶ taking ──────────────▶ over
 *     ▲                                          │
 *     └───────────── a message ──────────────────┘   return, throw, close: give back what was not acknowledged
 * ```
 *
 * It leases one message at a time, and several while bodies are quick; a slow body gives those back.
 */

import { onAbort } from '../../client/abort'
import { type Clock, monotonicNow } from '../../protocol/time/clock'
import type { Message } from '../records/message'
import type { ConsumerSource, Taken } from './consumer-source'
import { type IncomingMessages, spanOf } from './incoming'

type Result = IteratorResult<Message, undefined>
interface Waiter {
  resolve(result: Result): void
  reject(error: unknown): void
}

const over: Result = { value: undefined, done: true }
/** Time within which a body counts as quick. */
const quickMs = 100
const maxAhead = 64

/** Options of a {@link ConsumerIterator}. */
interface ConsumerIteratorOptions {
  source: ConsumerSource
  clock: Clock
  signal: AbortSignal | undefined
  /** Most unacknowledged messages with manual acknowledgement; undefined if `next()` acknowledges. */
  maxInFlight: number | undefined
  /** Starts another loop on the same consumer. */
  another(): IncomingMessages
  onOver(iterator: ConsumerIterator): void
}

/** {@link IncomingMessages} of a named consumer. */
export class ConsumerIterator implements IncomingMessages {
  readonly #options: ConsumerIteratorOptions
  readonly #controller = new AbortController()
  readonly #stopListening: () => void
  #isLooped = false
  #buffer: Taken[] = []
  #yielded: Taken[] = []
  #waiters: Waiter[] = []
  #taking = false
  /** Number of messages to lease at once. */
  #ahead = 1
  #yieldedAtMs = 0
  #cancelGivingBack = () => {}
  #ended = false
  #failure: { readonly error: unknown } | null = null

  constructor(options: ConsumerIteratorOptions) {
    this.#options = options
    const { signal } = options
    this.#stopListening = onAbort(signal, () => this.#end({ error: signal?.reason }))
  }

  /** Each loop gets its own iterator, so that several share the work. */
  [Symbol.asyncIterator](): IncomingMessages {
    if (this.#isLooped && !this.#ended) return this.#options.another()
    this.#isLooped = true
    return this
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.return()
  }

  get ended(): boolean {
    return this.#ended
  }

  next(): Promise<Result> {
    this.#acknowledge()
    return new Promise((resolve, reject) => {
      this.#waiters.push({ resolve, reject })
      this.#serve()
    })
  }

  async return(): Promise<Result> {
    const inHand = this.#yielded
    this.#yielded = []
    this.#end(null)
    await Promise.allSettled(inHand.map(({ lease }) => lease.leave()))
    return over
  }

  async throw(error: unknown): Promise<Result> {
    await this.return()
    throw error
  }

  stop(): void {
    this.#end(null)
  }

  /** Stops leasing. Messages leased ahead go back; yielded ones stay until the loop asks for the next. */
  #end(failure: { readonly error: unknown } | null): void {
    if (this.#ended) return
    this.#ended = true
    this.#failure = failure
    // Undefined if the signal had aborted before the constructor was done.
    this.#stopListening?.()
    this.#controller.abort()
    this.#giveBack()
    // After a failure, nobody calls `return`.
    if (failure && this.#options.maxInFlight) for (const { lease } of this.#yielded) void lease.leave()
    this.#options.onOver(this)
    this.#serve()
  }

  #acknowledge(): void {
    if (this.#yielded.length === 0 || this.#options.maxInFlight) return
    for (const { lease } of this.#yielded) void lease.ack()
    this.#yielded = []
    const isQuick = monotonicNow(this.#options.clock) - this.#yieldedAtMs < quickMs
    this.#ahead = isQuick ? Math.min(maxAhead, this.#ahead * 2) : 1
  }

  #giveBack(): void {
    this.#cancelGivingBack()
    for (const { lease } of this.#buffer) void lease.release()
    this.#buffer = []
    this.#ahead = 1
  }

  #serve(): void {
    for (let waiter = this.#waiters[0]; waiter; waiter = this.#waiters[0]) {
      if (this.#isFull() && !this.#ended) return
      const taken = this.#nextTaken()
      if (taken) this.#yield(waiter, taken)
      else if (this.#ended) this.#finish(waiter)
      else break
      this.#waiters.shift()
    }
    if (this.#waiters.length > 0 && !this.#taking) void this.#take()
  }

  #isFull(): boolean {
    return this.#yielded.length >= (this.#options.maxInFlight ?? Infinity)
  }

  /** Returns the next message whose lease still holds. */
  #nextTaken(): Taken | undefined {
    const { source } = this.#options
    let taken = this.#buffer.shift()
    while (taken && !source.isHeld(taken.lease)) taken = this.#buffer.shift()
    return taken
  }

  #yield(waiter: Waiter, taken: Taken): void {
    const { clock, maxInFlight } = this.#options
    this.#yielded.push(taken)
    if (maxInFlight)
      void taken.lease.over.then(() => {
        this.#yielded = this.#yielded.filter((one) => one !== taken)
        this.#serve()
      })
    taken.lease.begin()
    taken.lease.endWith(spanOf(taken.message))
    this.#yieldedAtMs = monotonicNow(clock)
    this.#cancelGivingBack()
    if (this.#buffer.length > 0) this.#cancelGivingBack = clock.background(quickMs, () => this.#giveBack())
    waiter.resolve({ value: taken.message, done: false })
  }

  #finish(waiter: Waiter): void {
    const failure = this.#failure
    this.#failure = null
    if (failure) waiter.reject(failure.error)
    else waiter.resolve(over)
  }

  async #take(): Promise<void> {
    this.#taking = true
    try {
      const max = Math.max(this.#ahead, this.#waiters.length)
      const taken = await this.#options.source.take(max, this.#controller.signal)
      if (this.#ended) for (const { lease } of taken) void lease.release()
      else this.#buffer.push(...taken)
    } catch (error) {
      this.#end({ error })
    }
    this.#taking = false
    this.#serve()
  }
}
