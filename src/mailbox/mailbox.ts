import { type CallOptions, type Client, onAbort } from '../client'
import type { Account } from '../protocol/records'
import { readWebhookEvent } from '../protocol/webhook-event'
import { BoundedMap, type Wait, type WaitFilter, type WaitOptions } from './base'
import { createInboxes, type Inboxes } from './cache'
import type { Messages, Threads } from './collections'
import type { Listener, MailboxEvents } from './emitter'
import type { Engine } from './engine'
import {
  Consumer,
  checkIncoming,
  type IncomingMessages,
  type IncomingOptions,
  type MessageHandler,
  type Run,
  type RunOptions,
} from './loops'
import { openEngine } from './open'
import {
  type Drafts,
  type Labels,
  type Message,
  type SendOptions,
  type SentMessage,
  sendMail,
} from './records'
import type { MailboxOptions } from './settings'
import type { SyncState } from './sync'
import type { NextReplyOptions, WaitPredicate } from './waits'
import { createWebhook, type WebhookOptions, type WebhookReceiver } from './webhook'

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
  readonly #engine: Engine
  #forgetSignal = () => {}

  private constructor(engine: Engine) {
    this.#engine = engine
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
    const mailbox = new Mailbox(await openEngine(options))
    mailbox.#forgetSignal = onAbort(options.signal, () => void mailbox.close())
    return mailbox
  }

  /** Every operation of the service, typed, with this mailbox's key. */
  get client(): Client {
    return this.#engine.client
  }

  get messages(): Messages {
    return this.#engine.messages
  }

  get threads(): Threads {
    return this.#engine.threads
  }

  /** Mail that is not sent yet. */
  get drafts(): Drafts {
    return this.#engine.drafts
  }

  get labels(): Labels {
    return this.#engine.labels
  }

  /** The status, the cursor and the lag, now. */
  get state(): SyncState {
    return this.#engine.sync.state
  }

  /** The inboxes that it reads. */
  get inboxes(): Inboxes {
    const { client, inboxes, inboxId } = this.#engine
    return createInboxes(client, inboxes, inboxId === undefined)
  }

  /**
   * The address of its one inbox.
   *
   * @throws UsageError `several_inboxes` when it has not exactly one.
   */
  get address(): string {
    return this.#engine.inboxes.only('Mailbox.open({ inbox })').address
  }

  /**
   * Iterates over the messages that come in, oldest first; a slow loop misses nothing and costs no memory.
   *
   * With a `consumer`, each message comes until it was handled, which it is when the loop asks for the next: leaving
   * the loop in any way gives back what it has. Without, it starts from now, and each iterator gets all messages.
   * With `acknowledge: 'manual'` a message is handled by `message.ack()` alone, and up to `maxInFlight` are out at once.
   * The loop ends when the mailbox is closed; it throws when the service refuses, when `signal` aborts (its reason),
   * and when `filter` throws (HandlerError).
   *
   * @throws UsageError `invalid_options`, `inbox_not_found`. The loop: ServiceError `consumer_exists` where the
   *   consumer is for another inbox, or differs in `spam`.
   * @example
   * ```ts
   * for await (const message of mailbox.incoming({ consumer: 'support-bot' })) {
   *   await message.reply({ text: await agent(await message.thread()) })
   * }
   * ```
   */
  incoming(options: IncomingOptions = {}): IncomingMessages {
    checkIncoming(options)
    const { consumer, inbox } = options
    if (consumer !== undefined) return this.#engine.consumers.open({ ...options, consumer })
    return this.#engine.incoming.open(
      inbox === undefined ? undefined : this.#engine.inboxes.find(inbox).id,
      options,
    )
  }

  /**
   * Handles messages until it is stopped, several at once, each acknowledged when its handler is done. One whose
   * handler throws is delivered again; but `thread_moved`, as of `reply({ onlyIfLatest: true })`, counts as handled, and
   * so do `drafted_before` and `replied_before`: an earlier turn answered otherwise.
   *
   * @throws UsageError `invalid_options`, `inbox_not_found`
   * @example
   * ```ts
   * const run = mailbox.run((message) => answer(message), { consumer: 'support-bot', concurrency: 4 })
   * process.once('SIGTERM', () => run.stop()) // finishes what it is at
   * ```
   */
  run(handler: MessageHandler, options: RunOptions): Run {
    return this.#engine.consumers.run(handler, options)
  }

  /**
   * A named consumer, to see how it is doing and what it could not do. Asks the service nothing by itself.
   *
   * @example
   * ```ts
   * const { waiting, dead } = await mailbox.consumer('support-bot').state()
   * if (dead > 0) await mailbox.consumer('support-bot').redrive()
   * ```
   */
  consumer(name: string): Consumer {
    return new Consumer(name, {
      client: this.client,
      toMessage: (record) => this.#engine.readMessage(record),
    })
  }

  /** The same as {@link incoming} without options. */
  [Symbol.asyncIterator](): IncomingMessages {
    return this.incoming()
  }

  /**
   * Calls a listener; the returned function takes it off. A listener that throws disturbs no other and is reported to
   * listeners of `error` as a HandlerError.
   *
   * @example
   * ```ts
   * const stop = mailbox.on('state', ({ status, lag }) => console.log(status, lag))
   * ```
   */
  on<Name extends keyof MailboxEvents>(name: Name, listener: Listener<Name>): () => void {
    return this.#engine.emitter.on(name, listener)
  }

  /**
   * Takes a listener off.
   *
   * @example
   * ```ts
   * const listener = (error: Error) => console.error(error)
   * mailbox.on('error', listener)
   * mailbox.off('error', listener)
   * ```
   */
  off<Name extends keyof MailboxEvents>(name: Name, listener: Listener<Name>): void {
    this.#engine.emitter.off(name, listener)
  }

  /**
   * Sends a message that starts a conversation. Network failures are retried for 5 minutes and never send twice.
   *
   * @throws ServiceError, NetworkError. UsageError `several_inboxes`, `inbox_not_found`, `message_empty`,
   *   `invalid_options`.
   * @example
   * ```ts
   * await mailbox.send({ to: 'ana@example.com', subject: 'Your order', text: 'It is on its way.' })
   * ```
   */
  async send(options: SendOptions): Promise<SentMessage> {
    return sendMail(this.client, (wanted) => this.#engine.inboxes.sender(wanted, 'send({ inbox })'), options)
  }

  /**
   * Waits for the first message that comes in from now on and is what the filter asks for. A filter is data, so that
   * the wait can go on in another process: see {@link resumeWait}. How long it waits stands beside it, or in `options`.
   *
   * @throws UsageError `invalid_options`, `inbox_not_found`, `unknown_handle`
   * @example
   * ```ts
   * const invoice = await mailbox.waitFor({ from: 'shop.example', subject: 'invoice', timeoutMs: 60_000 })
   * ```
   */
  waitFor(filter: (WaitFilter & WaitOptions) | WaitPredicate, options: WaitOptions = {}): Wait<Message> {
    return this.#engine.waits.waitFor('waitFor()', filter, options)
  }

  /**
   * The same as {@link waitFor}, to be called *before* what makes somebody write: it looks from then on, so that a fast
   * answer is not missed. Name the sender: then only mail that is proven to be theirs counts.
   *
   * @example
   * ```ts
   * const expecting = mailbox.expect({ from: 'github.com', kind: 'code', timeoutMs: 120_000 })
   * await clickSignIn()
   * await enterCode(await expecting.code())
   * ```
   */
  expect(filter: (WaitFilter & WaitOptions) | WaitPredicate, options: WaitOptions = {}): Wait<Message> {
    return this.#engine.waits.waitFor('expect()', filter, options)
  }

  /**
   * Waits for the first message that came into the thread of a message after it: of one that was sent, or of any
   * other, named by its id. What came before this was called counts too.
   *
   * @throws UsageError `unknown_handle`
   * @example
   * ```ts
   * const sent = await mailbox.send({ to: 'ana@example.com', subject: 'Lunch?', text: 'At noon?' })
   * const answer = await mailbox.nextReply(sent, { timeoutMs: 24 * 3_600_000 })
   * ```
   */
  nextReply(message: { readonly id: string }, options: NextReplyOptions = {}): Wait<Message> {
    return this.#engine.waits.nextReply(message.id, options)
  }

  /**
   * Goes on with a wait of another process, or of this one before it ended. What came meanwhile counts, also where the
   * event log no longer reaches back. The time that the wait was given goes on, unless `timeoutMs` gives another.
   *
   * @throws UsageError `invalid_token`, `not_in_mailbox`
   * @example
   * ```ts
   * await store.set('wait', mailbox.nextReply(sent).token)
   * // …
   * const answer = await mailbox.resumeWait(await store.get('wait'))
   * ```
   */
  resumeWait(token: string, options: WaitOptions = {}): Wait<Message> {
    return this.#engine.waits.resume(token, options)
  }

  /**
   * Answers the requests of a webhook: checks the signature and the time, reads the log up to the event, runs the
   * handlers, and answers 2xx only when all of that is done; else the service tells of the event again. A repeat of what
   * is done is answered 2xx. What goes wrong, but for wrong signatures, is told to listeners of `error`.
   *
   * @throws UsageError `invalid_secret`, at once, where there is none
   * @example
   * ```ts
   * // A route handler of Next; Hono: app.post('/hook', (context) => POST(context.req.raw)); express: POST.node
   * export const POST = mailbox.webhook({
   *   secret: process.env.WEBHOOK_SECRET ?? '',
   *   onMessage: (message) => message.reply({ text: 'Got it, thank you.' }),
   * })
   * ```
   */
  webhook(options: WebhookOptions): WebhookReceiver {
    return createWebhook(options, {
      clock: this.#engine.clock,
      handled: new BoundedMap(10_000),
      withMailbox: (work) => work(this.#engine),
      onFailure: this.#engine.onFailure,
      readEvent: readWebhookEvent,
    })
  }

  /**
   * Reads the state of the account, as the service tells it.
   *
   * @example
   * ```ts
   * const { capabilities } = await mailbox.account()
   * ```
   */
  account(options: CallOptions = {}): Promise<Account> {
    return this.client.account.get({}, options)
  }

  /**
   * Ends everything: iterators finish, calls in flight reject with `mailbox_closed`. Again: does nothing.
   *
   * @example
   * ```ts
   * process.once('SIGTERM', () => void mailbox.close())
   * ```
   */
  close(): Promise<void> {
    this.#forgetSignal()
    return this.#engine.close()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }
}
