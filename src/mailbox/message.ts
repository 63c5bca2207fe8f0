import type { Client } from '../client'
import {
  type FoundCode,
  type FoundLink,
  type MessageSummary,
  type Thread as ThreadRecord,
  UsageError,
} from '../protocol'
import { Attachment } from './attachment'
import type { Delivery, SendKind } from './delivery'
import {
  contentFields,
  type ForwardOptions,
  type ReplyOptions,
  randomClientId,
  type SentMessage,
  sentMessage,
} from './outgoing'
import type { Reader, ReadOptions } from './reader'
import { ThreadSummary } from './thread-summary'

/** What the handles of a mailbox share. */
export interface HandleContext {
  readonly client: Client
  readonly reader: Reader
  /** Makes the handle of a thread. */
  thread(id: string, delivery: Delivery | null, options?: ReadOptions): Promise<Thread>
}

/** By what a send is known again. */
interface SendIdentity {
  client_id: string
  replay?: 'first_wins'
}

/** Who wrote. */
export interface Sender {
  readonly address: string
  /** What the sender calls itself; anybody can write anything here. */
  readonly name: string | null
}

/** A message as it was when it was handed over; handles do not change. */
export class Message {
  readonly #context: HandleContext
  readonly #delivery: Delivery | null
  /** As it came from the service. */
  readonly record: MessageSummary

  /** @internal */
  constructor(context: HandleContext, record: MessageSummary, delivery: Delivery | null = null) {
    this.#context = context
    this.#delivery = delivery
    this.record = record
  }

  get id(): string {
    return this.record.id
  }

  get threadId(): string {
    return this.record.thread_id
  }

  get inboxId(): string {
    return this.record.inbox_id
  }

  /** `inbound` or `outbound`. */
  get direction(): MessageSummary['direction'] {
    return this.record.direction
  }

  get from(): Sender {
    return { address: this.record.from_addr, name: this.record.from_name }
  }

  /** Addresses. */
  get to(): readonly string[] {
    return this.record.to_addrs
  }

  /** Addresses. */
  get cc(): readonly string[] {
    return this.record.cc_addrs
  }

  get subject(): string {
    return this.record.subject
  }

  /** What the sender wrote now, without quoted text and signature; cut at 4 KiB. All of it: {@link body}. */
  get text(): string {
    return this.record.reply_text ?? this.record.preview
  }

  /** The first 200 characters. */
  get preview(): string {
    return this.record.preview
  }

  /** Among them `spam`, where it is marked as that. */
  get labels(): readonly string[] {
    return this.record.labels
  }

  /** When it came in; for outgoing mail, when it was made. */
  get receivedAt(): Date {
    return new Date(this.record.received_at ?? this.record.created_at)
  }

  get deliveryStatus(): MessageSummary['delivery_status'] {
    return this.record.delivery_status
  }

