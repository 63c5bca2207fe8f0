import type { Client } from '../client/client'
import { type RestanteError, UsageError } from '../protocol/errors/error'
import type { Event } from '../protocol/records/event'
import type { MessageSummary } from '../protocol/records/message'
import { type Clock, systemClock } from '../protocol/time/clock'
import type { Lease } from './base/consumer-lease'
import { Cache } from './cache/cache'
import { InboxBook, type MailboxInbox } from './cache/inbox-book'
import { createReader } from './cache/reader'
import {
  createHandleContext,
  createMessages,
  createThreads,
  type Messages,
  type Threads,
} from './collections'
import { Emitter } from './emitter'
import { createLiveHub, type LiveHub } from './live/live-hub'
import { type ConsumerHub, createConsumerHub } from './loops/consumer-hub'
import { isDelivered } from './loops/incoming'
import { createIncomingHub, type IncomingHub } from './loops/incoming-hub'
import { draftForward } from './records/answers'
import { createDrafts, type Drafts } from './records/drafts'
import { createHandles } from './records/handles'
import { createLabels, type Labels } from './records/labels'
import { type HandleContext, Message } from './records/message'
import { Turn } from './records/turn'
import type { MailboxSettings } from './settings'
import { type Connection, createSources } from './sync/connection'
import { PastMail } from './sync/past-mail'
import { pageLimit } from './sync/source'
import { Sync } from './sync/sync'
import { createWaits, type Waits } from './waits/waits'

/** The parts of an {@link Engine}. */
interface EngineParts {
  readonly connection: Connection
  readonly inboxes: readonly MailboxInbox[]
  readonly lifetime: AbortController
  readonly settings: MailboxSettings
}

/** @throws UsageError `invalid_options` */
const readAheadOf = ({ readAhead = pageLimit }: MailboxSettings): number => {
  if (Number.isInteger(readAhead) && readAhead >= 1 && readAhead <= pageLimit) return readAhead
  throw new UsageError('invalid_options', `readAhead is 1 to ${pageLimit}, not ${readAhead}`)
}

/** Returns one turn for all drafts by id in one body: a second one under the same key is refused. */
function createSharedTurns(leaseOf: (message: { readonly id: string }) => Lease | null) {
  const turns = new WeakMap<Lease, Turn>()
  return (message: { readonly id: string }) => {
    const lease = leaseOf(message)
    if (lease && !turns.has(lease)) turns.set(lease, new Turn(message.id, lease))
    return lease && turns.get(lease)!
  }
}

/** The parts of a mailbox, connected: events that the sync applies go to every part that follows the log. */
export class Engine {
  readonly client: Client
  readonly clock: Clock
  /** The one inbox that is read; undefined for all. */
  readonly inboxId: string | undefined
  readonly inboxes: InboxBook
  readonly messages: Messages
  readonly threads: Threads
  readonly drafts: Drafts
  readonly labels: Labels
  readonly emitter = new Emitter()
  /** Reports an error that nothing else reports. */
  readonly onFailure = (error: RestanteError): void => this.emitter.fail(error)
  readonly incoming: IncomingHub
  readonly consumers: ConsumerHub
  readonly waits: Waits
  readonly sync: Sync
  readonly #lifetime: AbortController
  readonly #cache: Cache
  readonly #handles: HandleContext
  readonly #live: LiveHub
  #closing: Promise<void> | undefined

