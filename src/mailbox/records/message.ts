import type { Client } from '../../client'
import { UsageError } from '../../protocol/errors'
import type {
  FoundCode,
  FoundLink,
  MailList,
  MessageSummary,
  Thread as ThreadRecord,
  UnanswerableReason,
  Via,
} from '../../protocol/records'
import { checkOptions, deleted, loadLater, type OptionNames, type Wait, type WaitOptions } from '../base'
import { checkRead, type Reader, type ReadOptions } from '../cache'
import { type Answered, draftReply, sendForward, sendReply } from './answers'
import { Attachment } from './attachment'
import type { Draft, DraftReplyOptions, Drafts } from './drafts'
import { type Handles, handleOf } from './handles'
import { assignLabel, unassignLabel } from './labels'
import { type ForwardOptions, type ReplyOptions, replyAllOptionsOf, type SentMessage } from './outgoing'
import { ThreadSummary } from './thread-summary'
import type { PromptOptions } from './to-prompt'
import { requireLease, type Turn } from './turn'

// What reads HTML is loaded by those who need it.
const loadPrompts = loadLater(() => import('./to-prompt'))

/** The sender of a message, as its From says. */
export interface Sender {
  readonly address: string
  /** The display name, which proves nothing: anybody can write anything here. */
  readonly name: string | null
}

/** The parts of a mailbox that its messages and threads share. */
export interface HandleContext {
  readonly client: Client
  readonly reader: Reader
  readonly drafts: Drafts
  readonly handles: Handles
  /** Waits for what comes into the thread of a message after it. */
  nextReply(messageId: string, options?: WaitOptions & { automatic?: boolean | undefined }): Wait<Message>
  /** The turn of a message that a named consumer has in hand; null for any other. */
  turnOf(message: { readonly id: string }): Turn | null
  /** Makes the handle of a thread. */
  thread(id: string, turn: Turn | null, options?: ReadOptions): Promise<Thread>
}

/**
 * A message as it was when it was handed over; handles do not change.
 *
 * @example
 * ```ts
 * for await (const { from, subject, text, verified } of mailbox.incoming())
 *   console.log(from.address, verified, subject, text)
 * ```
 */
export class Message {
  readonly #context: HandleContext
  /** As it came from the service. */
  readonly record: MessageSummary
  readonly #turn: Turn | null

  /** @internal */
  constructor(context: HandleContext, record: MessageSummary, turn: Turn | null = null) {
    this.#context = context
    this.record = record
    this.#turn = turn
  }

  get id(): string {
    return this.record.id
  }

  get threadId(): string {
    return this.record.thread_id
  }

