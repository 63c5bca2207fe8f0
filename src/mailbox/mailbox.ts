import { type CallOptions, type Client, onAbort } from '../client'
import type { Account, Event, MessageSummary, RestanteError } from '../protocol'
import { isSpam, UsageError } from '../protocol'
import { Cache } from './cache'
import { type Clock, systemClock } from './clock'
import {
  createHandleContext,
  createMessages,
  createThreads,
  type Messages,
  type Threads,
} from './collections'
import { type Connection, connect, type EmbeddedOptions, type RemoteOptions } from './connection'
import { Delivery } from './delivery'
import { Emitter, type Listener, type MailboxEvents } from './emitter'
import { InboxBook, type MailboxInbox } from './inbox-book'
import type { IncomingMessages, IncomingOptions } from './incoming'
import { createIncomingHub, type IncomingHub } from './incoming-hub'
import { type HandleContext, Message } from './message'
import { createOpening, explainFailure, readAccount } from './opening'
import { contentFields, randomClientId, type SendOptions, type SentMessage, sentMessage } from './outgoing'
import { createPollSource } from './poll-source'
import { createReader } from './reader'
import { createSocketSource } from './socket-source'
import { Sync, type SyncState } from './sync'

/** What every mailbox takes. */
export interface MailboxSettings {
  /** Id or address of the one inbox to read. Default: all that the key may read. */
  inbox?: string
  /** Ends the opening, and later closes the mailbox. */
  signal?: AbortSignal
  /** `auto` (the default) reads by a socket, and polls where sockets do not get through. */
  source?: 'auto' | 'socket' | 'poll'
  /** How long opening may take. Default 10,000. */
  openTimeoutMs?: number
  /** Bound of the cache. Default 64 MiB. */
  cacheBytes?: number
  /** Time and chance; for tests. */
  clock?: Clock
}

/** Where the mailbox is, and how to hold it. */
export type MailboxOptions = (RemoteOptions | EmbeddedOptions) & MailboxSettings

/** Where a mailbox stands: see {@link SyncState}. */
export type MailboxState = SyncState

interface Parts {
  readonly connection: Connection
  readonly inboxes: readonly MailboxInbox[]
  readonly lifetime: AbortController
  readonly settings: MailboxSettings
}

/**
 * The mail of an account, kept in sync with its service: it says when a message comes in, holds what was
 * read, and answers in thread.
 *
 * @example
 * ```ts
 * await using mailbox = await Mailbox.open({ url: 'https://mail.example/v1', apiKey })
 * for await (const message of mailbox.incoming()) {
 *   await message.reply({ text: `You wrote: ${message.text}` })
 * }
 * ```
 */
export class Mailbox implements AsyncDisposable {
  /** Every operation of the service, typed, with this mailbox's key. */
  readonly client: Client
  readonly messages: Messages
  readonly threads: Threads
  readonly #lifetime: AbortController
  readonly #inboxId: string | undefined
  readonly #inboxes: InboxBook
  readonly #cache: Cache
  readonly #handles: HandleContext
  readonly #emitter = new Emitter()
  readonly #incoming: IncomingHub
  readonly #sync: Sync
  #forgetSignal = () => {}

  private constructor({ connection, inboxes, lifetime, settings }: Parts) {
    const { client } = connection
    const { clock = systemClock, cacheBytes: maxBytes } = settings
    this.client = client
    this.#lifetime = lifetime
    this.#inboxes = new InboxBook(inboxes)
    const inboxId = settings.inbox === undefined ? undefined : this.#inboxes.find(settings.inbox).id
    this.#inboxId = inboxId
    if (inboxId !== undefined) this.#inboxes = new InboxBook([this.#inboxes.find(inboxId)])
    this.#cache = new Cache({ maxBytes, inboxId })
    this.#handles = createHandleContext({ client, reader: createReader(client, this.#cache) })
    const resolve = (wanted: string | undefined) =>
      wanted === undefined ? inboxId : this.#inboxes.find(wanted).id
    this.messages = createMessages(this.#handles, resolve)
    this.threads = createThreads(this.#handles, resolve)
    this.#incoming = createIncomingHub({
      client,
      clock,
      inboxId,
      cursor: () => this.#sync.cursor,
      toMessage: (event) => this.#toMessage(event),
      onError: (error) => this.#emitter.emit('error', error),
    })
    this.#sync = this.#createSync(connection, settings, clock)
  }

