import type { Client } from '../../client/client'
import { UsageError } from '../../protocol/errors/error'
import { checkOptions, type OptionNames } from '../../protocol/options'
import type {
  FoundCode,
  FoundLink,
  MailList,
  MessageSummary,
  UnanswerableReason,
  Via,
} from '../../protocol/records/message'
import type { Thread as ThreadRecord } from '../../protocol/records/thread'
import { deleted } from '../base/failures'
import { loadLater } from '../base/load-later'
import type { Wait, WaitOptions } from '../base/wait-options'
import { wireTime } from '../base/wire-time'
import { checkRead, type Reader, type ReadOptions } from '../cache/reader'
import { type Answered, draftReply, sendForward, sendReply } from './answers'
import { Attachment } from './attachment'
import type { Draft, DraftReplyOptions, Drafts } from './drafts'
import { type Handles, handleOf } from './handles'
import { answerable, type Invitation } from './invitation'
import { assignLabel, unassignLabel } from './labels'
import { type ForwardOptions, type ReplyOptions, replyAllOptionsOf, type SentMessage } from './outgoing'
import { ThreadSummary } from './thread-summary'
import type { PromptOptions } from './to-prompt'
import { requireLease, type Turn } from './turn'

// Prompts read HTML, whose parser is loaded only when needed.
const loadPrompts = loadLater(() => import('./to-prompt'))

/** Sender of a message, from its From field. */
export interface Sender {
  readonly address: string
  /** Display name. It proves nothing: anybody can write any name. */
  readonly name: string | null
}

/** The parts of a mailbox that its messages and threads share. */
export interface HandleContext {
  readonly client: Client
  readonly reader: Reader
  readonly drafts: Drafts
  readonly handles: Handles
  /** Waits for a message that arrives in the thread of a message, after that message. */
  nextReply(messageId: string, options?: WaitOptions & { automatic?: boolean | undefined }): Wait<Message>
  /** Turn of a message that this process has leased for a named consumer; null for any other message. */
  turnOf(message: { readonly id: string }): Turn | null
  /** Makes the handle of a thread. */
  thread(id: string, turn: Turn | null, options?: ReadOptions): Promise<Thread>
}

/**
 * Snapshot of a message. Handles do not change.
 *
 * @example
 * ```ts
 * for await (const { from, subject, text, verified } of mailbox.incoming())
 *   console.log(from.address, verified, subject, text)
 * ```
 */
export class Message {
  readonly #context: HandleContext
  /** Record as the service returned it. */
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
   * Short name for models, such as `m1042-mxk`. It depends on the record alone, so `mailbox.messages.get`
   * accepts it in every process, as long as the message exists.
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
   * The mailing list that it came through: its id, its address (`post`), the author if the list replaced
   * From, and the recipient of a {@link reply} (`answers_go_to`). Null if it came through none.
   */
  get list(): MailList | null {
    return this.record.list ?? null
  }

  /** Addresses in To. */
  get to(): readonly string[] {
    return this.record.to_addrs
  }

  /** Addresses in Cc. */
  get cc(): readonly string[] {
    return this.record.cc_addrs
  }

  get subject(): string {
    return this.record.subject
  }

  /** New text of the message, without quoted text and signature; cut at 4 KiB. {@link body} has all of it. */
  get text(): string {
    return this.record.reply_text ?? this.record.preview
  }

  /** First 200 characters. */
  get preview(): string {
    return this.record.preview
  }

  /** Names of its labels, including those of the service: `unread`, `archived`, `spam`, `trash`. */
  get labels(): readonly string[] {
    return this.record.labels
  }

  /** Time of arrival; for outgoing messages, the time of creation. */
  get receivedAt(): Date {
    return new Date(this.record.received_at ?? this.record.created_at)
  }

  get deliveryStatus(): MessageSummary['delivery_status'] {
    return this.record.delivery_status
  }

  /** True if DMARC (RFC 9989) proves that the domain of {@link from} sent it. */
  get verified(): boolean {
    return this.record.authentication?.from_verified ?? false
  }

