import type { Client } from '../../client/client'
import type { RestanteError } from '../../protocol/errors/error'
import type { MessageSummary } from '../../protocol/records/message'
import type { Clock } from '../../protocol/time/clock'
import type { Lease, Taker } from '../base/consumer-lease'
import { asRestanteError } from '../base/failures'
import type { ResolveInbox } from '../cache/inbox-book'
import type { Message } from '../records/message'
import { ConsumerIterator } from './consumer-iterator'
import { ConsumerLeases } from './consumer-leases'
import { ConsumerSource } from './consumer-source'
import type { IncomingMessages, IncomingOptions } from './incoming'
import { checkRun, type MessageHandler, type Run, Runner, type RunOptions } from './runner'

/** The parts of its mailbox that a {@link ConsumerHub} uses. */
interface ConsumerHubOptions {
  client: Client
  clock: Clock
  resolve: ResolveInbox
  toMessage(record: MessageSummary, lease: Lease): Message
  /** Finds the body of that consumer that waits for a message. Null at once if none waits. */
  takerOf(message: Message, consumer: string): Promise<Taker | null> | null
  onError(error: RestanteError): void
  /** Reports errors of handlers, and errors that ended a run. */
  onFailure(error: RestanteError): void
}

/** Loops and runs of the named consumers of one mailbox. */
export interface ConsumerHub {
  /** Starts a loop. @throws UsageError `inbox_not_found` */
  open(options: IncomingOptions & { consumer: string }): IncomingMessages
  /**
   * Returns the lease that a body is handling: of this message, or the only one. Null for none or several.
   *
   * @param wanted Null for none
   */
  bodyOf(wanted: { readonly id: string } | null | undefined): Lease | null
  /** Starts a run. @throws UsageError `inbox_not_found`, `invalid_options` */
  run(handler: MessageHandler, options: RunOptions): Run
  /** Ends all loops, also later ones, and releases their messages. Null if there is nothing to release. */
  close(): Promise<void> | null
}

/** Leases expire by themselves: closing need not wait for a network that is down. */
const closeForMs = 2_000

const within = (clock: Clock, work: Promise<unknown>): Promise<void> =>
  new Promise((resolve) => {
    const cancel = clock.background(closeForMs, resolve)
    void work.then(() => {
      cancel()
      resolve()
    })
  })

class LocalConsumers implements ConsumerHub {
  readonly #options: ConsumerHubOptions
  readonly #client
  readonly #clock
  readonly #resolve
  readonly #toMessage
  readonly #leasesByName = new Map<string, ConsumerLeases>()
  readonly #ends = new Set<() => void>()
  #closed = false

  constructor(options: ConsumerHubOptions) {
    this.#options = options
    const { client, clock, resolve, toMessage } = options
    this.#client = client
    this.#clock = clock
    this.#resolve = resolve
    this.#toMessage = toMessage
  }

  readonly run: ConsumerHub['run'] = (handler, options) => {
    checkRun(options)
    const { concurrency = 10, onError: onFailure, signal, ...wanted } = options
    return new Runner({
      source: this.#sourceOf(wanted),
      handler,
      concurrency,
      onError: onFailure,
      signal,
      report: this.#report,
      onClose: (callback) => {
        if (this.#closed) callback()
        else this.#ends.add(callback)
        return () => void this.#ends.delete(callback)
      },
    })
  }

  readonly close: ConsumerHub['close'] = () => {
    this.#closed = true
    for (const end of [...this.#ends]) end()
    const telling = [...this.#leasesByName.values()].flatMap((leases) => leases.close() ?? [])
    return telling.length === 0 ? null : within(this.#clock, Promise.all(telling))
  }

  readonly bodyOf: ConsumerHub['bodyOf'] = (wanted) => {
    if (wanted === null) return null
    const begun = [...this.#leasesByName.values()].flatMap((leases) => leases.begun())
    const found = wanted ? begun.filter(({ record }) => record.message.id === wanted.id) : begun
    return found.length === 1 ? found[0]! : null
  }

  readonly open: ConsumerHub['open'] = (wanted) => {
    // If the signal has aborted, the iterator ends inside its constructor.
    const end = () => iterator.stop()
    const iterator: ConsumerIterator = new ConsumerIterator({
      source: this.#sourceOf(wanted),
      clock: this.#clock,
      signal: wanted.signal,
      maxInFlight: wanted.acknowledge === 'manual' ? (wanted.maxInFlight ?? 10) : undefined,
      another: () => this.open(wanted),
      onOver: () => void this.#ends.delete(end),
    })
    if (this.#closed) end()
    else if (!iterator.ended) this.#ends.add(end)
    return iterator
  }

  /** Includes the body that has already found it. */
  readonly #takerOf = (message: Message, consumer: string): Promise<Taker | null> | null => {
    const body = this.#leasesOf(consumer)
      .begun()
      .find((lease) => lease.isWith(message.id))
    if (!body) return this.#options.takerOf(message, consumer)
    return Promise.resolve({ body, found: Promise.resolve(message.id) })
  }

  readonly #report = (error: unknown): void => this.#options.onFailure(asRestanteError(error))

  readonly #onError = (error: unknown): void => this.#options.onError(asRestanteError(error))

  #leasesOf(name: string): ConsumerLeases {
    const leases =
      this.#leasesByName.get(name) ??
      new ConsumerLeases({
        client: this.#client,
        clock: this.#clock,
        name,
        onError: (error) => this.#closed || this.#onError(error),
      })
    this.#leasesByName.set(name, leases)
    return leases
  }

  #sourceOf(
    wanted: IncomingOptions & { consumer: string; onGiveUp?: RunOptions['onGiveUp'] },
  ): ConsumerSource {
    const { consumer: name, inbox, spam = false, unanswerable = false, from = 'unanswered' } = wanted
    const { filter, onGiveUp } = wanted
    const choice = { name, inboxId: this.#resolve(inbox), spam, unanswerable, from, filter, onGiveUp }
    return new ConsumerSource({
      client: this.#client,
      clock: this.#clock,
      leases: this.#leasesOf(name),
      choice,
      toMessage: this.#toMessage,
      takerOf: this.#takerOf,
      onError: this.#onError,
    })
  }
}

/** Makes a {@link ConsumerHub}. */
export const createConsumerHub = (options: ConsumerHubOptions): ConsumerHub => new LocalConsumers(options)
