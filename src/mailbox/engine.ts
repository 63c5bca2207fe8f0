import type { Client } from '../client'
import { type Event, isSpam, type MessageSummary, type RestanteError, UsageError } from '../protocol'
import { Cache } from './cache'
import { type Clock, systemClock } from './clock'
import {
  createHandleContext,
  createMessages,
  createThreads,
  type Messages,
  type Threads,
} from './collections'
import type { Connection } from './connection'
import type { Hold } from './consumer-hold'
import { type ConsumerHub, createConsumerHub } from './consumer-hub'
import { pageLimit } from './deliver-page'
import { Delivery } from './delivery'
import { createDrafts, type Drafts } from './drafts'
import { Emitter } from './emitter'
import { InboxBook } from './inbox-book'
import { createIncomingHub, type IncomingHub } from './incoming-hub'
import { createLabels, type Labels } from './labels'
import { createLiveHub, type LiveHub } from './live-hub'
import { type HandleContext, Message } from './message'
import type { MailboxParts } from './open-mailbox'
import { PastMail } from './past-mail'
import { createReader } from './reader'
import type { MailboxSettings } from './settings'
import { ShortHandles } from './short-handles'
import { createSources } from './sources'
import { Sync } from './sync'
import { createWaits, type Waits } from './waits'

/** @throws UsageError `invalid_options` */
const readAheadOf = ({ readAhead = pageLimit }: MailboxSettings): number => {
  if (Number.isInteger(readAhead) && readAhead >= 1 && readAhead <= pageLimit) return readAhead
  throw new UsageError('invalid_options', `readAhead is 1 to ${pageLimit}, not ${readAhead}`)
}

/** The parts of a mailbox, joined: what the sync applies goes to all that wait for it. */
export class Engine {
  readonly client: Client
  readonly clock: Clock
  /** The one inbox that is read. */
  readonly inboxId: string | undefined
  readonly inboxes: InboxBook
  readonly messages: Messages
  readonly threads: Threads
  readonly drafts: Drafts
  readonly labels: Labels
  readonly emitter = new Emitter()
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
  constructor({ connection, inboxes, lifetime, settings }: MailboxParts) {
    const { client } = connection
    const { clock = systemClock, cacheBytes: maxBytes } = settings
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
    const handles = new ShortHandles()
    this.drafts = createDrafts({
      client,
      reader,
      watching,
      sender: (wanted) => this.inboxes.sender(wanted, 'drafts.create({ inbox })').id,
      handles,
    })
    this.waits = createWaits({
      client,
      clock,
      cursor,
      follow: (inbox, signal) => this.incoming.open(inbox, { spam: true, signal }),
      toMessage: (record, body) => this.toMessage(record, body),
      bodyOf: (wanted) => this.consumers.bodyOf(wanted),
      addressOf: (id) => this.inboxes.all.find((inbox) => inbox.id === id)?.address,
      resolveInbox: resolve,
      handles,
    })
    const { nextReply } = this.waits
    this.#handles = createHandleContext({ client, reader, drafts: this.drafts, handles, nextReply })
    this.messages = createMessages(this.#handles, watching)
    this.threads = createThreads(this.#handles, watching)
    this.labels = createLabels(reader)
    this.incoming = createIncomingHub({ client, clock, onError, inboxId, readAhead, cursor, toMessage })
    this.consumers = createConsumerHub({
      ...{ client, clock, onError, resolve },
      toMessage: (record, hold) => this.toMessage(record, hold),
    })
    this.sync = this.#createSync(connection, settings)
  }

  /** A message that was asked for. */
  readMessage(record: MessageSummary): Message {
    return new Message(this.#handles, record)
  }

  /** A message that came in, as it is handed over: by a named consumer, or within the body of one of its messages. */
  toMessage(record: MessageSummary, hold?: Hold): Message {
    return new Message(this.#handles, record, new Delivery(record.id, hold))
  }

  /** Ends everything. Again: does nothing. */
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
    if (event.type === 'message.received') {
      this.incoming.deliver(event)
      this.#tell(event.data as unknown as MessageSummary)
    }
    this.emitter.emit('event', event)
  }

  #tell(record: MessageSummary): void {
    if (this.emitter.has('message') && !isSpam(record)) this.emitter.emit('message', this.toMessage(record))
  }

  #reset(applied: number): void {
    this.#cache.clear()
    this.waits.reset()
    this.#live.reset()
    this.incoming.skipped(applied)
    if (this.emitter.has('message')) void this.#tellSkipped({ after: applied, to: this.sync.cursor })
  }

  /** What came in while the log forgot it is told to listeners too. */
  async #tellSkipped({ after, to }: { after: number; to: number }): Promise<void> {
    const { client, inboxId } = this
    const past = new PastMail({ client, inboxId, call: { retry: { totalMs: Number.POSITIVE_INFINITY } } })
    try {
      for (let at = after; at < to; ) {
        const { messages, reached } = await past.next({ after: at, to }, this.#lifetime.signal)
        for (const record of messages) this.#tell(record)
        at = reached
      }
    } catch (error) {
      if (!this.#lifetime.signal.aborted) this.emitter.emit('error', error as RestanteError)
    }
  }

  #fail(error: RestanteError): void {
    this.incoming.fail(error)
    this.#live.end({ error })
    this.emitter.emit('error', error)
  }
}
