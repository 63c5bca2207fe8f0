import { onAbort } from '../client/abort'
import type { CallOptions, Client } from '../client/client'
import type { Account } from '../protocol/records/account'
import { readWebhookEvent } from '../protocol/webhook-event'
import { BoundedMap } from './base/bounded-map'
import type { Wait, WaitFilter, WaitOptions } from './base/wait-options'
import { createInboxes, type Inboxes } from './cache/inbox-book'
import type { Messages, Threads } from './collections'
import type { Listener, MailboxEvents } from './emitter'
import type { Engine } from './engine'
import { Consumer } from './loops/consumer'
import type { IncomingMessages, IncomingOptions } from './loops/incoming'
import { checkIncoming } from './loops/incoming-hub'
import type { MessageHandler, Run, RunOptions } from './loops/runner'
import { openEngine } from './open'
import type { Drafts } from './records/drafts'
import type { Labels } from './records/labels'
import type { Message } from './records/message'
import { type SendOptions, type SentMessage, sendMail } from './records/outgoing'
import type { MailboxOptions } from './settings'
import type { SyncState } from './sync/sync'
import type { NextReplyOptions, WaitPredicate } from './waits/waits'
import { createWebhook, type WebhookOptions, type WebhookReceiver } from './webhook'

/**
 * The messages of an account, kept in sync with its service: delivers incoming messages, caches records, and
 * replies in thread.
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
   * Opens a mailbox; resolves when it is `live`. Earlier messages are in `messages.list()`.
   *
   * @throws ServiceError `unauthorized` for a wrong key, and other refusals. NetworkError `unreachable` if it
   *   is not open within `openTimeoutMs`. UsageError `invalid_options`, `invalid_url`, `invalid_api_key`,
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

  /** Typed calls for every operation of the service, with this mailbox's key. */
  get client(): Client {
    return this.#engine.client
  }

  get messages(): Messages {
    return this.#engine.messages
  }

  get threads(): Threads {
    return this.#engine.threads
  }

  /** Messages that are not sent yet. */
  get drafts(): Drafts {
    return this.#engine.drafts
  }

  get labels(): Labels {
    return this.#engine.labels
  }

  /** Current status, cursor and lag. */
  get state(): SyncState {
    return this.#engine.sync.state
  }

  /** The inboxes that it reads. */
  get inboxes(): Inboxes {
    const { client, inboxes, inboxId } = this.#engine
    return createInboxes(client, inboxes, inboxId === undefined)
  }

  /**
   * Address of its one inbox.
   *
   * @throws UsageError `several_inboxes` if it does not have exactly one
   */
  get address(): string {
    return this.#engine.inboxes.only('Mailbox.open({ inbox })').address
  }

  /**
   * Iterates over incoming messages, oldest first. A slow loop misses none, and its buffer is bounded.
   *
   * Without a `consumer` it starts now, and each iterator gets all messages. With one, a message is delivered
   * until the loop has handled it, which it has when it asks for the next. Leaving the loop in any way gives
   * its message back. With `acknowledge: 'manual'`, only `message.ack()` marks a message as handled, and up
   * to `maxInFlight` are unacknowledged at once. The loop ends when the mailbox is closed. It throws when the
   * service refuses, when `signal` aborts (its reason), and when `filter` throws (HandlerError).
   *
   * @throws UsageError `invalid_options`, `inbox_not_found`. The loop: ServiceError `consumer_exists` if the
   *   consumer is for another inbox, or differs in `spam` or `unanswerable`.
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
   * Handles messages until it is stopped, several at once. A message is acknowledged when its handler is
   * done, and delivered again if the handler throws. Three errors count as handled: `thread_moved` (of
   * `reply({ onlyIfLatest: true })`), `drafted_before` and `replied_before`.
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
   * Returns a named consumer, to inspect it and to redrive dead letters. This call sends no request.
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
   * Adds a listener; the returned function removes it. An error of a listener does not affect others, and is
   * reported to listeners of `error` as a HandlerError.
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
   * Removes a listener.
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
   * Sends a message that starts a conversation. Retries network failures for 5 minutes; never sends twice.
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
   * Waits for the first message that arrives from now on and fits the filter. `timeoutMs` may be in the
   * filter or in `options`. A filter is data, so another process can resume the wait: see {@link resumeWait}.
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
   * The same as {@link waitFor}. Call it *before* the action that triggers the message, so that a fast answer
   * is not missed. Name the sender in `from`: then only messages that are proven to be theirs count.
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
   * Waits for the first message that arrives in the thread of a message, after that message. The message may
   * be sent or received. Answers that arrived before this call count too.
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
   * Resumes a wait of another process, or an earlier one of this process. It finds messages that arrived
   * meanwhile, even if the log no longer has them. The original timeout applies, unless `timeoutMs` is given.
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
   * Handles the requests of a webhook: checks signature and time, reads the log up to the event, and runs the
   * handlers. It answers 2xx once all of that is done; otherwise the service sends the event again. A repeat
   * of a handled event gets 2xx. Listeners of `error` get failures, except refused requests and, with
   * `onError`, errors of handlers.
   *
   * @throws UsageError `invalid_secret`, at once, if there is none
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
   * Reads the account from the service.
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
   * Closes the mailbox: iterators end, calls in progress reject with `mailbox_closed`. Safe to repeat.
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
