import type { Client } from '../client'
import { type Event, type EventPage, isServiceError, type RestanteError, UsageError } from '../protocol'
import type { Clock } from './clock'
import { pageLimit } from './deliver-page'
import { type IncomingContext, IncomingIterator, type IncomingOptions } from './incoming'
import type { Message } from './message'
import { findMisfit } from './read-frame'

/** What an {@link IncomingHub} needs of its mailbox. */
export interface IncomingHubOptions {
  client: Client
  clock: Clock
  /** The inbox that the mailbox was opened for. */
  inboxId: string | undefined
  cursor(): number
  toMessage(event: Event): Message
  onError(error: RestanteError): void
}

/** All loops over incoming messages. */
export interface IncomingHub {
  open(inboxId: string | undefined, options: IncomingOptions): IncomingIterator
  deliver(event: Event): void
  /** Ends all loops, also those that are opened later, with this error. */
  fail(error: RestanteError): void
  /** Ends all loops, also those that are opened later. */
  close(): void
}

const known: ReadonlySet<string> = new Set(['signal', 'inbox', 'spam', 'filter'])

const checkOptions = (options: IncomingOptions): void => {
  const unknown = Object.keys(options).find((name) => !known.has(name))
  if (unknown === undefined) return
  throw new UsageError('invalid_options', `incoming() takes ${[...known].join(', ')}, not ${unknown}`)
}

/** Makes an {@link IncomingHub}. */
export const createIncomingHub = (options: IncomingHubOptions): IncomingHub => {
  const iterators = new Set<IncomingIterator>()
  let end: ((iterator: IncomingIterator) => void) | null = null

  const readLog = async (
    after: number,
    inboxId = options.inboxId,
    signal: AbortSignal,
  ): Promise<EventPage> => {
    const query = { after, inbox_id: inboxId, types: 'message.received', limit: pageLimit }
    const page = await options.client.events.list(query, { signal, retry: false })
    return { ...page, events: page.events.filter((event) => findMisfit(event) === null) }
  }
  const judge = (error: unknown): 'over' | 'again' | 'expired' => {
    if (!isServiceError(error)) return 'again'
    if (error.status === 401 || error.status === 403) return 'over'
    options.onError(error)
    return error.status === 410 ? 'expired' : 'again'
  }
  const context: IncomingContext = {
    clock: options.clock,
    cursor: options.cursor,
    toMessage: options.toMessage,
    readLog,
    onReadFailure: judge,
    onOver: (iterator) => void iterators.delete(iterator),
  }
  const endAll = (how: (iterator: IncomingIterator) => void): void => {
    end ??= how
    for (const iterator of [...iterators]) how(iterator)
  }

  return {
    open: (inboxId, incoming) => {
      checkOptions(incoming)
      const iterator = new IncomingIterator(context, inboxId, incoming)
      end?.(iterator)
      if (!iterator.ended) iterators.add(iterator)
      return iterator
    },
    deliver: (event) => {
      for (const iterator of iterators) iterator.offer(event)
    },
    fail: (error) => endAll((iterator) => iterator.fail(error, true)),
    close: () => endAll((iterator) => iterator.end()),
  }
}