  get attachments(): readonly Attachment[] {
    return this.record.attachments.map((record) => new Attachment(this.#context.client, record))
  }

  /**
   * Reads the whole text, and the HTML as written: never show it unsanitised. Read once, then cached.
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
   * Reads the one-time codes in it, the likeliest first. Shares the request of {@link body}.
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
   * Reads its links that confirm, reset, sign in, invite or unsubscribe. Each has its domain, the address in
   * a tracked link (`target`), and warnings of a trap. Shares the request of {@link body}.
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
   * Reads the original, byte for byte. Each call sends one request.
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
   * Returns the message as text for a model, in the form of `Thread.toPrompt`, with its quotes.
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
    return messagePrompt(this, this.#context, options)
  }

  /**
   * Why `reply()` rejects this message without `allowAutoReply`, and loops skip it; null if it can be
   * answered. `automatic`: a program wrote it. `answered`: a person had answered it in a connected mailbox.
   * Else `mail_loop`, `own_address`, `no_sender`.
   */
  get unanswerable(): UnanswerableReason | null {
    return this.record.unanswerable ?? null
  }

  /**
   * True if a program wrote it, such as a newsletter, a notice or an acknowledgement. Automatic answers skip
   * these (RFC 3834 §2).
   */
  get automatic(): boolean {
    return this.record.auto_submitted !== 'no'
  }

  /**
   * The program that submitted the words of a person: a help desk, a form, a tracker, a marketplace, or a
   * forwarding rule. Nothing proves its author. Null for other messages.
   *
   * @example
   * ```ts
   * const author = message.via?.author_name ?? message.from.name
   * ```
   */
  get via(): Via | null {
    return this.record.via ?? null
  }

  /** The invitation in it, or the answer to one; null if it has no calendar. */
  get invitation(): Invitation | null {
    const { invitation } = this.record
    return invitation ? answerable(this.answered, invitation) : null
  }

  /** Number of times that a named consumer has delivered it, this one included; 1 for any other message. */
  get attempt(): number {
    return this.#turn?.leaseOf(this.id)?.record.attempt ?? 1
  }

  /**
   * True if a named consumer delivers it late, after it was a dead letter, skipped, or in spam or the trash.
   * Newer messages of its thread may already have been handled.
   */
  get redriven(): boolean {
    return this.#turn?.leaseOf(this.id)?.record.redriven ?? false
  }

  /**
   * True if people held the thread after this message arrived, and released it without an answer to it. Their
   * replies are in the {@link thread}.
   */
  get handedBack(): boolean {
    return this.#turn?.leaseOf(this.id)?.record.handed_back ?? false
  }

  /**
   * Acknowledges it to the consumer, as a loop does by asking for the next message. The first of `ack` and
   * `nack` stands; network failures are retried for 5 minutes.
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
   * Gives it back, to be delivered again after `delayMs`. Default: at once, and from the third attempt on
   * later each time. After ten attempts it is a dead letter. @throws UsageError `not_leased`
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
   * Keeps the lease for another 20 seconds, which also happens automatically while the process runs.
   *
   * @throws UsageError `not_leased`. RestanteError `lease_lost` if another worker may have it.
   * @example
   * ```ts
   * await message.extend() // rejects where another worker may have it
   * ```
   */
  async extend(): Promise<void> {
    return requireLease(this.#turn, this.id).extend()
  }

  /**
   * Hands the conversation over to people: holds its thread, and ends the lease without an attempt. After the
   * release, the message comes again unless somebody answered it. If no operator opens the thread in time, the
   * event `thread.unattended` reports it.
   *
   * @throws ServiceError `insufficient_scope` without `send` and `manage`; `invalid_request` for
   *   `sendPreparedText` if nobody prepared a text
   * @example
   * ```ts
   * if (message.text.includes('refund')) await message.handOver({ reason: 'A refund needs a person.' })
   * ```
   */
  async handOver(options: HandOverOptions): Promise<void> {
    checkOptions<HandOverOptions>('handOver()', options, {
      reason: true,
      sendPreparedText: true,
      signal: true,
    })
    const { reason, sendPreparedText: send_prepared_text, signal } = options
    const { client, id, turn } = this.answered
    const lease = turn?.leaseOf(id)
    const input = { id, reason, send_prepared_text, consumer: turn?.consumer, lease: lease?.id }
    await client.messages.handOver(input, { signal })
    // The service ended it; this process forgets it.
    await lease?.release()
  }

  /**
   * Reads the conversation, with all its messages that the mailbox knows now.
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
   * A message from an iterator or a listener has one reply. Its `client_id` is derived from the event, so
   * retries, also by other processes, send no second one. The first reply stands, even if the words differ.
   * Any other message has one reply for each `key`: the same content returns the first result, and other
   * content is refused. Network failures are retried for 5 minutes.
   *
   * @throws UsageError `already_replied` for a second reply without its own `key`, `already_drafted` if there
   *   is a draft, `message_empty` without content, `invalid_options`. RestanteError `drafted_before` if an
   *   earlier turn drafted the reply. ServiceError `thread_moved` with `onlyIfLatest`, and other refusals.
   *   NetworkError.
   * @example
   * ```ts
   * for await (const message of mailbox.incoming()) await message.reply({ text: 'Got it, thank you.' })
   * ```
   */
  reply(options: ReplyOptions | string): Promise<SentMessage> {
    return sendReply(this.answered, options)
  }

  /**
   * Replies to everybody on the message; otherwise like {@link reply}.
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
   * Forwards the message with its attachments, which starts a new conversation.
   *
   * A message from an iterator or a listener is forwarded once, as it is replied to once: see {@link reply}.
   *
   * @throws UsageError `already_forwarded` for a second forward without its own `key`. ServiceError
   *   `recipient_suppressed` and other refusals. NetworkError.
   * @example
   * ```ts
   * for await (const message of mailbox.incoming()) await message.forward({ to: 'sales@example.com', text: 'Yours?' })
   * ```
   */
  forward(options: ForwardOptions): Promise<SentMessage> {
    return sendForward(this.answered, options)
  }

  /**
   * Creates a draft of a reply, in thread, to be changed, sent, or approved by a human. It counts as the one
   * reply of the turn: see {@link reply}. A message that is handled again keeps this draft.
   *
   * @throws UsageError `already_drafted` and `already_replied` without its own `key`, and those of
   *   attachments. RestanteError `replied_before`. ServiceError, NetworkError.
   * @example
   * ```ts
   * const draft = await message.draft({ text: 'We can offer 10 %.' })
   * await draft.send()
   * ```
   */
  draft(options: DraftReplyOptions): Promise<Draft> {
    const place = { drafts: this.#context.drafts, inboxId: this.inboxId }
    return draftReply(this.answered, place, options)
  }

  /**
   * Assigns the label with this name, and creates it if there is none. `spam` marks the message as spam, and
   * removes it from lists, searches and loops.
   *
   * @returns the updated message
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
   * Removes the label with this name, if it has it.
   *
   * @returns the updated message
   * @example
   * ```ts
   * await message.unlabel('urgent')
   * ```
   */
  async unlabel(name: string, options: ReadOptions = {}): Promise<Message> {
    return this.#unlabel('unlabel()', name, options)
  }

  /**
   * Archives it: the label `archived` removes it from the inbox of the console, and has no effect elsewhere.
   *
   * @returns the updated message
   * @example
   * ```ts
   * await message.archive()
   * ```
   */
  archive(options: ReadOptions = {}): Promise<Message> {
    return this.#label('archive()', 'archived', options)
  }

  /**
   * Moves it to the trash: lists, searches, threads and loops omit it, and it is erased after 30 days. A loop
   * that has already received it can still finish with it.
   *
   * @returns the updated message
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
   * @returns the updated message
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
   * Removes the label `unread`, which every incoming message gets. Loops neither read nor change it.
   *
   * @returns the updated message
   * @example
   * ```ts
   * await message.markRead()
   * ```
   */
  markRead(options: ReadOptions = {}): Promise<Message> {
    return this.#unlabel('markRead()', 'unread', options)
  }

  /**
   * Marks it as unread again.
   *
   * @returns the updated message
   * @example
   * ```ts
   * await message.markUnread()
   * ```
   */
  markUnread(options: ReadOptions = {}): Promise<Message> {
    return this.#label('markUnread()', 'unread', options)
  }

  /**
   * Erases it everywhere; does nothing if it is already deleted. If it waits to be sent, it is not sent.
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

  /** @internal */
  get answered(): Answered {
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

/** Options of `Message.handOver`. */
export interface HandOverOptions extends ReadOptions {
  /** Why, for the people who take over: at most 1,000 characters. */
  reason: string
  /** Replies with the text that an operator prepared for the inbox, once in each hold. Default false. */
  sendPreparedText?: boolean | undefined
}

/** Options of `Thread.toPrompt`. */
export interface ThreadPromptOptions extends PromptOptions {
  /** Only these of its messages, oldest first, as if there were no others. */
  messages?: readonly Message[] | undefined
}

/** Operations that change a thread. */
type ChangingVerb = 'hold' | 'release' | 'assign' | 'close' | 'reopen' | 'snooze'

/** An operator or a consumer, for `Thread.assign`. */
export interface Assignee {
  kind: 'operator' | 'consumer'
  /** Id of the operator, or name of the consumer. */
  id: string
}

/** Options of `Thread.hold`. */
export interface HoldOptions extends ReadOptions {
  /** Why, for people and agents: at most 1,000 characters. */
  reason?: string | undefined
  /** Time at which the hold ends by itself. Default: when the thread is released. */
  until?: Date | string | undefined
}

const promptNames: OptionNames<PromptOptions> = {
  ...{ maxTokens: true, countTokens: true, attachments: 'boolean', signal: true },
}
const threadPromptNames: OptionNames<ThreadPromptOptions> = { ...promptNames, messages: true }

/**
 * Snapshot of a conversation with its messages. Handles do not change.
 *
 * It shares a file with {@link Message}, since each leads to the other.
 *
 * @example
 * ```ts
 * const thread = await mailbox.threads.get('m1042-mxk')
 * console.log(thread.subject, thread.messages.length)
 * ```
 */
export class Thread extends ThreadSummary {
  readonly #context: HandleContext
  /** Oldest first, without spam that was sent into the conversation and without messages in the trash. */
  readonly messages: readonly Message[]

  /** @internal */
  constructor(context: HandleContext, record: ThreadRecord, messages: readonly Message[]) {
    super(record)
    this.#context = context
    this.messages = messages
  }

  /**
   * Replies to the newest incoming message. A thread that was read from a delivered message shares its one
   * reply: see `Message.reply`. Another reply to the same message needs its own `key`.
   *
   * @throws UsageError `nothing_to_reply_to` if it has no incoming message; otherwise as `Message.reply`.
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
   * Replies to everybody on the newest incoming message; otherwise like {@link reply}.
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
   * Forwards the newest message, incoming or outgoing: see `Message.forward`.
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
   * Creates a draft of a reply to the newest incoming message.
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
   * Waits for the first message that arrives after those of this handle and that no program wrote (unless
   * `automatic` is true). For the one after it: `(await reply.thread()).nextReply()`. In the body of a
   * consumer, that message is acknowledged with the body and not delivered separately.
   *
   * @returns a wait, which can be stored: see `Wait.token`
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
   * Returns the conversation as text for a model, of a bounded length. Newest messages take precedence. It
   * omits quotes of other messages in the thread, and content that people do not see (zero-width characters,
   * hidden HTML). It reports what it omitted, and whether each sender is proven. Text of strangers stands
   * between marks that it cannot contain. Handles in it (`m1042-mxk`) are accepted as ids.
   *
   * Marks do not keep a model from believing what it reads: bound what it may do, too.
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
    return threadPrompt(options.messages ?? this.messages, this.#context, options)
  }

  /**
   * Assigns a label to each message of this handle: see `Message.label`.
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
   * Removes a label from each message of this handle.
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
   * Erases it with all its messages; does nothing if it is already deleted.
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

  /**
   * Holds it for people: loops get none of its messages, and sends of programs are refused with
   * `thread_held`. Holding it again replaces the reason and the end. The key needs the scope `manage`.
   *
   * @returns the updated thread
   * @throws ServiceError `insufficient_scope`; `invalid_request` if `until` is not in the future
   * @example
   * ```ts
   * await thread.hold({ reason: 'The customer asked for a person.' })
   * ```
   */
  async hold(options: HoldOptions = {}): Promise<Thread> {
    checkOptions<HoldOptions>('hold()', options, { reason: true, until: true, signal: true })
    const { reason, until, signal } = options
    const input = { reason, until: until && wireTime('until', until) }
    return this.#changed('hold', input, { signal })
  }

  /**
   * Releases it to its agents: loops get the messages that nobody answered, with `message.handedBack`.
   *
   * @returns the updated thread
   * @throws ServiceError `insufficient_scope`
   * @example
   * ```ts
   * await thread.release()
   * ```
   */
  async release(options: ReadOptions = {}): Promise<Thread> {
    return this.#changed('release', {}, options)
  }

  /**
   * Assigns it: an operator holds it, a consumer releases it. The key needs the scope `manage`.
   *
   * @param assignee null for nobody
   * @returns the updated thread
   * @throws ServiceError `not_found` for an unknown assignee, `insufficient_scope`
   * @example
   * ```ts
   * await thread.assign({ kind: 'consumer', id: 'support-bot' })
   * ```
   */
  async assign(assignee: Assignee | null, options: ReadOptions = {}): Promise<Thread> {
    return this.#changed('assign', { assignee }, options)
  }

  /**
   * Closes it: its messages are archived and its hold ends. A new message opens it again. The key needs the
   * scope `manage`.
   *
   * @returns the updated thread
   * @throws ServiceError `insufficient_scope`
   * @example
   * ```ts
   * await thread.close()
   * ```
   */
  async close(options: ReadOptions = {}): Promise<Thread> {
    return this.#changed('close', {}, options)
  }

  /**
   * Opens it if it is closed or snoozed. The key needs the scope `manage`.
   *
   * @returns the updated thread
   * @throws ServiceError `insufficient_scope`
   * @example
   * ```ts
   * await thread.reopen()
   * ```
   */
  async reopen(options: ReadOptions = {}): Promise<Thread> {
    return this.#changed('reopen', {}, options)
  }

  /**
   * Snoozes it until a time in the future, or a new message. The key needs the scope `manage`.
   *
   * @param until a Date, or a time with its zone
   * @returns the updated thread
   * @throws ServiceError `insufficient_scope`; `invalid_request` if `until` is not in the future
   * @example
   * ```ts
   * await thread.snooze(new Date(Date.now() + 86_400_000))
   * ```
   */
  async snooze(until: Date | string, options: ReadOptions = {}): Promise<Thread> {
    return this.#changed('snooze', { until: wireTime('until', until) }, options)
  }

  /** Changes it, and returns it with the same messages. */
  async #changed<Verb extends ChangingVerb>(
    verb: Verb,
    input: Omit<Parameters<Client['threads'][Verb]>[0], 'id'>,
    options: ReadOptions,
  ): Promise<Thread> {
    checkRead(`${verb}()`, options)
    const change = this.#context.client.threads[verb] as (
      input: object,
      options: ReadOptions,
    ) => Promise<ThreadRecord>
    return new Thread(this.#context, await change({ ...input, id: this.id }, options), this.messages)
  }

  #newestInbound(): Message {
    const newest = this.messages.findLast(({ direction }) => direction === 'inbound')
    if (newest) return newest
    throw new UsageError(
      'nothing_to_reply_to',
      `nobody has written in thread ${this.id} yet: use mailbox.send()`,
    )
  }
}