  /**
   * Opens a mailbox: resolves when it is `live`. Messages from before are in `messages.list()`.
   *
   * @throws ServiceError `unauthorized` for a wrong key, and other refusals. NetworkError `unreachable` when
   *   it is not open within `openTimeoutMs`. UsageError `invalid_options`, `invalid_url`, `invalid_api_key`,
   *   `inbox_not_found`. The reason of an aborted `signal`.
   * @example
   * ```ts
   * const mailbox = await Mailbox.open({ url: 'http://localhost:8025', apiKey, inbox: 'support@mail.example' })
   * ```
   */
  static async open(options: MailboxOptions): Promise<Mailbox> {
    const clock = options.clock ?? systemClock
    const opening = createOpening({
      clock,
      timeoutMs: options.openTimeoutMs ?? 10_000,
      signal: options.signal,
    })
    const lifetime = new AbortController()
    let mailbox: Mailbox | undefined
    let name = 'the service'
    let last: unknown
    try {
      opening.signal.throwIfAborted()
      const connection = await connect(options, lifetime.signal)
      name = connection.name
      const account = await readAccount(connection.client, clock, opening.signal, (error) => {
        last = error
      })
      mailbox = new Mailbox({ connection, inboxes: account.inboxes, lifetime, settings: options })
      await mailbox.#becomeLive(opening.signal)
      mailbox.#followSignal(options.signal)
      return mailbox
    } catch (error) {
      last = mailbox?.state.error ?? last
      await mailbox?.close()
      lifetime.abort(error)
      throw explainFailure(error, name, last)
    } finally {
      opening.end()
    }
  }

  /** Where it stands now. */
  get state(): MailboxState {
    return this.#sync.state
  }

  /** The inboxes that it reads. */
  get inboxes(): readonly MailboxInbox[] {
    return this.#inboxes.all
  }

  /**
   * The address of its one inbox.
   *
   * @throws UsageError `several_inboxes` when it has not exactly one.
   */
  get address(): string {
    return this.#inboxes.only('Mailbox.open({ inbox })').address
  }

  /**
   * Iterates over the messages that come in from now on, oldest first. Each iterator gets all of them, at
   * its own pace: a slow loop misses nothing and costs no memory. Mail that is marked as spam is left out, unless
   * `spam` is true. Leaving the loop releases it.
   *
   * The loop ends when the mailbox is closed; it throws when the service refuses the key, when `signal`
   * aborts (its reason), and when `filter` throws (HandlerError).
   *
   * @throws UsageError `invalid_options`, `inbox_not_found`
   * @example
   * ```ts
   * for await (const message of mailbox.incoming({ filter: (message) => message.verified })) {
   *   console.log(message.from.address, message.subject)
   * }
   * ```
   */
  incoming(options: IncomingOptions = {}): IncomingMessages {
    const inboxId = options.inbox === undefined ? undefined : this.#inboxes.find(options.inbox).id
    return this.#incoming.open(inboxId, options)
  }

  /** The same as {@link incoming} without options. */
  [Symbol.asyncIterator](): IncomingMessages {
    return this.incoming()
  }

  /**
   * Calls a listener; the returned function takes it off. A listener that throws disturbs nobody and is
   * reported to listeners of `error` as a HandlerError.
   *
   * @example
   * ```ts
   * const stop = mailbox.on('state', ({ status, lag }) => console.log(status, lag))
   * ```
   */
  on<Name extends keyof MailboxEvents>(name: Name, listener: Listener<Name>): () => void {
    return this.#emitter.on(name, listener)
  }