  get attachments(): readonly Attachment[] {
    return this.record.attachments.map((record) => new Attachment(this.#context.client, record))
  }

  /** Whether it was proven (by DMARC) that the domain of {@link from} sent it. */
  get verified(): boolean {
    return this.record.authentication?.from_verified ?? false
  }

  /** The whole text and the HTML as the sender wrote it: never show that unsanitised. Read once, then held. */
  async body(options: ReadOptions = {}): Promise<{ text: string; html: string | null }> {
    const { body_text: text, body_html: html } = await this.#context.reader.body(this.id, options)
    return { text, html }
  }

  /** One-time codes in it, the likeliest first. Read with {@link body}. */
  async codes(options: ReadOptions = {}): Promise<FoundCode[]> {
    return (await this.#context.reader.body(this.id, options)).codes
  }

  /**
   * Its links that confirm, reset, sign in, invite or unsubscribe, with the domain that each leads to and what makes it look
   * like a trap. Read with {@link body}.
   */
  async links(options: ReadOptions = {}): Promise<FoundLink[]> {
    return (await this.#context.reader.body(this.id, options)).links
  }

  /** The original, byte for byte. */
  raw({ signal }: ReadOptions = {}): Promise<Uint8Array> {
    return this.#context.client.messages.raw({ id: this.id }, { signal })
  }

  /** The conversation, with all its messages that the mailbox knows of now. */
  thread(options: ReadOptions = {}): Promise<Thread> {
    return this.#context.thread(this.threadId, this.#delivery, options)
  }

  /**
   * Replies in thread.
   *
   * A message that came from an iterator or a listener has one reply: its `client_id` is derived from the
   * event, so that neither a retry nor a process that handles the event again sends a second mail; the first
   * one stands, also when the words differ. Network failures are retried for 5 minutes.
   *
   * @throws UsageError `already_replied` for a second reply without a `key` of its own. ServiceError
   *   `thread_moved` with `onlyIfLatest`, and other refusals. NetworkError.
   * @example
   * ```ts
   * for await (const message of mailbox.incoming()) await message.reply({ text: 'Got it, thank you.' })
   * ```
   */
  reply(options: ReplyOptions): Promise<SentMessage> {
    return this.#once('reply', options, (identity) => this.#reply(options, identity))
  }

  /** Replies to everybody who got the message; else like {@link reply}. */
  replyAll(options: Omit<ReplyOptions, 'replyAll'>): Promise<SentMessage> {
    return this.reply({ ...options, replyAll: true })
  }

  /**
   * Passes the message on, with its attachments. The mail begins a conversation of its own.
   *
   * A message that came from an iterator or a listener is passed on once, as it is replied to once: see {@link reply}.
   *
   * @throws UsageError `already_forwarded` for a second forward without a `key` of its own. ServiceError
   *   `recipient_suppressed` and other refusals. NetworkError.
   * @example
   * ```ts
   * for await (const message of mailbox.incoming()) await message.forward({ to: 'sales@example.com', text: 'Yours?' })
   * ```
   */
  forward(options: ForwardOptions): Promise<SentMessage> {
    return this.#once('forward', options, async (identity) => {
      const { to, cc, bcc, signal } = options
      const recipients = { to: [to].flat(), cc: cc && [...cc], bcc: bcc && [...bcc] }
      const input = { id: this.id, ...contentFields(options), ...recipients, ...identity }
      return sentMessage(await this.#context.client.messages.forward(input, { signal }))
    })
  }

  /** Sends under the caller's id, or one that is derived from the event, or any where there is none. */
  async #once(
    kind: SendKind,
    { key = kind, clientId }: { key?: string; clientId?: string },
    send: (identity: SendIdentity) => Promise<SentMessage>,
  ): Promise<SentMessage> {
    if (clientId !== undefined) return send({ client_id: clientId })
    if (!this.#delivery) return send({ client_id: randomClientId() })
    const derived = this.#delivery.claim(kind, key)
    try {
      return await send({ client_id: derived, replay: 'first_wins' })
    } catch (error) {
      this.#delivery.release(kind, key)
      throw error
    }
  }

  async #reply(options: ReplyOptions, identity: SendIdentity): Promise<SentMessage> {
    const input = {
      id: this.id,
      ...contentFields(options),
      reply_all: options.replyAll,
      cc: options.cc && [...options.cc],
      bcc: options.bcc && [...options.bcc],
      expect_last_message_id: options.onlyIfLatest ? this.id : undefined,
      allow_auto_reply: options.allowAutoReply,
      ...identity,
    }
    return sentMessage(await this.#context.client.messages.reply(input, { signal: options.signal }))
  }
}

/**
 * A conversation with its messages, as it was when it was read; handles do not change.
 *
 * In one file with {@link Message}, since each leads to the other.
 */
export class Thread extends ThreadSummary {
  /** Oldest first. Spam that was sent into a conversation is left out. */
  readonly messages: readonly Message[]

  /** @internal */
  constructor(record: ThreadRecord, messages: readonly Message[]) {
    super(record)
    this.messages = messages
  }

  /**
   * Replies to the newest message that came in. A thread that was read from a delivered message shares its
   * one reply: see `Message.reply`.
   *
   * @throws UsageError `nothing_to_reply_to` when nothing came in yet; else like `Message.reply`.
   * @example
   * ```ts
   * const thread = await mailbox.threads.get(threadId)
   * await thread.reply({ text: 'Any news?' })
   * ```
   */
  async reply(options: ReplyOptions): Promise<SentMessage> {
    const newest = this.messages.findLast(({ direction }) => direction === 'inbound')
    if (!newest)
      throw new UsageError(
        'nothing_to_reply_to',
        `nobody has written in thread ${this.id} yet: write with mailbox.send()`,
      )
    return newest.reply(options)
  }
}
