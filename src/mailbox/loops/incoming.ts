/*
 * A loop over incoming messages reads at its own pace:
 *
 * ```
 *               buffer full                     page reaches the cursor
 *  following ───────────────▶ behind ──(reads past mail, page by page)──▶ following
 *      │      the log was cut     │
 *      └────── break, abort, close, refusal ──────▶ over
 * ```
 *
 * When following, it gets messages from events that the sync applies. When behind, it ignores those and reads
 * past messages, starting after its buffer. A slow loop costs a bounded buffer and loses nothing, even if the
 * log is cut.
 */

import { onAbort, pause } from '../../client/abort'
import { retryPauseMs } from '../../client/retry'
import { HandlerError } from '../../protocol/errors/error'
import { checkChoice } from '../../protocol/options'
import type { Event } from '../../protocol/records/event'
import { hasAnyLabel, leftOutOf } from '../../protocol/records/label-names'
import type { MessageSummary } from '../../protocol/records/message'
import type { Clock } from '../../protocol/time/clock'
import { type OpenSpan, openSpan } from '../../protocol/trace'
import type { Message } from '../records/message'
import type { PastMail } from '../sync/past-mail'

/**
 * Starting point of a new consumer. It gets all newer messages in any case.
 *
 * - `unanswered`: also the older messages that nobody has answered, as the search `is:unanswered` finds them.
 *   Messages that a mailbox received before it was connected are omitted.
 * - `start`: the oldest message.
 * - `now`: after the newest message.
 * - a `Date`: the first message since then.
 */
export type ConsumerStart = 'unanswered' | 'start' | 'now' | Date

/** @throws UsageError `invalid_options` */
export const checkStart = (from: ConsumerStart = 'now'): void => {
  if (typeof from === 'string') checkChoice('from, if it is no Date,', from, ['unanswered', 'start', 'now'])
}

/** Selects the messages of a loop. */
export interface IncomingOptions {
  /**
   * Name of a consumer, which the service remembers: the loop gets each message until it is handled, even if
   * this process dies. Its messages are then delivered again in 20 to 25 seconds, here or in another process
   * with the same name. Messages of a thread come one at a time, in order, however many loops share the work.
   */
  consumer?: string | undefined
  /** Starting point of a new consumer. Default `unanswered`. */
  from?: ConsumerStart | undefined
  /**
   * `manual`: a message of a consumer is handled only by `message.ack()`, for loops that process several at
   * once or queue them. Default `next`: when the loop asks for the next.
   */
  acknowledge?: 'next' | 'manual' | undefined
  /** With `manual`: most unacknowledged messages at once, 1 to 100. Default 10. */
  maxInFlight?: number | undefined
  /** Ends the loop at once: it throws the signal's reason. */
  signal?: AbortSignal | undefined
  /** Id or address of an inbox: only its messages. */
  inbox?: string | undefined
  /** Includes messages marked as spam. Default false. */
  spam?: boolean | undefined
  /**
   * Includes messages that `reply()` refuses (`message.unanswerable`): bounces, automatic answers, messages
   * in our own name. Default false; a consumer counts them as skipped.
   */
  unanswerable?: boolean | undefined
  /** Only messages for which this returns true. A consumer acknowledges the others. */
  filter?: ((message: Message) => boolean) | undefined
}

/**
 * A loop over incoming messages. Concurrent `next()` calls are answered in order. With a named consumer, the
 * `next()` call after them acknowledges all their messages; `return()`, and so `break`, gives them back.
 */
export interface IncomingMessages extends AsyncIterableIterator<Message, undefined>, AsyncDisposable {
  /** True once no more messages can come. */
  readonly ended: boolean
  /**
   * Stops the loop: it ends when its body is done with the current message.
   *
   * @example
   * ```ts
   * const messages = mailbox.incoming({ consumer: 'support-bot' })
   * process.once('SIGTERM', () => messages.stop())
   * for await (const message of messages) await message.reply({ text: 'Got it.' })
   * ```
   */
  stop(): void
  return(): Promise<IteratorResult<Message, undefined>>
  throw(error: unknown): Promise<IteratorResult<Message, undefined>>
  [Symbol.asyncIterator](): IncomingMessages
}

/** The parts of its mailbox that an iterator uses. */
export interface IncomingContext {
  readonly clock: Clock
  /** Last position that the sync applied. */
  cursor(): number
  /** Most messages that may wait for the loop. */
  readonly readAhead: number
  /** Reads messages that arrived before. */
  pastMail(inboxId: string | undefined): PastMail
  toMessage(record: MessageSummary): Message
  /** Handles a failed read. `over`: no more messages can come. `again`: the read is repeated. */
  onReadFailure(error: unknown): 'over' | 'again'
  onOver(iterator: IncomingIterator): void
}

type Result = IteratorResult<Message, undefined>
interface Waiter {
  resolve(result: Result): void
  reject(error: unknown): void
}

/** Returns whether these options let a message through. Default: answerable, not spam, not trash. */
export const isDelivered = (
  record: MessageSummary,
  { spam = false, unanswerable = false }: Pick<IncomingOptions, 'spam' | 'unanswerable'> = {},
): boolean =>
  !hasAnyLabel(record, leftOutOf(spam ? { include: 'spam' } : {})) && (unanswerable || !record.unanswerable)

