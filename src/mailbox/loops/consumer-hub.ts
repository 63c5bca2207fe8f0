import type { Client, Clock } from '../../client'
import type { RestanteError } from '../../protocol/errors'
import type { MessageSummary } from '../../protocol/records'
import { asRestanteError, type Lease, type Taker } from '../base'
import type { ResolveInbox } from '../cache'
import type { Message } from '../records'
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

/** Makes a {@link ConsumerHub}. */
export const createConsumerHub = (options: ConsumerHubOptions): ConsumerHub => {
  const { client, clock, resolve, toMessage } = options
  const leasesByName = new Map<string, ConsumerLeases>()
  const ends = new Set<() => void>()
  let closed = false

  const onError = (error: unknown): void => options.onError(asRestanteError(error))
  const report = (error: unknown): void => options.onFailure(asRestanteError(error))
  const leasesOf = (name: string): ConsumerLeases => {
    const leases =
      leasesByName.get(name) ??
      new ConsumerLeases({ client, clock, name, onError: (error) => closed || onError(error) })
    leasesByName.set(name, leases)
    return leases
  }
  /** Includes the body that has already found it. */
  const takerOf = (message: Message, consumer: string): Promise<Taker | null> | null => {
    const body = leasesOf(consumer)
      .begun()
      .find((lease) => lease.isWith(message.id))
    if (!body) return options.takerOf(message, consumer)
    return Promise.resolve({ body, found: Promise.resolve(message.id) })
  }
  const sourceOf = (wanted: IncomingOptions & { consumer: string }): ConsumerSource => {
    const { consumer: name, inbox, spam = false, unanswerable = false, from = 'unanswered', filter } = wanted
    const choice = { name, inboxId: resolve(inbox), spam, unanswerable, from, filter }
    return new ConsumerSource({ client, clock, leases: leasesOf(name), choice, toMessage, takerOf, onError })
  }
  const open: ConsumerHub['open'] = (wanted) => {
    // If the signal has aborted, the iterator ends inside its constructor.
    const end = () => iterator.stop()
    const iterator: ConsumerIterator = new ConsumerIterator({
      source: sourceOf(wanted),
      clock,
      signal: wanted.signal,
      maxInFlight: wanted.acknowledge === 'manual' ? (wanted.maxInFlight ?? 10) : undefined,
      another: () => open(wanted),
      onOver: () => void ends.delete(end),
    })
    if (closed) end()
    else if (!iterator.ended) ends.add(end)
    return iterator
  }

  const bodyOf: ConsumerHub['bodyOf'] = (wanted) => {
    if (wanted === null) return null
    const begun = [...leasesByName.values()].flatMap((leases) => leases.begun())
    const found = wanted ? begun.filter(({ record }) => record.message.id === wanted.id) : begun
    return found.length === 1 ? found[0]! : null
  }

  return {
    open,
    bodyOf,
    run: (handler, options) => {
      checkRun(options)
      const { concurrency = 10, onError: onFailure, signal, ...wanted } = options
      return new Runner({
        source: sourceOf(wanted),
        handler,
        concurrency,
        onError: onFailure,
        signal,
        report,
        onClose: (callback) => {
          if (closed) callback()
          else ends.add(callback)
          return () => void ends.delete(callback)
        },
      })
    },
    close: () => {
      closed = true
      for (const end of [...ends]) end()
      const telling = [...leasesByName.values()].flatMap((leases) => leases.close() ?? [])
      return telling.length === 0 ? null : within(clock, Promise.all(telling))
    },
  }
}
