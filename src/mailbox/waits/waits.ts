import { onAbort } from '../../client/abort'
import { RestanteError, UsageError } from '../../protocol/errors/error'
import { checkChoice, checkOptions, type OptionNames } from '../../protocol/options'
import type { Event } from '../../protocol/records/event'
import type { MessageSummary } from '../../protocol/records/message'
import type { MergedThread } from '../../protocol/records/thread'
import type { WaitFilterData } from '../../protocol/records/wait-token'
import type { Clock } from '../../protocol/time/clock'
import { BoundedMap } from '../base/bounded-map'
import type { Lease, Taker } from '../base/consumer-lease'
import type { Wait, WaitFilter, WaitOptions } from '../base/wait-options'
import { requireMessageId, requireThreadId } from '../records/handles'
import type { Message } from '../records/message'
import { readSenders } from './wait-filter'
import { type SearchContext, usableLinks, WaitSearch, type WaitSpec } from './wait-search'
import { decodeWaitToken, encodeWaitToken } from './wait-token'

/** Accepts or rejects a message, instead of a filter. A wait with a function cannot be resumed. */
export type WaitPredicate = (message: Message) => boolean | Promise<boolean>

/** A filter with bounds, or a function. */
type WaitRequest = (WaitFilter & WaitOptions) | WaitPredicate

/** Options of a wait for the answer to a message. */
export interface NextReplyOptions extends WaitOptions {
  /** Also messages that a program wrote, such as out-of-office replies or bounces. Default false. */
  automatic?: boolean | undefined
}

/** Waits for messages; see the methods of `Mailbox`. */
export interface Waits {
  /** @param call The call in the caller's code, for error texts. */
  waitFor(call: string, filter: WaitRequest, options?: WaitOptions): Wait<Message>
  nextReply(messageId: string, options?: NextReplyOptions): Wait<Message>
  resume(token: string, options?: WaitOptions): Wait<Message>
  /**
   * Finds the body of that consumer that waits for a message, when the message comes to the consumer too.
   * Then that body handles it, and no other. Null at once if no body waits.
   */
  takerOf(message: Message, consumer: string): Promise<Taker | null> | null
  /** Receives every event. */
  apply(event: Event): void
  /** Searches again, from this position if it is earlier than the start: the log had a gap. */
  reset(applied: number): void
}

/** The parts of its mailbox that {@link createWaits} uses. */
interface WaitsOptions extends SearchContext {
  readonly clock: Clock
  /** Epoch of the log; undefined for the first. */
  epoch(): string | undefined
  /** Converts a position of another epoch to one of this epoch. */
  positionOf(seq: number, epoch: string | undefined): number
  resolveInbox(wanted: string | undefined): string | undefined
  /** Finds the lease of the message that a body is handling. */
  bodyOf(wanted: WaitOptions['within']): Lease | null
  /** Makes a message that was found by a wait, within that body if given. */
  toMessage(record: MessageSummary, body?: Lease): Message
}

const filterNames: OptionNames<WaitFilter> = {
  ...{ from: true, inbox: true, threadId: true, subject: true, kind: true, unverified: true },
  ...{ dkimAligned: true, automatic: true, spam: true },
}
const boundNames: OptionNames<WaitOptions> = { timeoutMs: true, signal: true, within: true }
const replyNames: OptionNames<NextReplyOptions> = { ...boundNames, automatic: true }
const eachOf = (names: object, place: string): Record<string, string> =>
  Object.fromEntries(Object.keys(names).map((name) => [name, place]))
const inFilter = eachOf(filterNames, 'in the first argument, with the filter')
const toOthers = eachOf(filterNames, 'to waitFor() and expect()')

/** Least time, in ms, that a wait has to search past messages, even if its own timeout is shorter or over. */
const minLookMs = 10_000

class WaitList implements Waits {
  readonly #context: WaitsOptions
  readonly #clock
  readonly #searches = new Set<WaitSearch>()
  readonly #takers = new Set<WaitingBody>()

  constructor(context: WaitsOptions) {
    this.#context = context
    const { clock } = context
    this.#clock = clock
  }