/** Opens the span of a loop's body, which handles this message until it asks for the next. */
export const spanOf = ({ record }: Message): OpenSpan | null =>
  openSpan('handle mail', {
    kind: 'consumer',
    attributes: { 'restante.message_id': record.id },
    about: record.traceparent,
  })

const over: Result = { value: undefined, done: true }

/** {@link IncomingMessages} with the methods for its mailbox. */
export class IncomingIterator implements IncomingMessages {
  readonly #context: IncomingContext
  readonly #filter: IncomingOptions['filter']
  readonly #spam: boolean
  readonly #unanswerable: boolean
  readonly #inboxId: string | undefined
  #past: PastMail
  /** Aborts the page that is under way, and the pause after a failure. */
  #controller = new AbortController()
  readonly #stopListening: () => void
  #buffer: MessageSummary[] = []
  #waiters: Waiter[] = []
  /** Everything up to this position was yielded or is in the buffer. */
  #reached: number
  #behind = false
  #reading = false
  #failures = 0
  #span: OpenSpan | null = null
  #ended = false
  #failure: { readonly error: unknown } | null = null

  constructor(context: IncomingContext, inboxId: string | undefined, options: IncomingOptions) {
    this.#context = context
    this.#inboxId = inboxId
    this.#past = context.pastMail(inboxId)
    this.#filter = options.filter
    this.#spam = options.spam ?? false
    this.#unanswerable = options.unanswerable ?? false
    this.#reached = context.cursor()
    this.#stopListening = onAbort(options.signal, () => this.fail(options.signal?.reason, false))
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.return()
  }

  get ended(): boolean {
    return this.#ended
  }

  async next(): Promise<Result> {
    this.#bodyOver()
    const result = this.#waiters.length === 0 ? this.#take() : null
    if (result) return result
    return new Promise((resolve, reject) => {
      this.#waiters.push({ resolve, reject })
      if (this.#behind) void this.#read()
    })
  }

  async return(): Promise<Result> {
    this.#bodyOver()
    this.end()
    return over
  }

  async throw(error: unknown): Promise<Result> {
    await this.return()
    throw error
  }

  stop(): void {
    this.end()
  }

  /** Buffers the message of an event that the sync applied. */
  offer(event: Event): void {
    if (this.#ended || this.#behind || event.seq <= this.#reached) return
    if (this.#inboxId !== undefined && event.inbox_id !== this.#inboxId) return
    if (this.#buffer.length >= this.#context.readAhead) {
      this.#behind = true
      return
    }
    this.#reached = event.seq
    this.#buffer.push(event.data as unknown as MessageSummary)
    this.#serve()
  }

  /** Handles a gap in the log: messages after `from` are read from the list of messages. */
  skipped(from: number): void {
    if (this.#ended) return
    // An iterator that is behind knows its position better, unless the log differs after `from`.
    this.#reached = this.#behind ? Math.min(this.#reached, from) : from
    // A page that is under way may be of the log before a restore, and a pause would only delay its successor.
    this.#past = this.#context.pastMail(this.#inboxId)
    this.#controller.abort()
    this.#controller = new AbortController()
    this.#behind = true
    this.#serve()
  }

  /** Ends without error and drops the buffer. */
  end(): void {
    this.#buffer = []
    this.#finish()
    this.#serve()
  }

  /** Ends with an error; with `drain`, after the buffer is consumed. */
  fail(error: unknown, drain: boolean): void {
    if (this.#ended) return
    if (!drain) this.#buffer = []
    this.#failure = { error }
    this.#finish()
    this.#serve()
  }

  #bodyOver(): void {
    this.#span?.end()
    this.#span = null
  }

  #finish(): void {
    if (this.#ended) return
    this.#ended = true
    this.#behind = false
    // Undefined if the signal had aborted before the constructor was done.
    this.#stopListening?.()
    this.#controller.abort()
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

  /** Returns the next result; null if there is none yet. Throws the error that ended the loop. */
  #take(): Result | null {
    for (let record = this.#buffer.shift(); record; record = this.#buffer.shift()) {
      const message = this.#context.toMessage(record)
      if (!this.#passes(message)) continue
      this.#bodyOver()
      this.#span = spanOf(message)
      return { value: message, done: false }
    }
    if (!this.#ended) return null
    const failure = this.#failure
    this.#failure = null
    if (failure) throw failure.error
    return over
  }

  #passes(message: Message): boolean {
    if (!isDelivered(message.record, { spam: this.#spam, unanswerable: this.#unanswerable })) return false
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
    const { signal } = this.#controller
    const context = this.#context
    try {
      const range = { after: this.#reached, to: context.cursor() }
      const { messages, reached } = await this.#past.next(range, signal)
      this.#failures = 0
      if (signal.aborted) return
      this.#buffer.push(...messages)
      this.#reached = reached
      // Events after the cursor of the sync are offered again; the page must reach up to it.
      this.#behind = reached < context.cursor()
    } catch (error) {
      if (signal.aborted) return
      if (context.onReadFailure(error) === 'over') return this.fail(error, true)
      this.#failures += 1
      await pause(context.clock, retryPauseMs(error, this.#failures, context.clock), signal)
    } finally {
      this.#reading = false
      this.#serve()
    }
  }
}
