/*
 * A wait searches past messages first, then follows new ones:
 *
 * ```
 *          ┌── reads what came in since ─────────────────────────┐
 *  begin ──┤                                                     ├──▶ follows new mail ──▶ found
 *          └── lists what came after the message (nextReply) ────┘            │
 *     ▲                                                                       │
 *     └────────────── the log had a gap, or threads became one ───────────────┘
 * ```
 *
 * The live iterator is opened first, so that no message falls in between. A repeated one does no harm.
 */
import type { Client } from '../../client/client'
import { isTransient } from '../../client/retry'
import { HandlerError, isServiceError, UsageError } from '../../protocol/errors/error'
import type { MessageSummary } from '../../protocol/records/message'
import type { WaitFilterData } from '../../protocol/records/wait-token'
import type { Message } from '../records/message'
import { PastMail } from '../sync/past-mail'
import { isProven, passesFilter } from './wait-filter'

/** Specification of a wait: its filter, and its starting position in the log. */
export interface WaitSpec {
  readonly filter: WaitFilterData
  /** Position in the log. */
  readonly after: number
  /** A function instead of a filter, which cannot be stored. */
  readonly where?: ((message: Message) => boolean | Promise<boolean>) | undefined
}

/** The parts of its mailbox that a search uses. */
export interface SearchContext {
  readonly client: Client
  /** Position up to which the mailbox has applied the log. */
  cursor(): number
  /** Iterates over messages that arrive after that position. */
  follow(inboxId: string | undefined, signal: AbortSignal): AsyncIterableIterator<Message, undefined>
  toMessage(record: MessageSummary): Message
  addressOf(inboxId: string): string | undefined
}

/** Retries however long the service is down. */
const patiently = { totalMs: Number.POSITIVE_INFINITY }

/** Repeats the work while the network fails; each attempt has its own retries. */
const untilThere = async <T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> => {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (signal.aborted || !isTransient(error)) throw error
    }
  }
}

/** Reads the links of a message that are worth waiting for. */
export const usableLinks = async (message: Message, signal?: AbortSignal) =>
  (await message.links({ signal })).filter(({ kind, warnings }) => kind !== 'unsubscribe' && !warnings.length)

/** Searches for the first message that a wait accepts. */
export class WaitSearch {
  readonly #context: SearchContext
  readonly #spec: WaitSpec
  readonly #threads = new Set<string>()
  #before: Promise<MessageSummary> | null = null
  #live: AsyncIterableIterator<Message, undefined> | null = null
  #isStale = false
  #from: number
  /** Ids of messages that lack only the expected code or link. */
  readonly without = new Set<string>()
  /** Ids of messages that lack only the proof of their sender. */
  readonly unproven = new Set<string>()
  #hasLooked: () => void = () => {}
  /** Resolves once it has searched past messages. */
  readonly looked = new Promise<void>((resolve) => {
    this.#hasLooked = resolve
  })

  constructor(context: SearchContext, spec: WaitSpec) {
    this.#context = context
    this.#spec = spec
    this.#from = spec.after
    if (spec.filter.thread_id !== undefined) this.#threads.add(spec.filter.thread_id)
  }

  get kind(): 'code' | 'link' | undefined {
    return this.#spec.filter.kind
  }