  readonly waitFor: Waits['waitFor'] = (call, filter, options = {}) => {
    checkOptions(call, options, boundNames, inFilter)
    if (typeof filter === 'function')
      return this.#begin({ ...this.#fromNow(this.#dataOf({})), where: filter }, options)
    checkOptions<WaitFilter & WaitOptions>(call, filter, { ...filterNames, ...boundNames })
    const { timeoutMs = filter.timeoutMs, signal = filter.signal, within = filter.within } = options
    return this.#begin(this.#fromNow(this.#dataOf(filter)), { timeoutMs, signal, within })
  }

  readonly nextReply: Waits['nextReply'] = (messageId, given = {}) => {
    checkOptions('nextReply()', given, replyNames, toOthers)
    const { automatic = false, ...options } = given
    const reply_to = requireMessageId(messageId)
    return this.#begin(this.#fromNow({ reply_to, automatic: automatic ? undefined : false }), options)
  }

  readonly resume: Waits['resume'] = (token, given = {}) => {
    checkOptions('resumeWait()', given, boundNames, toOthers)
    const { timeoutMs, ...options } = given
    const { filter, after: seq, epoch, until } = decodeWaitToken(token)
    const after = this.#context.positionOf(seq, epoch)
    const leftMs = until && Math.max(Date.parse(until) - this.#clock.now(), minLookMs)
    return this.#begin(
      { filter, after },
      { ...options, timeoutMs: timeoutMs ?? (leftMs || undefined) },
      token,
    )
  }

