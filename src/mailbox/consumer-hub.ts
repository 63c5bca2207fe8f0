import type { Client } from '../client'
import type { MessageSummary, RestanteError } from '../protocol'
import { asRestanteError } from './as-error'
import type { Clock } from './clock'
import type { Hold } from './consumer-hold'
import { ConsumerIterator } from './consumer-iterator'
import { ConsumerLeases } from './consumer-leases'
import { ConsumerSource } from './consumer-source'
import type { ResolveInbox } from './inbox-book'
import type { IncomingMessages, IncomingOptions } from './incoming'
import type { Message } from './message'
import { checkConcurrency, type MessageHandler, type Run, Runner, type RunOptions } from './runner'

/** What a {@link ConsumerHub} needs of its mailbox. */
export interface ConsumerHubOptions {
  client: Client
  clock: Clock
  resolve: ResolveInbox
  toMessage(record: MessageSummary, hold: Hold): Message
  onError(error: RestanteError): void
}

/** What goes on with named consumers in this mailbox. */
export interface ConsumerHub {
  /** Begins a loop. @throws UsageError `inbox_not_found` */
  open(options: IncomingOptions & { consumer: string }): IncomingMessages
  /**
   * The message that a body is at: this one, or the only one there is.
   *
   * @param wanted Null for none
   */
  bodyOf(wanted: { readonly id: string } | null | undefined): Hold | null
  /** Begins a run. @throws UsageError `inbox_not_found`, `invalid_options` */
  run(handler: MessageHandler, options: RunOptions): Run
  /** Ends all loops, also those that are opened later, and gives back what they have. Null where that is nothing. */
  close(): Promise<void> | null
}

/** Leases end by themselves: closing does not wait for a network that is gone. */
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
  const leasesOf = (name: string): ConsumerLeases => {
    const leases =
      leasesByName.get(name) ??
      new ConsumerLeases({ client, clock, name, onError: (error) => closed || onError(error) })
    leasesByName.set(name, leases)
    return leases
  }
  const sourceOf = (wanted: IncomingOptions & { consumer: string }): ConsumerSource => {
    const { consumer: name, inbox, spam = false, from = 'start', filter } = wanted
    const choice = { name, inboxId: resolve(inbox), spam, from, filter }
    return new ConsumerSource({ client, clock, leases: leasesOf(name), choice, toMessage, onError })
  }
  const open: ConsumerHub['open'] = (wanted) => {
    // The iterator may be over before it is made, where the signal has aborted.
    const end = () => iterator.stop()
    const iterator: ConsumerIterator = new ConsumerIterator({
      source: sourceOf(wanted),
      clock,
      signal: wanted.signal,
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
    if (wanted) return begun.find(({ record }) => record.message.id === wanted.id) ?? null
    return begun.length === 1 ? begun[0]! : null
  }

  return {
    open,
    bodyOf,
    run: (handler, { concurrency = 10, onError: onFailure, signal, ...wanted }) =>
      new Runner({
        source: sourceOf(wanted),
        handler,
        concurrency: checkConcurrency(concurrency),
        onError: onFailure,
        signal,
        report: onError,
        onClose: (callback) => {
          if (closed) callback()
          else ends.add(callback)
          return () => void ends.delete(callback)
        },
      }),
    close: () => {
      closed = true
      for (const end of [...ends]) end()
      const telling = [...leasesByName.values()].flatMap((leases) => leases.close() ?? [])
      return telling.length === 0 ? null : within(clock, Promise.all(telling))
    },
  }
}
