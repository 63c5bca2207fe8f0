import { abortable, type Client, pause } from '../client'
import {
  HandlerError,
  isNetworkError,
  isRestanteError,
  isServiceError,
  type MessageSummary,
} from '../protocol'
import { backoffMs, reconnectBackoff } from './backoff'
import type { Clock } from './clock'
import type { Hold } from './consumer-hold'
import type { ConsumerLeases } from './consumer-leases'
import type { Message } from './message'
import { randomId } from './random-id'

const waitMs = 25_000
/** For the answer to come back. */
const graceMs = 10_000

/** Which messages a consumer is for, and where a new one begins. */
export interface ConsumerChoice {
  readonly name: string
  readonly inboxId: string | undefined
  readonly spam: boolean
  readonly from: 'start' | 'now' | Date
  readonly filter: ((message: Message) => boolean) | undefined
}

/** What a {@link ConsumerSource} needs. */
export interface ConsumerSourceOptions {
  client: Client
  clock: Clock
  leases: ConsumerLeases
  choice: ConsumerChoice
  toMessage(record: MessageSummary, hold: Hold): Message
  onError(error: unknown): void
}

/** A message that was handed out to this process. */
export interface Taken {
  readonly hold: Hold
  readonly message: Message
}

const finalCodes: ReadonlySet<string> = new Set([
  'invalid_request',
  'not_found',
  'consumer_exists',
  'consumer_limit_reached',
])

/** Whether nothing can come any more. */
function isFinal(error: unknown): boolean {
  if (isServiceError(error)) return error.status === 401 || error.status === 403 || finalCodes.has(error.code)
  return isRestanteError(error) && !isNetworkError(error)
}

/** Takes messages of a named consumer from the service. */
export class ConsumerSource {
  readonly #options: ConsumerSourceOptions
  #created: Promise<unknown> | null
  /** Of a request whose answer did not arrive: its messages may be ours. */
  #requestId: string | null = null

  constructor(options: ConsumerSourceOptions) {
    this.#options = options
    this.#created = this.#create()
  }

  /**
   * Waits until there are messages, and takes up to `most` of them. Whatever passes is waited for; none where the
   * signal aborts.
   *
   * @throws What the service refuses for good; HandlerError `filter_failed`
   */
  async take(most: number, signal: AbortSignal): Promise<Taken[]> {
    const { clock, onError } = this.#options
    for (let failures = 0; !signal.aborted; ) {
      try {
        const taken = await this.#takeOnce(most, signal)
        if (taken.length > 0) return taken
        failures = 0
      } catch (error) {
        if (signal.aborted) break
        if (isFinal(error)) throw error
        failures += 1
        if (isServiceError(error)) onError(error)
        await pause(clock, backoffMs(failures, clock.random(), reconnectBackoff), signal)
      }
    }
    return []
  }

  #create(): Promise<unknown> {
    const { client, choice } = this.#options
    const { name, inboxId, spam, from } = choice
    const start = from instanceof Date ? from.toISOString() : from
    const created = client.consumers.create({ name, inbox_id: inboxId, spam, from: start }, { retry: false })
    created.catch(() => {})
    return created
  }

  async #takeOnce(most: number, signal: AbortSignal): Promise<Taken[]> {
    const { client, leases, choice } = this.#options
    this.#created ??= this.#create()
    try {
      await this.#created
    } catch (error) {
      this.#created = null
      throw error
    }
    // What was handled here while the service could not be reached does not come here again.
    await abortable(leases.told(), signal)
    this.#requestId ??= randomId()
    const { deliveries } = await client.consumers.lease(
      { name: choice.name, max: most, wait_ms: waitMs, request_id: this.#requestId },
      { signal, timeoutMs: waitMs + graceMs },
    )
    this.#requestId = null
    const holds = deliveries.map((record) => leases.hold(record))
    if (signal.aborted) {
      for (const hold of holds) void hold.release()
      return []
    }
    const { toMessage } = this.#options
    return this.#filtered(holds.map((hold) => ({ hold, message: toMessage(hold.record.message, hold) })))
  }

  /** What the filter does not want is done with. */
  #filtered(taken: Taken[]): Taken[] {
    const { filter } = this.#options.choice
    if (!filter) return taken
    try {
      const wanted = taken.filter(({ message }) => filter(message))
      for (const { hold } of taken.filter((one) => !wanted.includes(one))) void hold.ack()
      return wanted
    } catch (cause) {
      for (const { hold } of taken) void hold.release()
      throw new HandlerError('filter_failed', 'the filter of incoming() threw: see cause', { cause })
    }
  }
}