  /** @throws UsageError `inbox_not_found`, `invalid_options` */
  constructor({ connection, inboxes, lifetime, settings }: EngineParts) {
    const { client } = connection
    const { clock = systemClock, maxCacheBytes: maxBytes } = settings
    const readAhead = readAheadOf(settings)
    this.client = client
    this.clock = clock
    this.#lifetime = lifetime
    const book = new InboxBook(inboxes)
    const inboxId = settings.inbox === undefined ? undefined : book.find(settings.inbox).id
    this.inboxId = inboxId
    this.inboxes = inboxId === undefined ? book : new InboxBook([book.find(inboxId)])
    this.#cache = new Cache({ maxBytes, inboxId })
    const resolve = (wanted: string | undefined) =>
      wanted === undefined ? inboxId : this.inboxes.find(wanted).id
    const onError = (error: RestanteError) => this.emitter.emit('error', error)
    const cursor = () => this.sync.cursor
    const toMessage = (record: MessageSummary) => this.toMessage(record)
    this.#live = createLiveHub({ client, clock, inboxId, sync: () => this.sync, onError })
    const watching = { client, hub: this.#live, resolve }
    const reader = createReader(client, this.#cache)
    const handles = createHandles({ client, cache: this.#cache, reader, inboxId })
    this.drafts = createDrafts({
      client,
      reader,
      watching,
      sender: (wanted) => this.inboxes.sender(wanted, 'drafts.create({ inbox })').id,
      handles,
      draftForward: (message, place, options) => {
        const answered =
          message instanceof Message
            ? message.answered
            : { client, id: message.id, turn: sharedTurnOf(message) }
        return draftForward(answered, place, options)
      },
    })
    this.waits = this.#createWaits(resolve)
    const { nextReply } = this.waits
    const turnOf = (message: { readonly id: string }) => {
      const lease = this.consumers.bodyOf(message)
      return lease && new Turn(message.id, lease)
    }
    const sharedTurnOf = createSharedTurns((message) => this.consumers.bodyOf(message))
    this.#handles = createHandleContext({
      ...{ client, reader, drafts: this.drafts, handles, nextReply, turnOf },
    })
    this.messages = createMessages(this.#handles, watching)
    this.threads = createThreads(this.#handles, watching)
    this.labels = createLabels(reader)
    this.incoming = createIncomingHub({
      ...{ client, clock, onError, inboxId, readAhead, cursor, toMessage },
      isCurrent: (page) => this.sync.isCurrent(page),
    })
    this.consumers = createConsumerHub({
      ...{ client, clock, onError, onFailure: this.onFailure, resolve },
      toMessage: (record, lease) => this.toMessage(record, lease),
      takerOf: (message, consumer) => this.waits.takerOf(message, consumer),
    })
    this.sync = this.#createSync(connection, settings)
  }

  /** Makes a message that was requested. */
  readMessage(record: MessageSummary): Message {
    return new Message(this.#handles, record)
  }

  /** Makes a delivered message, with the lease of its named consumer or of the body that waited for it. */
  toMessage(record: MessageSummary, lease?: Lease): Message {
    return new Message(this.#handles, record, new Turn(record.id, lease))
  }

  /** Returns the message of an event, for listeners and webhooks; null if none can be answered. */
  receivedMessage({ type, data }: Event): Message | null {
    return type === 'message.received' ? this.#delivered(data as unknown as MessageSummary) : null
  }

  #delivered(record: MessageSummary): Message | null {
    return isDelivered(record) ? this.toMessage(record) : null
  }

  /** Closes the mailbox. Safe to call again. */
  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    this.incoming.close()
    this.#live.end()
    this.sync.close()
    const givingBack = this.consumers.close()
    if (givingBack) await givingBack
    this.#lifetime.abort(new UsageError('mailbox_closed', 'the mailbox was closed: open another one'))
    this.#cache.clear()
  }

  #createWaits(resolveInbox: (wanted: string | undefined) => string | undefined): Waits {
    return createWaits({
      client: this.client,
      clock: this.clock,
      cursor: () => this.sync.cursor,
      epoch: () => this.sync.epoch,
      positionOf: (seq, epoch) => this.sync.positionOf(seq, epoch),
      follow: (inbox, signal) => this.incoming.open(inbox, { spam: true, unanswerable: true, signal }),
      toMessage: (record, body) => this.toMessage(record, body),
      bodyOf: (wanted) => this.consumers.bodyOf(wanted),
      addressOf: (id) => this.inboxes.all.find((inbox) => inbox.id === id)?.address,
      resolveInbox,
    })
  }

  #createSync(connection: Connection, { source }: MailboxSettings): Sync {
    return new Sync({
      client: this.client,
      clock: this.clock,
      inboxId: this.inboxId,
      prefer: source ?? 'auto',
      sources: createSources(connection, this.inboxId, this.clock),
      onEvent: (event) => this.#apply(event),
      onState: (state) => {
        if (state.status === 'live') this.#live.levelled()
        this.emitter.emit('state', state)
      },
      onError: (error) => this.emitter.emit('error', error),
      onReset: (applied) => this.#reset(applied),
      onFatal: (error) => this.#fail(error),
    })
  }

  #apply(event: Event): void {
    this.#cache.apply(event)
    this.waits.apply(event)
    this.#live.apply(event)
    if (this.inboxId === undefined) this.inboxes.apply(event)
    if (event.type === 'message.received') this.incoming.push(event)
    if (this.emitter.has('message')) this.#tell(this.receivedMessage(event))
    this.emitter.emit('event', event)
  }

  #tell(message: Message | null): void {
    if (message) this.emitter.emit('message', message)
  }

  #reset(applied: number): void {
    this.#cache.clear()
    this.waits.reset(applied)
    this.#live.reset()
    this.incoming.skipped(applied)
    if (this.emitter.has('message')) void this.#tellSkipped({ after: applied, to: this.sync.cursor })
  }

  /** Emits the messages that arrived in a gap of the log. */
  async #tellSkipped({ after, to }: { after: number; to: number }): Promise<void> {
    const { client, inboxId } = this
    const past = new PastMail({ client, inboxId, call: { retry: { totalMs: Number.POSITIVE_INFINITY } } })
    try {
      for (let at = after; at < to; ) {
        const { messages, reached } = await past.next({ after: at, to }, this.#lifetime.signal)
        for (const record of messages) this.#tell(this.#delivered(record))
        at = reached
      }
    } catch (error) {
      if (!this.#lifetime.signal.aborted) this.emitter.emit('error', error as RestanteError)
    }
  }

  #fail(error: RestanteError): void {
    this.incoming.fail(error)
    this.#live.end({ error })
    this.onFailure(error)
  }
}