  /** Takes a listener off. */
  off<Name extends keyof MailboxEvents>(name: Name, listener: Listener<Name>): void {
    this.#emitter.off(name, listener)
  }

  /**
   * Sends a mail that starts a conversation. Network failures are retried for 5 minutes and never send twice.
   *
   * @throws ServiceError, NetworkError. UsageError `several_inboxes`, `inbox_not_found`.
   * @example
   * ```ts
   * await mailbox.send({ to: 'ana@example.com', subject: 'Your order', text: 'It is on its way.' })
   * ```
   */
  async send(options: SendOptions): Promise<SentMessage> {
    const { to, cc, bcc, subject, inbox, clientId = randomClientId(), signal } = options
    const from = inbox === undefined ? this.#inboxes.only('send({ inbox })') : this.#inboxes.find(inbox)
    const input = {
      inbox_id: from.id,
      to: typeof to === 'string' ? [to] : [...to],
      cc: cc && [...cc],
      bcc: bcc && [...bcc],
      subject,
      ...contentFields(options),
      client_id: clientId,
    }
    return sentMessage(await this.client.messages.send(input, { signal }))
  }

  /** Reads the state of the account, as the service tells it. */
  account(options: CallOptions = {}): Promise<Account> {
    return this.client.account.get({}, options)
  }

  /** Ends everything: iterators finish, calls in flight reject with `mailbox_closed`. Again: does nothing. */
  close(): Promise<void> {
    if (!this.#lifetime.signal.aborted) {
      this.#forgetSignal()
      this.#incoming.close()
      this.#sync.close()
      this.#lifetime.abort(new UsageError('mailbox_closed', 'the mailbox was closed: open another one'))
      this.#cache.clear()
    }
    return Promise.resolve()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  #createSync({ client, openSocket, socket }: Connection, settings: MailboxSettings, clock: Clock): Sync {
    const inboxId = this.#inboxId
    return new Sync({
      client,
      clock,
      inboxId,
      prefer: settings.source ?? 'auto',
      startSocket: createSocketSource({ socket, openSocket, inboxId, clock }),
      startPoll: createPollSource({ client, inboxId, clock }),
      onEvent: (event) => this.#apply(event),
      onState: (state) => this.#emitter.emit('state', state),
      onError: (error) => this.#emitter.emit('error', error),
      onReset: () => this.#cache.clear(),
      onFatal: (error) => this.#fail(error),
    })
  }

  async #becomeLive(signal: AbortSignal): Promise<void> {
    const stops: (() => void)[] = []
    try {
      await new Promise<void>((resolve, reject) => {
        stops.push(
          this.on('state', ({ status, error }) => {
            if (status === 'live') resolve()
            if (status === 'closed') reject(error)
          }),
          onAbort(signal, () => reject(signal.reason)),
        )
        this.#sync.start()
      })
    } finally {
      for (const stop of stops) stop()
    }
  }

  #followSignal(signal: AbortSignal | undefined): void {
    this.#forgetSignal = onAbort(signal, () => void this.close())
  }

  #apply(event: Event): void {
    this.#cache.apply(event)
    if (event.type === 'inbox.created' && this.#inboxId === undefined)
      this.#inboxes.add(event.data as unknown as MailboxInbox)
    if (event.type === 'message.received') {
      this.#incoming.deliver(event)
      const message = this.#emitter.has('message') && this.#toMessage(event)
      if (message && !isSpam(message.record)) this.#emitter.emit('message', message)
    }
    this.#emitter.emit('event', event)
  }

  #toMessage(event: Event): Message {
    return new Message(this.#handles, event.data as unknown as MessageSummary, new Delivery(event.id))
  }

  #fail(error: RestanteError): void {
    this.#incoming.fail(error)
    this.#emitter.emit('error', error)
  }
}