  /**
   * A short name such as `m1042-mxk`, for models. It is made of the record, so that `mailbox.messages.get` takes it in
   * every process, for as long as there is the message.
   */
  get handle(): string {
    return handleOf(this.record)
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

  /**
   * The list that it came through: its id, the address to write to (`post`), who wrote it where the list has put itself
   * into From, and whom {@link reply} answers (`answers_go_to`). Null where it came through none.
   */
  get list(): MailList | null {
    return this.record.list ?? null
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

  /** The new text of the message, without quoted text and signature; cut at 4 KiB. All of it: {@link body}. */
  get text(): string {
    return this.record.reply_text ?? this.record.preview
  }

  /** The first 200 characters. */
  get preview(): string {
    return this.record.preview
  }

  /** Among them those of the service: `unread`, `archived`, `spam`, `trash`. */
  get labels(): readonly string[] {
    return this.record.labels
  }

  /** The time at which it came in; for outgoing mail, at which it was made. */
  get receivedAt(): Date {
    return new Date(this.record.received_at ?? this.record.created_at)
  }

  get deliveryStatus(): MessageSummary['delivery_status'] {
    return this.record.delivery_status
  }

  /** True where it was proven (by DMARC, RFC 9989) that the domain of {@link from} sent it. */
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
    checkRead('body()', options)
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
    checkRead('codes()', options)
    return (await this.#context.reader.body(this.id, options)).codes
  }

  /**
   * Its links that confirm, reset, sign in, invite or unsubscribe, with the domain that each leads to, the address inside a
   * tracked one (`target`), and what makes it look like a trap. Read with {@link body}.
   *
   * @example
   * ```ts
   * const links = (await message.links()).filter(({ warnings }) => warnings.length === 0)
   * ```
   */
  async links(options: ReadOptions = {}): Promise<FoundLink[]> {
    checkRead('links()', options)
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
  async raw(options: ReadOptions = {}): Promise<Uint8Array> {
    checkRead('raw()', options)
    return this.#context.client.messages.raw({ id: this.id }, options)
  }

  /**
   * The message as text for a model: as `Thread.toPrompt` tells it, with what it quotes.
   *
   * @throws UsageError `budget_too_small`, `invalid_options`
   * @example
   * ```ts
   * const answered = await model(await message.toPrompt({ maxTokens: 1_000 }))
   * ```
   */
  async toPrompt(options: PromptOptions = {}): Promise<string> {
    checkOptions('toPrompt()', options, promptNames)
    const { messagePrompt } = await loadPrompts()
    return messagePrompt(this, options)
  }

  /**
   * The reason why `reply()` is refused without `allowAutoReply`, and loops leave it out: `automatic` for what a program
   * wrote, `mail_loop`, `own_address`, `no_sender`, `answered` where a person had answered it in a connected mailbox; null where it can be answered.
   */
  get unanswerable(): UnanswerableReason | null {
    return this.record.unanswerable ?? null
  }

  /**
   * True where a program wrote it, such as a newsletter, a notice or an acknowledgement. Who answers by itself leaves these
   * alone (RFC 3834 §2).
   */
  get automatic(): boolean {
    return this.record.auto_submitted !== 'no'
  }

  /**
   * The program that submitted the words of a person: a help desk, a form, a tracker, a marketplace, or a forwarding rule.
   * Nothing proves its author. Null for other messages.
   *
   * @example
   * ```ts
   * const author = message.via?.author_name ?? message.from.name
   * ```
   */
  get via(): Via | null {
    return this.record.via ?? null
  }

  /** The number of times that a named consumer has handed it out, this one included; 1 for any other message. */
  get attempt(): number {
    return this.#turn?.leaseOf(this.id)?.record.attempt ?? 1
  }

  /**
   * True where a named consumer delivers it late, since it was a dead letter or in spam or the trash: newer ones of its
   * thread may have been handled already.
   */
  get redriven(): boolean {
    return this.#turn?.leaseOf(this.id)?.record.redriven ?? false
  }

  /**
   * Tells the consumer that it was handled, which a loop does by asking for the next. The first of `ack` and `nack`
   * stands; network failures are retried for 5 minutes.
   *
   * @throws UsageError `not_leased` for a message that no named consumer delivered
   * @example
   * ```ts
   * await message.ack() // what follows is not done again
   * await render(message.id)
   * ```
   */
  async ack(): Promise<void> {
    return requireLease(this.#turn, this.id).ack()
  }

  /**
   * Gives it back, to be delivered again after `delayMs`, or else at once and from the third attempt on later each
   * time. After ten attempts it is a dead letter. @throws UsageError `not_leased`
   * @example
   * ```ts
   * await message.nack({ delayMs: 60_000 })
   * ```
   */
  async nack(options: { delayMs?: number | undefined } = {}): Promise<void> {
    checkOptions<typeof options>('nack()', options, { delayMs: 'number' })
    return requireLease(this.#turn, this.id).nack(options.delayMs)
  }

  /**
   * Keeps it for another 20 seconds, as happens by itself while the process runs; tells whether it is still in hand.
   *
   * @throws UsageError `not_leased`. RestanteError `lease_lost` where another worker may have it.
   * @example
   * ```ts
   * await message.extend() // rejects where another worker may have it
   * ```
   */
  async extend(): Promise<void> {
    return requireLease(this.#turn, this.id).extend()
  }

  /**
   * The conversation, with all its messages that the mailbox knows of now.
   *
   * @example
   * ```ts
   * const { messages } = await message.thread()
   * ```
   */
  async thread(options: ReadOptions = {}): Promise<Thread> {
    checkRead('thread()', options)
    return this.#context.thread(this.threadId, this.#turn, options)
  }

  /**
   * Replies in thread; a string is the `text` of the reply.
   *
   * A message that came from an iterator or a listener has one reply: its `client_id` is derived from the
   * event, so that neither a retry nor a process that handles the event again sends a second mail; the first
   * one stands, also when the words differ. Any other message has one reply for each `key`, too: the same
   * content gives the first result, and other content is refused. Network failures are retried for 5 minutes.
   *
   * @throws UsageError `already_replied` for a second reply without a `key` of its own, `already_drafted` where there is
   *   a draft, `message_empty` where it says nothing, `invalid_options`. RestanteError `drafted_before` where an earlier turn drafted the reply. ServiceError `thread_moved`
   *   with `onlyIfLatest`, and other refusals. NetworkError.
   * @example
   * ```ts
   * for await (const message of mailbox.incoming()) await message.reply({ text: 'Got it, thank you.' })
   * ```
   */
  reply(options: ReplyOptions | string): Promise<SentMessage> {
    return sendReply(this.#answered, options)
  }

  /**
   * Replies to everybody who got the message; else like {@link reply}.
   *
   * @example
   * ```ts
   * await message.replyAll({ text: 'Thank you all.' })
   * ```
   */
  async replyAll(options: Omit<ReplyOptions, 'replyAll'> | string): Promise<SentMessage> {
    return this.reply(replyAllOptionsOf(options))
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
    return sendForward(this.#answered, options)
  }

  /**
   * Writes a draft of a reply, in thread: to be changed, sent, or approved by a human. It stands for the one reply of the
   * turn: see {@link reply}. Handled again, the message has this draft, and no reply beside it.
   *
   * @throws UsageError `already_drafted`, `already_replied` without a `key` of its own, and those of attachments.
   *   RestanteError `replied_before`. ServiceError, NetworkError.
   * @example
   * ```ts
   * const draft = await message.draft({ text: 'We can offer 10 %.' })
   * await draft.send()
   * ```
   */
  draft(options: DraftReplyOptions): Promise<Draft> {
    const place = { drafts: this.#context.drafts, inboxId: this.inboxId }
    return draftReply(this.#answered, place, options)
  }

  /**
   * Puts the label of this name on it, and makes the label where there is none; `spam` marks it as spam, and takes it
   * out of lists, searches and loops.
   *
   * @returns the message as it is now
   * @throws ServiceError `label_limit_reached` and other refusals
   * @example
   * ```ts
   * await message.label('answered')
   * ```
   */
  async label(name: string, options: ReadOptions = {}): Promise<Message> {
    return this.#label('label()', name, options)
  }

  /**
   * Takes the label of this name off, where it has it.
   *
   * @returns the message as it is now
   * @example
   * ```ts
   * await message.unlabel('urgent')
   * ```
   */
  async unlabel(name: string, options: ReadOptions = {}): Promise<Message> {
    return this.#unlabel('unlabel()', name, options)
  }

  /**
   * Takes it out of the inbox of the console: the label `archived`, which means nothing elsewhere.
   *
   * @returns the message as it is now
   * @example
   * ```ts
   * await message.archive()
   * ```
   */
  archive(options: ReadOptions = {}): Promise<Message> {
    return this.#label('archive()', 'archived', options)
  }

  /**
   * Puts it into the trash: lists, searches, threads and loops leave it out from then on, and after 30 days it is erased.
   * The loop that has it in hand still finishes with it.
   *
   * @returns the message as it is now
   * @example
   * ```ts
   * await message.trash()
   * ```
   */
  trash(options: ReadOptions = {}): Promise<Message> {
    return this.#label('trash()', 'trash', options)
  }

  /**
   * Takes it out of the trash. Consumers that had not handled it get it, late.
   *
   * @returns the message as it is now
   * @example
   * ```ts
   * const { items } = await mailbox.messages.list({ label: 'trash' })
   * for (const message of items) await message.restore()
   * ```
   */
  restore(options: ReadOptions = {}): Promise<Message> {
    return this.#unlabel('restore()', 'trash', options)
  }

  /**
   * Takes the label `unread` off, with which mail comes in. Loops neither look at it nor change it.
   *
   * @returns the message as it is now
   * @example
   * ```ts
   * await message.markRead()
   * ```
   */
  markRead(options: ReadOptions = {}): Promise<Message> {
    return this.#unlabel('markRead()', 'unread', options)
  }

  /**
   * Lets it count as unread again.
   *
   * @returns the message as it is now
   * @example
   * ```ts
   * await message.markUnread()
   * ```
   */
  markUnread(options: ReadOptions = {}): Promise<Message> {
    return this.#label('markUnread()', 'unread', options)
  }

  /**
   * Erases it, everywhere; does nothing where it is gone. One that waits to be sent is not sent.
   *
   * @example
   * ```ts
   * await message.delete()
   * ```
   */
  async delete(options: ReadOptions = {}): Promise<void> {
    checkRead('delete()', options)
    return deleted(this.#context.client.messages.delete({ id: this.id }, options))
  }

  get #answered(): Answered {
    const { client, turnOf } = this.#context
    return { client, id: this.id, turn: this.#turn ?? turnOf(this) }
  }

  async #label(call: string, name: string, options: ReadOptions): Promise<Message> {
    checkRead(call, options)
    return this.#as(await assignLabel(this.#context.client, this.id, name, options))
  }

  async #unlabel(call: string, name: string, options: ReadOptions): Promise<Message> {
    checkRead(call, options)
    return this.#as((await unassignLabel(this.#context.client, this.id, name, options)) ?? this.record)
  }

  #as(record: MessageSummary): Message {
    return new Message(this.#context, record, this.#turn)
  }
}

/** The options of `Thread.toPrompt`. */
export interface ThreadPromptOptions extends PromptOptions {
  /** Only these of its messages, oldest first, as if there were no others. */
  messages?: readonly Message[] | undefined
}

const promptNames: OptionNames<PromptOptions> = { maxTokens: true, countTokens: true, signal: true }
const threadPromptNames: OptionNames<ThreadPromptOptions> = { ...promptNames, messages: true }

/**
 * A conversation with its messages, as it was when it was read; handles do not change.
 *
 * In one file with {@link Message}, since each leads to the other.
 *
 * @example
 * ```ts
 * const thread = await mailbox.threads.get('m1042-mxk')
 * console.log(thread.subject, thread.messages.length)
 * ```
 */
export class Thread extends ThreadSummary {
  readonly #context: HandleContext
  /** Oldest first. Spam that was sent into a conversation is left out, and what is in the trash. */
  readonly messages: readonly Message[]

  /** @internal */
  constructor(context: HandleContext, record: ThreadRecord, messages: readonly Message[]) {
    super(record)
    this.#context = context
    this.messages = messages
  }

  /**
   * Replies to the newest message that came in. A thread that was read from a delivered message shares its
   * one reply: see `Message.reply`. Another reply to the same message needs a `key` of its own.
   *
   * @throws UsageError `nothing_to_reply_to` when nothing came in yet; else like `Message.reply`.
   * @example
   * ```ts
   * const thread = await mailbox.threads.get(threadId)
   * await thread.reply({ text: 'Any news?', key: 'reminder' })
   * ```
   */
  async reply(options: ReplyOptions | string): Promise<SentMessage> {
    return this.#newestInbound().reply(options)
  }

  /**
   * Replies to everybody who got the newest message that came in; else like {@link reply}.
   *
   * @example
   * ```ts
   * await thread.replyAll({ text: 'It is settled then.' })
   * ```
   */
  async replyAll(options: Omit<ReplyOptions, 'replyAll'> | string): Promise<SentMessage> {
    return this.#newestInbound().replyAll(options)
  }

  /**
   * Forwards the newest message of any author: see `Message.forward`.
   *
   * @example
   * ```ts
   * await thread.forward({ to: 'sales@example.com', text: 'Yours?' })
   * ```
   */
  async forward(options: ForwardOptions): Promise<SentMessage> {
    return this.messages.at(-1)!.forward(options)
  }

  /**
   * Writes a draft of a reply to the newest message that came in.
   *
   * @throws as {@link reply} and `Message.draft`
   * @example
   * ```ts
   * const draft = await thread.draft({ text: 'Any news?', key: 'reminder' })
   * ```
   */
  async draft(options: DraftReplyOptions): Promise<Draft> {
    return this.#newestInbound().draft(options)
  }

  /**
   * Waits for the first message that comes in after those of this handle, and that no program wrote (unless
   * `automatic` is true). The next but one: `(await reply.thread()).nextReply()`.
   * In the body of a consumer it is handled along: acknowledged with the body, and not delivered again.
   *
   * @returns a promise that can be stored: see `Wait.token`
   * @example
   * ```ts
   * const thread = await message.thread()
   * await thread.reply({ text: 'Which size?' })
   * const answer = await thread.nextReply({ timeoutMs: 3_600_000 })
   * ```
   */
  nextReply(options: WaitOptions & { automatic?: boolean | undefined } = {}): Wait<Message> {
    return this.#context.nextReply(this.messages.at(-1)!.id, options)
  }

  /**
   * The conversation as text for a model, bounded: the newest messages go in first, quotes of what the thread holds
   * are left out, and so is what a person would not see (zero-width characters, what HTML hides); what was left out is
   * said. Each message says whether its sender is proven. What a stranger wrote stands between marks that it cannot
   * contain. The handles in it (`m1042-mxk`) are accepted as ids.
   *
   * No mark keeps a model from believing what it reads: what it may do has to be bounded too.
   *
   * @throws UsageError `budget_too_small`, `invalid_options`
   * @example
   * ```ts
   * const thread = await message.thread()
   * await message.reply({ text: await model(await thread.toPrompt({ maxTokens: 4_000 })) })
   * ```
   */
  async toPrompt(options: ThreadPromptOptions = {}): Promise<string> {
    checkOptions('toPrompt()', options, threadPromptNames)
    const { threadPrompt } = await loadPrompts()
    return threadPrompt(options.messages ?? this.messages, options)
  }

  /**
   * Puts a label on each message of this handle: see `Message.label`.
   *
   * @example
   * ```ts
   * await thread.label('waiting')
   * ```
   */
  async label(name: string, options: ReadOptions = {}): Promise<void> {
    checkRead('label()', options)
    for (const message of this.messages) await message.label(name, options)
  }

  /**
   * Takes a label off each message of this handle.
   *
   * @example
   * ```ts
   * await thread.unlabel('waiting')
   * ```
   */
  async unlabel(name: string, options: ReadOptions = {}): Promise<void> {
    checkRead('unlabel()', options)
    for (const message of this.messages) await message.unlabel(name, options)
  }

  /**
   * Erases it with all its messages; does nothing where it is gone.
   *
   * @example
   * ```ts
   * await thread.delete()
   * ```
   */
  async delete(options: ReadOptions = {}): Promise<void> {
    checkRead('delete()', options)
    return deleted(this.#context.client.threads.delete({ id: this.id }, options))
  }

  #newestInbound(): Message {
    const newest = this.messages.findLast(({ direction }) => direction === 'inbound')
    if (newest) return newest
    throw new UsageError(
      'nothing_to_reply_to',
      `nobody has written in thread ${this.id} yet: write with mailbox.send()`,
    )
  }
}