  readonly takerOf: Waits['takerOf'] = (message, consumer) => {
    const asked = [...this.#takers].filter(({ body }) => body.consumer === consumer && !body.isSettled)
    return asked.length === 0 ? null : firstOf(asked, message, this.#clock)
  }

  readonly apply: Waits['apply'] = (event) => {
    if (event.type === 'message.received') for (const { tell } of this.#takers) tell(event.data.id as string)
    if (event.type !== 'thread.merged') return
    const { id, merged_id } = event.data as unknown as MergedThread
    for (const search of this.#searches) search.merged(id, merged_id)
  }

  readonly reset: Waits['reset'] = (applied) => {
    for (const search of this.#searches) search.lookAgain(applied)
  }

  #dataOf(filter: WaitFilter): WaitFilterData {
    const { from, inbox, threadId, subject, kind, unverified, dkimAligned, automatic, spam } = filter
    if (kind !== undefined) checkChoice('kind', kind, ['code', 'link'])
    return {
      from: from === undefined ? undefined : readSenders(from),
      inbox_id: this.#context.resolveInbox(inbox),
      thread_id: threadId === undefined ? undefined : requireThreadId(threadId),
      ...{ subject, kind, unverified, dkim_aligned: dkimAligned, automatic, spam },
    }
  }

  #fromNow(filter: WaitFilterData): WaitSpec {
    return { filter, after: this.#context.cursor() }
  }

  #tokenOf({ filter, after, where }: WaitSpec, timeoutMs: number | undefined) {
    if (where) return null
    const until = timeoutMs === undefined ? undefined : new Date(this.#clock.now() + timeoutMs).toISOString()
    return encodeWaitToken({ v: 1, after, epoch: this.#context.epoch(), until, filter })
  }

  #begin(
    spec: WaitSpec,
    { timeoutMs, signal, within }: WaitOptions,
    token = this.#tokenOf(spec, timeoutMs),
  ): Wait<Message> {
    const controller = new AbortController()
    const body = this.#context.bodyOf(within)
    const search = new WaitSearch(this.#context, spec)
    this.#searches.add(search)
    const stops: (() => void)[] = []
    const promise = new Promise<Message>((resolve, reject) => {
      controller.signal.addEventListener('abort', () => reject(controller.signal.reason), { once: true })
      search
        .find(controller.signal)
        .then((found) => resolve(body ? this.#context.toMessage(found.record, body) : found), reject)
    })
    if (timeoutMs !== undefined) {
      const end = () => controller.abort(timedOut(timeoutMs, search, token))
      stops.push(this.#clock.after(timeoutMs, () => void search.looked.then(end)))
      stops.push(this.#clock.after(Math.max(timeoutMs, minLookMs), end))
    }
    stops.push(onAbort(signal, () => controller.abort(signal?.reason)))
    const ended = () => {
      this.#searches.delete(search)
      for (const stop of stops) stop()
    }
    // An ignored wait must not cause an unhandled rejection.
    const found = promise.then(
      ({ id }) => {
        ended()
        body?.alongWith(id)
        return id
      },
      () => {
        ended()
        return null
      },
    )
    if (body) {
      const taker = { body, found, search, signal: controller.signal, ...createSeen() }
      this.#takers.add(taker)
      void found.then(() => this.#takers.delete(taker))
    }
    const cancel = () => controller.abort(new UsageError('wait_cancelled', 'the wait was cancelled'))
    return Object.assign(promise, {
      token,
      cancel,
      [Symbol.dispose]: cancel,
      message: () => promise,
      code: async () => codeIn(await promise),
      link: async () => linkIn(await promise),
    })
  }
}

/** Makes {@link Waits}. */
export const createWaits = (context: WaitsOptions): Waits => new WaitList(context)

/** Messages that arrived while a body waits. */
interface Seen {
  tell(messageId: string): void
  has(messageId: string): boolean
  /** Calls back when that message arrives; returns a function that cancels this. */
  onCome(messageId: string, callback: () => void): () => void
}

/** A body, with its search. */
interface WaitingBody extends Taker, Seen {
  readonly search: WaitSearch
  readonly signal: AbortSignal
}

const maxSeen = 1_000

const createSeen = (): Seen => {
  const seen = new BoundedMap<true>(maxSeen)
  const callbacks = new Map<string, () => void>()
  return {
    tell: (id) => {
      seen.set(id, true)
      callbacks.get(id)?.()
    },
    has: (id) => seen.has(id),
    onCome: (id, callback) => {
      callbacks.set(id, callback)
      return () => void callbacks.delete(id)
    },
  }
}

/** Time by which the log may deliver a message later than the consumer does. */
const lagMs = 1_000

/** Returns whether a message arrived after the wait began, or is the one that it found. */
const isSince = (wait: WaitingBody, id: string, clock: Clock): Promise<boolean> | boolean => {
  if (wait.has(id)) return true
  return new Promise((resolve) => {
    const end = (isNew: boolean) => {
      stop()
      cancel()
      resolve(isNew)
    }
    const cancel = clock.background(lagMs, () => end(false))
    const stop = wait.onCome(id, () => end(true))
    void wait.found.then((found) => end(found === id))
  })
}

/** Returns the first of these waits that accepts the message. A wait that fails accepts none. */
const firstOf = async (
  waits: readonly WaitingBody[],
  message: Message,
  clock: Clock,
): Promise<WaitingBody | null> => {
  for (const wait of waits) {
    const isWanted = await wait.search.wants(message, wait.signal).catch(() => false)
    if (isWanted && (await isSince(wait, message.id, clock))) return wait
  }
  return null
}

const timedOut = (timeoutMs: number, search: WaitSearch, token: string | null): RestanteError => {
  const { unproven, without, kind } = search
  let hint = 'wait longer, or resume the wait'
  if (without.size > 0) hint = `${without.size} fit but have no ${kind}`
  if (unproven.size > 0)
    hint = `the sender of ${unproven.size} is not proven: { unverified: true } accepts it`
  const details = { token, unproven_message_ids: [...unproven], without_kind_message_ids: [...without] }
  return new RestanteError('wait_timed_out', `no such message came within ${timeoutMs} ms: ${hint}`, {
    details,
  })
}

const codeIn = async (message: Message): Promise<string> => {
  const [first] = await message.codes()
  if (first) return first.code
  throw new UsageError('no_code', `message ${message.id} has no code: wait with { kind: "code" }`)
}

const linkIn = async (message: Message) => {
  const [first] = await usableLinks(message)
  if (first) return first
  throw new UsageError('no_link', `message ${message.id} has no link to follow: wait with { kind: "link" }`)
}
