import { abortable, pause } from '../../client/abort'
import type { Client } from '../../client/client'
import { isKeyRefusal, retryPauseMs } from '../../client/retry'
import { HandlerError, isNetworkError, isRestanteError, isServiceError } from '../../protocol/errors/error'
import type { LeaseBody } from '../../protocol/records/consumer'
import type { MessageSummary } from '../../protocol/records/message'
import type { Clock } from '../../protocol/time/clock'
import { randomId } from '../base/bytes'
import { type Lease, momentOf, type Taker } from '../base/consumer-lease'
import { wireTime } from '../base/wire-time'
import type { Message } from '../records/message'
import type { ConsumerLeases } from './consumer-leases'
import type { ConsumerStart } from './incoming'

const waitMs = 25_000
/** Extra time for the response to arrive. */
const graceMs = 10_000

/** Selects the messages of a consumer, and the starting point of a new one. */
interface ConsumerChoice {
  readonly name: string
  readonly inboxId: string | undefined
  readonly spam: boolean
  readonly unanswerable: boolean
  readonly from: ConsumerStart
  readonly filter: ((message: Message) => boolean) | undefined
  readonly onGiveUp: LeaseBody['on_give_up'] | undefined
}

/** Options of a {@link ConsumerSource}. */
interface ConsumerSourceOptions {
  client: Client
  clock: Clock
  leases: ConsumerLeases
  choice: ConsumerChoice
  toMessage(record: MessageSummary, lease: Lease): Message
  takerOf(message: Message, consumer: string): Promise<Taker | null> | null
  onError(error: unknown): void
}

/** A message that this process has leased. */
export interface Taken {
  readonly lease: Lease
  readonly message: Message
}

const finalCodes: ReadonlySet<string> = new Set([
  'invalid_request',
  'not_found',
  'consumer_exists',
  'consumer_limit_reached',
])

/** Returns whether no more messages can come after this error. */
function isFinal(error: unknown): boolean {
  if (isServiceError(error)) return isKeyRefusal(error) || finalCodes.has(error.code)
  return isRestanteError(error) && !isNetworkError(error)
}

/** Leases messages of a named consumer from the service. */
export class ConsumerSource {
  readonly #options: ConsumerSourceOptions
  #created: Promise<unknown> | null
  /** Id of a request whose response did not arrive: its messages may be leased to us. */
  #requestId: string | null = null

  constructor(options: ConsumerSourceOptions) {
    this.#options = options
    this.#created = this.#create()
  }

  /**
   * Waits until there are messages, and leases up to `max` of them. Temporary failures are retried; returns
   * none if the signal aborts.
   *
   * @throws ServiceError for a lasting refusal; HandlerError `filter_failed`
   */
  async take(max: number, signal: AbortSignal): Promise<Taken[]> {
    const { clock, onError } = this.#options
    for (let failures = 0; !signal.aborted; ) {
      try {
        const taken = await this.#takeOnce(max, signal)
        if (taken.length > 0) return taken
        failures = 0
      } catch (error) {
        if (signal.aborted) break
        if (isFinal(error)) throw error
        failures += 1
        if (isServiceError(error)) onError(error)
        await pause(clock, retryPauseMs(error, failures, clock), signal)
      }
    }
    return []
  }

  /** Returns whether a lease still holds. One that expired without notice is dropped. */
  isHeld(lease: Lease): boolean {
    if (!lease.isHeldAt(momentOf(this.#options.clock))) this.#options.leases.drop(lease)
    return !lease.isSettled
  }

  #create(): Promise<unknown> {
    const { client, choice } = this.#options
    const { name, inboxId, spam, unanswerable, from } = choice
    const start = typeof from === 'string' ? from : wireTime('from', from)
    const wanted = { name, inbox_id: inboxId, spam, unanswerable, from: start }
    const created = client.consumers.create(wanted, { retry: false })
    created.catch(() => {})
    return created
  }

  async #takeOnce(max: number, signal: AbortSignal): Promise<Taken[]> {
    const { client, clock, leases, choice } = this.#options
    this.#created ??= this.#create()
    try {
      await this.#created
    } catch (error) {
      this.#created = null
      throw error
    }
    // Report handled messages first, so that they are not delivered here again after an outage.
    await abortable(leases.settled(), signal)
    this.#requestId ??= randomId()
    const askedAt = momentOf(clock)
    const { name, onGiveUp } = choice
    const { deliveries } = await client.consumers.lease(
      { name, max, wait_ms: waitMs, request_id: this.#requestId, on_give_up: onGiveUp },
      { signal, timeoutMs: waitMs + graceMs },
    )
    this.#requestId = null
    const { toMessage } = this.#options
    const leased = deliveries.map((record) => leases.add(record, askedAt))
    await leases.confirm(leased)
    const held = leased.filter((lease) => !lease.isSettled && !this.#isHandled(lease))
    const taken = held.map((lease) => ({ lease, message: toMessage(lease.record.message, lease) }))
    const free = signal.aborted ? null : await this.#untaken(this.#filtered(taken), signal)
    if (free && !signal.aborted) return free
    for (const { lease } of free ?? taken) void lease.release()
    return []
  }

  /** Keeps a message while a body of this process handles it. Then it is delivered again. */
  #isHandled(lease: Lease): boolean {
    const body = this.#options.leases.bodyOf(lease)
    void body?.then(() => lease.release()).catch(() => {})
    return body !== null
  }

  /** Leaves messages to the bodies that wait for them (S6), and returns the rest; null on abort. */
  async #untaken(taken: Taken[], signal: AbortSignal): Promise<Taken[] | null> {
    const { takerOf, choice } = this.#options
    const asked = taken.map(({ message }) => takerOf(message, choice.name))
    if (asked.every((one) => one === null)) return taken
    const takers = await abortable(Promise.all(asked), signal).catch(() => null)
    if (!takers) return null
    return taken.filter((one, index) => {
      const taker = takers[index]
      if (taker) void this.#leaveTo(taker, one)
      return !taker
    })
  }

  /**
   * Keeps a message until the waiting body is done. It is acknowledged only if that body found it and
   * succeeded.
   */
  async #leaveTo({ body, found }: Taker, { lease, message }: Taken): Promise<void> {
    const isDone = (await found) === message.id && (await body.over)
    await (isDone ? lease.ack() : lease.release()).catch(() => {})
  }

  /** Acknowledges messages that the filter rejects, and returns the rest. */
  #filtered(taken: Taken[]): Taken[] {
    const { filter } = this.#options.choice
    if (!filter) return taken
    try {
      const wanted = taken.filter(({ message }) => filter(message))
      for (const { lease } of taken.filter((one) => !wanted.includes(one))) void lease.ack()
      return wanted
    } catch (cause) {
      for (const { lease } of taken) void lease.release()
      throw new HandlerError('filter_failed', 'the filter of incoming() threw: see cause', { cause })
    }
  }
}
