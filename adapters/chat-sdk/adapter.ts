import {
  type Adapter,
  type AdapterPostableMessage,
  type Attachment,
  type ChannelInfo,
  type ChatInstance,
  type Message as ChatMessage,
  type FetchOptions,
  type FetchResult,
  type FormattedContent,
  type ListThreadsOptions,
  type ListThreadsResult,
  NotImplementedError,
  type RawMessage,
  type ScheduledMessage,
  type StreamChunk,
  type ThreadInfo,
  type WebhookOptions,
} from 'chat'
import {
  isServiceError,
  type Mailbox,
  type Message,
  type MessageRecord,
  type Run,
  UsageError,
  type WebhookReceiver,
} from 'restante'
import { Directs } from './directs'
import { fromMessage, fromRecord, type Reading, toAttachment } from './incoming'
import { type MailboxAdapterOptions, readOptions } from './options'
import { collect, renderFormatted, toMail } from './outgoing'
import { type Posted, Poster } from './posting'
import { BusyError, Receiver } from './receiving'
import { addressOf, channelOf, decodeThreadId, encodeThreadId, type MailThreadId } from './thread-id'

const pageSize = 50
/** Delay before a busy conversation is tried again. The lock of a process that died ends after 30 s. */
const busyDelayMs = 10_000

/**
 * Chat SDK adapter for a mailbox: see {@link createMailboxAdapter}.
 *
 * @example
 * ```ts
 * const adapter = createMailboxAdapter(mailbox)
 * const { messages } = await adapter.fetchMessages(await adapter.openDM('ana@example.com'), { limit: 10 })
 * ```
 */
export class MailboxAdapter implements Adapter<MailThreadId, MessageRecord | Posted> {
  readonly name: string
  readonly userName: string
  readonly #options: ReturnType<typeof readOptions>
  readonly #mailbox: Mailbox
  readonly #reading: Reading
  readonly #poster: Poster
  readonly #receiver: Receiver
  readonly #directs: Directs
  #chat: ChatInstance | null = null
  #run: Run | null = null
  #webhook: WebhookReceiver | null = null

  /** @internal */
  constructor(mailbox: Mailbox, options: MailboxAdapterOptions) {
    this.#options = readOptions(options)
    const { name, userName, consumer, form, maxTokens, toAll, subject, webhookSecret } = this.#options
    this.name = name
    this.#mailbox = mailbox
    this.userName = userName ?? (mailbox.inboxes.length === 1 ? mailbox.address : name)
    const directs = new Directs(mailbox, name)
    this.#directs = directs
    this.#reading = { mailbox, form, maxTokens }
    this.#poster = new Poster({ ...this.#reading, directs, toAll, subject })
    const isLeased = webhookSecret === undefined
    this.#receiver = new Receiver({ ...this.#reading, adapter: this, directs, consumer, isLeased })
  }