  /** @throws UsageError `mailbox_closed`, `invalid_token`; ServiceError; the reason of the signal */
  async find(signal: AbortSignal): Promise<Message> {
    for (;;) {
      this.#isStale = false
      this.#live = this.#context.follow(this.#spec.filter.inbox_id, signal)
      const found =
        (await this.#first(this.#past(this.#context.cursor(), signal), signal)) ??
        (await this.#follow(signal))
      await this.#live.return?.()
      if (found) return found
      if (!this.#isStale)
        throw new UsageError('mailbox_closed', 'the mailbox was closed: resume the wait by its token')
    }
  }

  /** Returns whether this wait accepts the message, in whatever order messages come. */
  async wants(message: Message, signal: AbortSignal): Promise<boolean> {
    const { reply_to } = this.#spec.filter
    if (reply_to !== undefined) await this.#read(reply_to, signal)
    return this.#accepts(message, signal)
  }

  /** Searches again, from this position if it is earlier than the start: the log had a gap. */
  lookAgain(from = this.#from): void {
    this.#from = Math.min(this.#from, from)
    this.#isStale = true
    void this.#live?.return?.()
  }

  /** Also searches the other of two threads that were merged. */
  merged(one: string, other: string): void {
    if (!this.#threads.has(one) && !this.#threads.has(other)) return
    this.#threads.add(one).add(other)
    this.lookAgain()
  }

  async #follow(signal: AbortSignal): Promise<Message | null> {
    this.#hasLooked()
    return this.#first(this.#live!, signal)
  }

  async #first(candidates: AsyncIterable<Message>, signal: AbortSignal): Promise<Message | null> {
    for await (const message of candidates) if (await this.#accepts(message, signal)) return message
    return null
  }

  async #accepts(message: Message, signal: AbortSignal): Promise<boolean> {
    const { filter, where } = this.#spec
    const { record } = message
    if (!passesFilter(record, filter)) return false
    if (this.#threads.size > 0 && !this.#threads.has(record.thread_id)) return false
    if (filter.kind && !(await this.#brings(message, filter.kind, signal))) {
      this.without.add(record.id)
      return false
    }
    if (!isProven(record, this.#context.addressOf(record.inbox_id), filter)) {
      this.unproven.add(record.id)
      return false
    }
    return where ? this.#asks(where, message) : true
  }

  async #asks(where: NonNullable<WaitSpec['where']>, message: Message): Promise<boolean> {
    try {
      return await where(message)
    } catch (cause) {
      throw new HandlerError('filter_failed', 'the function of a wait threw: see cause', { cause })
    }
  }

  async #brings(message: Message, kind: 'code' | 'link', signal: AbortSignal): Promise<boolean> {
    const read = () => (kind === 'code' ? message.codes({ signal }) : usableLinks(message, signal))
    try {
      return (await untilThere<readonly unknown[]>(read, signal)).length > 0
    } catch (error) {
      // Erased meanwhile.
      if (isServiceError(error, 'not_found')) return false
      throw error
    }
  }

  async *#past(upTo: number, signal: AbortSignal): AsyncGenerator<Message> {
    const { filter } = this.#spec
    const after = this.#from
    if (filter.reply_to !== undefined) return yield* this.#after(filter.reply_to, signal)
    if (after > upTo)
      throw new UsageError(
        'invalid_token',
        `the wait began at ${after}, but the log of this account ends at ${upTo}`,
      )
    const { client, toMessage } = this.#context
    const past = new PastMail({ client, inboxId: filter.inbox_id, call: { retry: patiently } })
    for (let at = after; at < upTo; ) {
      const { messages, reached } = await past.next({ after: at, to: upTo }, signal)
      for (const record of messages) yield toMessage(record)
      at = reached
    }
  }

  /** Reads the message whose answer is expected, and notes its thread. @throws UsageError `not_in_mailbox` */
  async #read(messageId: string, signal: AbortSignal): Promise<MessageSummary> {
    this.#before ??= this.#context.client.messages.get({ id: messageId }, { signal, retry: patiently })
    const before = await this.#before
    if (this.#context.addressOf(before.inbox_id) === undefined)
      throw new UsageError(
        'not_in_mailbox',
        'the wait began in another inbox: continue with the mailbox of that inbox',
      )
    this.#threads.add(before.thread_id)
    return before
  }

  /** Reads messages that arrived in the thread of a message after it, also within the same millisecond. */
  async *#after(messageId: string, signal: AbortSignal): AsyncGenerator<Message> {
    const { client, toMessage } = this.#context
    const before = await this.#read(messageId, signal)
    const query = {
      ...{ thread_id: before.thread_id, after: before.created_at, limit: 100 },
      ...({ include: 'all', order: 'asc', body: 'false' } as const),
    }
    let isPast = false
    for (let cursor: string | undefined; ; ) {
      const page = await client.messages.list({ ...query, cursor }, { signal, retry: patiently })
      for (const record of page.messages) {
        isPast ||= record.created_at > before.created_at
        if (isPast && record.direction === 'inbound') yield toMessage(record)
        isPast ||= record.id === before.id
      }
      if (page.next_cursor === null) return
      cursor = page.next_cursor
    }
  }
}
