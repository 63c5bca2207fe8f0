/*
 * A loop over incoming messages reads at its own pace:
 *
 * ```
 *               buffer full                     page reaches the cursor
 *  following ───────────────▶ behind ──(reads the log, page by page)──▶ following
 *      │                        │
 *      └────── break, abort, close, refusal ──────▶ over
 * ```
 *
 * Following, it takes events as the sync applies them. Behind, it ignores them and reads the log again from
 * where its buffer ends: a slow loop costs a bounded buffer and loses nothing.
 */
import { onAbort } from '../client'
import { type Event, type EventPage, HandlerError, isSpam } from '../protocol'
import { backoffMs, reconnectBackoff } from './backoff'
import type { Clock } from './clock'
import { pageLimit } from './deliver-page'
import type { Message } from './message'

/** Which messages a loop gets. */
export interface IncomingOptions {
  /** Ends the loop at once: it throws the signal's reason. */
  signal?: AbortSignal
  /** Id or address: only what comes to this inbox. */
  inbox?: string
  /** With mail that is marked as spam, which is left out otherwise. */
  spam?: boolean
  /** Only messages for which this returns true. */
  filter?: (message: Message) => boolean
}

/**
 * A loop over incoming messages. Several `next()` at once are answered in order; `return()`, and so `break`,
 * releases it.
 */
export interface IncomingMessages extends AsyncIterableIterator<Message, undefined>, AsyncDisposable {
  /** Whether nothing can come any more. */
  readonly ended: boolean
  return(): Promise<IteratorResult<Message, undefined>>
  throw(error: unknown): Promise<IteratorResult<Message, undefined>>
  [Symbol.asyncIterator](): IncomingMessages
}

/** What an iterator needs of its mailbox. */
export interface IncomingContext {
  readonly clock: Clock
  /** The last position that the sync applied. */
  cursor(): number
  /** Reads incoming messages from the log. Rejects with status 410 where it does not reach back. */
  readLog(after: number, inboxId: string | undefined, signal: AbortSignal): Promise<EventPage>
  toMessage(event: Event): Message
  /** Tells about a failure: `over` says that nothing can come any more, else the reading goes on. */
  onReadFailure(error: unknown): 'over' | 'again' | 'expired'
  onOver(iterator: IncomingIterator): void
}

type Result = IteratorResult<Message, undefined>
interface Waiter {
  resolve(result: Result): void
  reject(error: unknown): void
}

const over: Result = { value: undefined, done: true }

/** {@link IncomingMessages}, with what its mailbox does to it. */
export class IncomingIterator implements IncomingMessages {
  readonly #context: IncomingContext
  readonly #filter: IncomingOptions['filter']
  readonly #spam: boolean
  readonly #inboxId: string | undefined
  readonly #controller = new AbortController()
  readonly #stopListening: () => void
  #buffer: Event[] = []
  #waiters: Waiter[] = []
  /** Everything up to here was yielded or is in the buffer. */
  #reached: number
  #behind = false
  #reading = false
  #failures = 0
  #cancelPause = () => {}
  #ended = false
  #failure: { readonly error: unknown } | null = null

  constructor(context: IncomingContext, inboxId: string | undefined, options: IncomingOptions) {
    this.#context = context
    this.#inboxId = inboxId
    this.#filter = options.filter
    this.#spam = options.spam ?? false
    this.#reached = context.cursor()
    this.#stopListening = onAbort(options.signal, () => this.fail(options.signal?.reason, false))
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.end()
  }

  get ended(): boolean {
    return this.#ended
  }

  async next(): Promise<Result> {
    const result = this.#waiters.length === 0 ? this.#take() : null
    if (result) return result
    return new Promise((resolve, reject) => {
      this.#waiters.push({ resolve, reject })
      if (this.#behind) void this.#read()
    })
  }

  async return(): Promise<Result> {
    this.end()
    return over
  }

  async throw(error: unknown): Promise<Result> {
    this.end()
    throw error
  }

  /** Takes an event that the sync applied. */
  offer(event: Event): void {
    if (this.#ended || this.#behind || event.seq <= this.#reached) return
    if (this.#inboxId !== undefined && event.inbox_id !== this.#inboxId) return
    if (this.#buffer.length >= pageLimit) {
      this.#behind = true
      return
    }
    this.#reached = event.seq
    this.#buffer.push(event)
    this.#serve()
  }

  /** Ends cleanly; what is in the buffer is dropped. */
  end(): void {
    this.#buffer = []
    this.#finish()
    this.#serve()
  }

  /** Ends with an error, after the buffer has been taken where `drain` says so. */
  fail(error: unknown, drain: boolean): void {
    if (this.#ended) return
    if (!drain) this.#buffer = []
    this.#failure = { error }
    this.#finish()
    this.#serve()
  }

  #finish(): void {
    if (this.#ended) return
    this.#ended = true
    this.#behind = false
    // Not yet there when the signal had aborted before the iterator was made.
    this.#stopListening?.()
    this.#controller.abort()
    this.#cancelPause()
    this.#context.onOver(this)
  }

  #serve(): void {
    while (this.#waiters.length > 0) {
      try {
        const result = this.#take()
        if (!result) break
        this.#waiters.shift()?.resolve(result)
      } catch (error) {
        this.#waiters.shift()?.reject(error)
      }
    }
    if (this.#behind && this.#waiters.length > 0) void this.#read()
  }

  /** The next result; null when it is not here yet; throws what the loop ends with. */
  #take(): Result | null {
    for (let event = this.#buffer.shift(); event; event = this.#buffer.shift()) {
      const message = this.#context.toMessage(event)
      if (this.#passes(message)) return { value: message, done: false }
    }
    if (!this.#ended) return null
    const failure = this.#failure
    this.#failure = null
    if (failure) throw failure.error
    return over
  }

  #passes(message: Message): boolean {
    if (!this.#spam && isSpam(message.record)) return false
    try {
      return !this.#filter || this.#filter(message)
    } catch (cause) {
      this.#buffer = []
      this.#finish()
      throw new HandlerError('filter_failed', 'the filter of incoming() threw: see cause', { cause })
    }
  }

  async #read(): Promise<void> {
    if (this.#reading || this.#ended) return
    this.#reading = true
    try {
      const page = await this.#context.readLog(this.#reached, this.#inboxId, this.#controller.signal)
      this.#failures = 0
      this.#takePage(page)
    } catch (error) {
      if (!this.#ended) await this.#afterFailure(error)
    } finally {
      this.#reading = false
    }
    this.#serve()
  }

  #takePage(page: EventPage): void {
    if (this.#ended) return
    for (const event of page.events) if (event.seq > this.#reached) this.#buffer.push(event)
    this.#reached = Math.max(this.#reached, page.to)
    // What the sync applies from now on is offered again; up to its cursor the page must have come.
    this.#behind = this.#reached < this.#context.cursor()
  }

  async #afterFailure(error: unknown): Promise<void> {
    const verdict = this.#context.onReadFailure(error)
    if (verdict === 'over') return this.fail(error, true)
    if (verdict === 'expired') {
      this.#reached = this.#context.cursor()
      this.#behind = false
      return
    }
    this.#failures += 1
    const { clock } = this.#context
    const delayMs = backoffMs(this.#failures, clock.random(), reconnectBackoff)
    await new Promise<void>((resolve) => {
      const cancel = clock.after(delayMs, resolve)
      this.#cancelPause = () => {
        cancel()
        resolve()
      }
    })
  }
}
