import type { Client } from '../../client/client'
import { isKeyRefusal } from '../../client/retry'
import { isServiceError, type RestanteError, UsageError } from '../../protocol/errors/error'
import { checkChoice, checkOptions, type OptionNames } from '../../protocol/options'
import type { Event, EventPage } from '../../protocol/records/event'
import type { MessageSummary } from '../../protocol/records/message'
import type { Clock } from '../../protocol/time/clock'
import type { Message } from '../records/message'
import { PastMail } from '../sync/past-mail'
import { checkStart, type IncomingContext, IncomingIterator, type IncomingOptions } from './incoming'

/** The parts of its mailbox that an {@link IncomingHub} uses. */
interface IncomingHubOptions {
  client: Client
  clock: Clock
  /** The inbox that the mailbox was opened for. */
  inboxId: string | undefined
  readAhead: number
  cursor(): number
  /** Returns whether a page of the log is of the epoch of the cursor. */
  isCurrent(page: EventPage): boolean
  toMessage(record: MessageSummary): Message
  onError(error: RestanteError): void
}

/** All loops over incoming messages without a consumer. */
export interface IncomingHub {
  open(inboxId: string | undefined, options: IncomingOptions): IncomingIterator
  push(event: Event): void
  /** The sync has skipped a gap of the log. */
  skipped(from: number): void
  /** Ends all loops, also later ones, with this error. */
  fail(error: RestanteError): void
  /** Ends all loops, also later ones. */
  close(): void
}

const names: OptionNames<IncomingOptions> = {
  ...{
    consumer: true,
    acknowledge: true,
    maxInFlight: true,
    from: true,
    signal: true,
    inbox: true,
    spam: true,
    unanswerable: true,
    filter: true,
  },
}

/** @throws UsageError `invalid_options` */
export const checkIncoming = (options: IncomingOptions): void => {
  checkOptions('incoming()', options, names)
  const { consumer, from, acknowledge = 'next', maxInFlight } = options
  const refuse = (text: string) => {
    throw new UsageError('invalid_options', text)
  }
  checkChoice('acknowledge', acknowledge, ['next', 'manual'])
  checkStart(from)
  if (
    (from ?? maxInFlight ?? (acknowledge === 'manual' || undefined)) !== undefined &&
    consumer === undefined
  )
    refuse('from, acknowledge and maxInFlight need a named consumer: give incoming() a consumer')
  if (maxInFlight === undefined) return
  if (acknowledge !== 'manual') refuse("maxInFlight needs acknowledge: 'manual'")
  if (!(Number.isInteger(maxInFlight) && maxInFlight >= 1 && maxInFlight <= 100))
    refuse(`maxInFlight is 1 to 100, not ${maxInFlight}`)
}

/** Makes an {@link IncomingHub}. */
export const createIncomingHub = (options: IncomingHubOptions): IncomingHub => {
  const iterators = new Set<IncomingIterator>()
  let end: ((iterator: IncomingIterator) => void) | null = null

  const { client, readAhead, onError, isCurrent } = options
  const judge = (error: unknown): 'over' | 'again' => {
    if (!isServiceError(error)) return 'again'
    if (isKeyRefusal(error)) return 'over'
    onError(error)
    return 'again'
  }
  const context: IncomingContext = {
    clock: options.clock,
    readAhead,
    cursor: options.cursor,
    toMessage: options.toMessage,
    pastMail: (inboxId = options.inboxId) =>
      new PastMail({ client, inboxId, call: { retry: false }, limit: readAhead, onCut: onError, isCurrent }),
    onReadFailure: judge,
    onOver: (iterator) => void iterators.delete(iterator),
  }
  const endAll = (how: (iterator: IncomingIterator) => void): void => {
    end ??= how
    for (const iterator of [...iterators]) how(iterator)
  }

  return {
    open: (inboxId, incoming) => {
      const iterator = new IncomingIterator(context, inboxId, incoming)
      end?.(iterator)
      if (!iterator.ended) iterators.add(iterator)
      return iterator
    },
    push: (event) => {
      for (const iterator of iterators) iterator.offer(event)
    },
    skipped: (from) => {
      for (const iterator of iterators) iterator.skipped(from)
    },
    fail: (error) => endAll((iterator) => iterator.fail(error, true)),
    close: () => endAll((iterator) => iterator.end()),
  }
}
