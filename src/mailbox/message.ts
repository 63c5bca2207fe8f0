import type { Client } from '../client'
import { type MessageSummary, type Thread as ThreadRecord, UsageError } from '../protocol'
import { type Answered, draftReply, sendForward, sendReply } from './answers'
import { deleted } from './deleted'
import { type Delivery, requireHold } from './delivery'
import type { Draft, DraftReplyOptions, Drafts } from './drafts'
import { assignLabel, unassignLabel } from './labelling'
import { MessageContent } from './message-content'
import type { ForwardOptions, ReplyOptions, SentMessage } from './outgoing'
import type { Reader, ReadOptions } from './reader'
import type { ShortHandles } from './short-handles'
import { ThreadSummary } from './thread-summary'
import { messagePrompt, type PromptOptions, threadPrompt } from './to-prompt'
import type { Wait, WaitOptions } from './wait-options'

/** What the handles of a mailbox share. */
export interface HandleContext {
  readonly client: Client
  readonly reader: Reader
  readonly drafts: Drafts
  readonly handles: ShortHandles
  /** Waits for what comes into the thread of a message after it. */
  nextReply(messageId: string, options?: WaitOptions & { automatic?: boolean }): Wait<Message>
  /** Makes the handle of a thread. */
  thread(id: string, delivery: Delivery | null, options?: ReadOptions): Promise<Thread>
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
export class Message extends MessageContent {
  readonly #context: HandleContext
  readonly #delivery: Delivery | null

  /** @internal */
  constructor(context: HandleContext, record: MessageSummary, delivery: Delivery | null = null) {
    super(context, record)
    this.#context = context
    this.#delivery = delivery
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
  toPrompt(options: PromptOptions = {}): Promise<string> {
    return messagePrompt(this, options)
  }

  /** How often a named consumer has handed it out, this time included; 1 for any other message. */
  get attempt(): number {
    return this.#delivery?.holdOf(this.id)?.record.attempt ?? 1
  }

  /**
   * Whether a named consumer hands it out late, since it was a dead letter, or marked as spam: newer ones of its thread
   * may have been handled already.
   */
  get redriven(): boolean {
    return this.#delivery?.holdOf(this.id)?.record.redriven ?? false
  }

  /**
   * Tells the consumer that it was handled, which a loop does by asking for the next. The first of `ack` and `nack`
   * stands; network failures are retried for 5 minutes.
   *
   * @throws UsageError `not_leased` for a message that no named consumer handed out
   * @example
   * ```ts
   * await message.ack() // what follows is not done again
   * await render(message.id)
   * ```
   */
  async ack(): Promise<void> {
    return requireHold(this.#delivery, this.id).ack()
  }

  /**
   * Gives it back, to be handed out again after `delayMs`, or else at once and from the third attempt on later each
   * time. After ten attempts it is a dead letter. @throws UsageError `not_leased`
   * @example
   * ```ts
   * await message.nack({ delayMs: 60_000 })
   * ```
   */
  async nack({ delayMs }: { delayMs?: number } = {}): Promise<void> {
    return requireHold(this.#delivery, this.id).nack(delayMs)
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
    return requireHold(this.#delivery, this.id).extend()
  }

  /**
   * The conversation, with all its messages that the mailbox knows of now.
   *
   * @example
   * ```ts
   * const { messages } = await message.thread()
   * ```
   */
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
   * @throws UsageError `already_replied` for a second reply without a `key` of its own, `already_drafted` where there is
   *   a draft. RestanteError `drafted_before` where an earlier delivery drafted the reply. ServiceError `thread_moved`
   *   with `onlyIfLatest`, and other refusals. NetworkError.
   * @example
   * ```ts
   * for await (const message of mailbox.incoming()) await message.reply({ text: 'Got it, thank you.' })
   * ```
   */
  reply(options: ReplyOptions): Promise<SentMessage> {
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
    return sendForward(this.#answered, options)
  }

  /**
   * Writes a draft of a reply, in thread: to be changed, sent, or approved by a human. It stands for the one reply of the
   * delivery: see {@link reply}. Handled again, the message has this draft, and no reply beside it.
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
   * Puts the label of this name on it, and makes the label where there is none; `spam` marks it as spam.
   *
   * @returns the message as it is now
   * @throws ServiceError `label_limit_reached` and other refusals
   * @example
   * ```ts
   * await message.label('answered')
   * ```
   */
  async label(name: string, options: ReadOptions = {}): Promise<Message> {
    return this.#as(await assignLabel(this.#context.client, this.id, name, options))
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
    return this.#as((await unassignLabel(this.#context.client, this.id, name, options)) ?? this.record)
  }

  /**
   * Erases it, everywhere; does nothing where it is gone. One that waits to be sent is not sent.
   *
   * @example
   * ```ts
   * await message.delete()
   * ```
   */
  delete({ signal }: ReadOptions = {}): Promise<void> {
    return deleted(this.#context.client.messages.delete({ id: this.id }, { signal }))
  }

  get #answered(): Answered {
    return { client: this.#context.client, id: this.id, delivery: this.#delivery }
  }

  #as(record: MessageSummary): Message {
    return new Message(this.#context, record, this.#delivery)
  }
}

/**
 * A conversation with its messages, as it was when it was read; handles do not change.
 *
 * In one file with {@link Message}, since each leads to the other.
 *
 * @example
 * ```ts
 * const thread = await mailbox.threads.get('t1')
 * console.log(thread.subject, thread.messages.length)
 * ```
 */
export class Thread extends ThreadSummary {
  readonly #context: HandleContext
  /** Oldest first. Spam that was sent into a conversation is left out. */
  readonly messages: readonly Message[]

  /** @internal */
  constructor(context: HandleContext, record: ThreadRecord, messages: readonly Message[]) {
    super(context.handles, record)
    this.#context = context
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
  async replyAll(options: Omit<ReplyOptions, 'replyAll'>): Promise<SentMessage> {
    return this.reply({ ...options, replyAll: true })
  }

  /**
   * Passes the newest message on, whoever wrote it: see `Message.forward`.
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
   * const draft = await thread.draft({ text: 'Any news?' })
   * ```
   */
  async draft(options: DraftReplyOptions): Promise<Draft> {
    return this.#newestInbound().draft(options)
  }

  /**
   * Waits for the first message that comes in after those of this handle, and that no program wrote (unless
   * `automatic` is true). The next but one: `(await reply.thread()).nextReply()`.
   * In the body of a consumer it is handled along: acknowledged with the body, and not handed out again.
   *
   * @returns a promise that can be stored: see `Wait.token`
   * @example
   * ```ts
   * const thread = await message.thread()
   * await thread.reply({ text: 'Which size?' })
   * const answer = await thread.nextReply({ timeoutMs: 3_600_000 })
   * ```
   */
  nextReply(options: WaitOptions & { automatic?: boolean } = {}): Wait<Message> {
    return this.#context.nextReply(this.messages.at(-1)!.id, options)
  }

  /**
   * The conversation as text for a model, bounded: the newest messages go in first, quotes of what the thread holds
   * are left out, and so is what a person would not see (zero-width characters, what HTML hides); what was left out is
   * said. Each message says whether its sender is proven. What a stranger wrote stands between marks that it cannot
   * contain. The short handles in it (`m3`, `t1`) are taken by the helpers in place of ids.
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
  toPrompt(options: PromptOptions = {}): Promise<string> {
    return threadPrompt(this.handle, this.messages, options)
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
  delete({ signal }: ReadOptions = {}): Promise<void> {
    return deleted(this.#context.client.threads.delete({ id: this.id }, { signal }))
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
