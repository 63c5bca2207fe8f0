import type { Client } from '../client'
import type { FoundCode, FoundLink, MessageSummary } from '../protocol'
import { Attachment } from './attachment'
import type { Reader, ReadOptions } from './reader'
import type { ShortHandles } from './short-handles'

/** Who wrote. */
export interface Sender {
  readonly address: string
  /** What the sender calls itself; anybody can write anything here. */
  readonly name: string | null
}

/** What it takes to read a message. */
export interface ContentContext {
  readonly client: Client
  readonly reader: Reader
  readonly handles: ShortHandles
}

/** What a message says, and what is in it. */
export class MessageContent {
  readonly #context: ContentContext
  /** As it came from the service. */
  readonly record: MessageSummary

  constructor(context: ContentContext, record: MessageSummary) {
    this.#context = context
    this.record = record
  }

  get id(): string {
    return this.record.id
  }

  get threadId(): string {
    return this.record.thread_id
  }

  /** A short name such as `m3`, for models: `mailbox.messages.get` takes it while the mailbox is open. */
  get handle(): string {
    return this.#context.handles.of('m', this.id)
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

  /** Whether it was proven (by DMARC) that the domain of {@link from} sent it. */
  get verified(): boolean {
    return this.record.authentication?.from_verified ?? false
  }

  get attachments(): readonly Attachment[] {
    return this.record.attachments.map((record) => new Attachment(this.#context.client, record))
  }

  /**
   * The whole text and the HTML as the sender wrote it: never show that unsanitised. Read once, then held.
   *
   * @example
   * ```ts
   * const { text, html } = await message.body()
   * ```
   */
  async body(options: ReadOptions = {}): Promise<{ text: string; html: string | null }> {
    const { body_text: text, body_html: html } = await this.#context.reader.body(this.id, options)
    return { text, html }
  }

  /**
   * One-time codes in it, the likeliest first. Read with {@link body}.
   *
   * @example
   * ```ts
   * const [first] = await message.codes()
   * console.log(first?.code)
   * ```
   */
  async codes(options: ReadOptions = {}): Promise<FoundCode[]> {
    return (await this.#context.reader.body(this.id, options)).codes
  }

  /**
   * Its links that confirm, reset, sign in, invite or unsubscribe, with the domain that each leads to and what makes it look
   * like a trap. Read with {@link body}.
   *
   * @example
   * ```ts
   * const links = (await message.links()).filter(({ warnings }) => warnings.length === 0)
   * ```
   */
  async links(options: ReadOptions = {}): Promise<FoundLink[]> {
    return (await this.#context.reader.body(this.id, options)).links
  }

  /**
   * The original, byte for byte.
   *
   * @example
   * ```ts
   * console.log(new TextDecoder().decode(await message.raw()).slice(0, 200))
   * ```
   */
  raw({ signal }: ReadOptions = {}): Promise<Uint8Array> {
    return this.#context.client.messages.raw({ id: this.id }, { signal })
  }
}