  /** Starts receiving messages. Called by `chat.initialize()`. */
  async initialize(chat: ChatInstance): Promise<void> {
    this.#chat = chat
    const { webhookSecret: secret, consumer, concurrency } = this.#options
    if (secret !== undefined) {
      this.#webhook = this.#mailbox.webhook({
        secret,
        onMessage: (message) => this.#receiver.receive(chat, message),
      })
      return
    }
    if (this.#run) return
    this.#run = this.#mailbox.run((message) => this.#take(chat, message), { consumer, concurrency })
    this.#run.done.catch((error: unknown) =>
      chat.getLogger(this.name).error('no more mail is taken: see error', { error }),
    )
  }

  async #take(chat: ChatInstance, message: Message): Promise<void> {
    try {
      await this.#receiver.receive(chat, message)
    } catch (error) {
      if (!(error instanceof BusyError)) throw error
      await message.nack({ delayMs: busyDelayMs })
    }
  }

  /** Stops receiving messages and resolves when the current handlers are done. The mailbox stays open. */
  async disconnect(): Promise<void> {
    await this.#run?.stop()
    this.#run = null
  }

  /**
   * Answers a webhook of the service, with 200 once its message was handled. Otherwise the service repeats
   * it, for days. With a consumer the webhook is not needed and answers 404.
   */
  async handleWebhook(request: Request, { waitUntil }: WebhookOptions = {}): Promise<Response> {
    if (!this.#webhook) {
      const message = this.#chat
        ? 'this bot takes its mail from a consumer: give the adapter webhookSecret to take it from webhooks'
        : 'the bot is not initialized: call chat.initialize() first'
      return Response.json({ error: 'not_found', message }, { status: 404 })
    }
    const answering = this.#webhook(request)
    waitUntil?.(answering)
    const answer = await answering
    return answer.status === 204 ? new Response('handled', { status: 200 }) : answer
  }

  encodeThreadId(thread: MailThreadId): string {
    return encodeThreadId(this.name, thread)
  }

  /** @throws UsageError `invalid_thread_id` */
  decodeThreadId(threadId: string): MailThreadId {
    return decodeThreadId(this.name, threadId)
  }

  /** Returns the channel of a thread, which is its inbox. */
  channelIdFromThreadId(threadId: string): string {
    return channelOf(threadId)
  }

  /** Returns whether a thread was opened with {@link openDM}. */
  isDM(threadId: string): boolean {
    return threadId.split(':').length === 3 && 'address' in this.decodeThreadId(threadId)
  }

  /**
   * Opens the conversation with one person. Posts to it go to that person alone, and their answers arrive in
   * it.
   *
   * @throws UsageError `several_inboxes` if the mailbox does not have exactly one inbox
   */
  async openDM(userId: string): Promise<string> {
    const [inbox, another] = this.#mailbox.inboxes
    if (!inbox || another)
      throw new UsageError(
        'several_inboxes',
        'open the mailbox for the inbox that writes: Mailbox.open({ inbox })',
      )
    return this.encodeThreadId({ inboxId: inbox.id, address: addressOf(userId).toLowerCase() })
  }

  /**
   * Sends a message to the conversation. Each post made while a message is handled is sent once, also if the
   * message is delivered again.
   */
  async postMessage(threadId: string, message: AdapterPostableMessage): Promise<RawMessage<Posted>> {
    return this.#posted(
      threadId,
      await this.#poster.post(this.decodeThreadId(threadId), await toMail(message)),
    )
  }

  /** Replies to one message of the conversation. */
  async reply(
    threadId: string,
    messageId: string,
    message: AdapterPostableMessage,
  ): Promise<RawMessage<Posted>> {
    return this.#posted(threadId, await this.#poster.reply(messageId, await toMail(message)))
  }

  /**
   * Sends a stream as one message when it has ended. Chat passes on only the text. To not send the output of
   * a model that was cut off, await its text and finish reason, and post the text yourself.
   *
   * @throws UsageError `unanswered` if there is no text
   */
  async stream(threadId: string, chunks: AsyncIterable<string | StreamChunk>): Promise<RawMessage<Posted>> {
    const markdown = await collect(chunks)
    if (markdown.trim() !== '') return this.postMessage(threadId, { markdown })
    throw new UsageError(
      'unanswered',
      'the stream ended without a word, and nothing was sent: where no answer is needed, post nothing',
    )
  }

  /** Schedules a message; until then it is a draft. */
  async scheduleMessage(
    threadId: string,
    message: AdapterPostableMessage,
    { postAt }: { postAt: Date },
  ): Promise<ScheduledMessage<Posted>> {
    const mail = { ...(await toMail(message)), scheduled_at: postAt.toISOString() }
    const raw = await this.#poster.post(this.decodeThreadId(threadId), mail)
    const { id } = raw
    return {
      scheduledMessageId: id,
      channelId: this.channelIdFromThreadId(threadId),
      postAt,
      raw,
      cancel: () => this.#mailbox.drafts.delete(id),
    }
  }

  /** @throws NotImplementedError always: a sent message cannot be changed */
  async editMessage(): Promise<never> {
    throw new NotImplementedError(
      'mail that was sent cannot be changed: post when the text is ready, or post a stream, which is sent whole',
      'editMessage',
    )
  }

  /** @throws NotImplementedError always: a sent message cannot be recalled */
  async deleteMessage(): Promise<never> {
    throw new NotImplementedError('mail that was sent cannot be called back', 'deleteMessage')
  }

  /** Does nothing: email has no reactions. */
  async addReaction(): Promise<void> {}
  /** Does nothing: email has no reactions. */
  async removeReaction(): Promise<void> {}
  /** Does nothing: email has no typing indicator. */
  async startTyping(): Promise<void> {}

  /** Builds a message from its record, with at most 4 KiB of its text. */
  parseMessage(raw: MessageRecord | Posted): ChatMessage<MessageRecord> {
    const record = raw as MessageRecord
    if (record.from_addr === undefined)
      throw new UsageError('not_a_message', `this tells of the post ${raw.id}: read it with fetchMessage`)
    const { inbox_id: inboxId, thread_id: threadId } = record
    return fromRecord(this.#reading, record, this.encodeThreadId({ inboxId, threadId }))
  }

  /** Returns the messages of a conversation from the service. The cursor is the id of a message. */
  async fetchMessages(threadId: string, options: FetchOptions = {}): Promise<FetchResult<MessageRecord>> {
    const { cursor, direction = 'backward', limit = pageSize } = options
    if (!Number.isInteger(limit) || limit < 1)
      throw new UsageError('invalid_options', `limit is a whole number from 1 on, not ${limit}`)
    const all = await this.#messagesOf(threadId)
    const at = all.findIndex(({ id }) => id === cursor)
    if (cursor !== undefined && at < 0)
      throw new UsageError(
        'invalid_cursor',
        `the conversation has no message ${JSON.stringify(cursor)}: it may have been deleted. Leave the cursor out to start again`,
      )
    const isForward = direction === 'forward'
    const left = isForward ? all.slice(at + 1) : all.slice(0, at < 0 ? all.length : at)
    const page = isForward ? left.slice(0, limit) : left.slice(-limit)
    const next = isForward ? page.at(-1) : page[0]
    const messages = await Promise.all(page.map((message) => fromMessage(this.#reading, message, threadId)))
    return { messages, nextCursor: page.length < left.length ? next?.id : undefined }
  }

  /** Returns one message of a conversation; null if it does not exist. */
  async fetchMessage(threadId: string, messageId: string): Promise<ChatMessage<MessageRecord> | null> {
    try {
      return await fromMessage(this.#reading, await this.#mailbox.messages.get(messageId), threadId)
    } catch (error) {
      if (isServiceError(error, 'not_found')) return null
      throw error
    }
  }

  /** Returns the subject and the inbox of a conversation. */
  async fetchThread(threadId: string): Promise<ThreadInfo> {
    const [first] = await this.#messagesOf(threadId)
    const channelId = this.channelIdFromThreadId(threadId)
    const { name } = await this.fetchChannelInfo(channelId)
    const metadata = { subject: first?.subject ?? null }
    return { id: threadId, channelId, channelName: name, isDM: this.isDM(threadId), metadata }
  }

  /** Returns the inbox. */
  async fetchChannelInfo(channelId: string): Promise<ChannelInfo> {
    const inbox = this.#mailbox.inboxes.find(({ id }) => `${this.name}:${id}` === channelId)
    return { id: channelId, name: inbox?.address, isDM: false, metadata: {} }
  }

  /** Returns the conversations of an inbox, latest activity first. */
  async listThreads(
    channelId: string,
    options: ListThreadsOptions = {},
  ): Promise<ListThreadsResult<MessageRecord>> {
    const [, inbox] = channelId.split(':')
    const { limit = pageSize, cursor } = options
    const { items, nextCursor } = await this.#mailbox.threads.list({ inbox, limit, cursor })
    const threads = await Promise.all(
      items.map(async ({ id: threadId, inboxId }) => {
        const { messages } = await this.#mailbox.threads.get(threadId)
        const id = this.encodeThreadId({ inboxId, threadId })
        const rootMessage = await fromMessage(this.#reading, messages[0]!, id)
        return { id, rootMessage, replyCount: messages.length - 1, lastReplyAt: messages.at(-1)?.receivedAt }
      }),
    )
    return { threads, nextCursor: nextCursor ?? undefined }
  }

  /** Restores the `fetchData` of an attachment that was stored. */
  rehydrateAttachment(attachment: Attachment): Attachment {
    const id = attachment.fetchMetadata?.attachmentId
    if (id === undefined) return attachment
    const info = { id, filename: null, content_type: '', size: 0, inline: false, content_id: null }
    return { ...attachment, fetchData: toAttachment(this.#mailbox, info).fetchData }
  }

  /** Renders Markdown, which is readable as plain text. */
  renderFormatted(content: FormattedContent): string {
    return renderFormatted(content)
  }

  #posted(threadId: string, raw: Posted): RawMessage<Posted> {
    return { id: raw.id, threadId, raw }
  }

  async #messagesOf(threadId: string): Promise<readonly Message[]> {
    const place = this.decodeThreadId(threadId)
    const id =
      'threadId' in place ? place.threadId : await this.#directs.threadOf(place.inboxId, place.address)
    return id === null ? [] : (await this.#mailbox.threads.get(id)).messages
  }
}
