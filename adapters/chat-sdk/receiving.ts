import type { Adapter, ChatInstance, Message as ChatMessage } from 'chat'
import { isServiceError, type Message, type MessageRecord } from 'restante'
import type { Directs } from './directs'
import { fromMessage, isOwn, type Reading } from './incoming'
import { turns } from './posting'
import { channelOf, encodeThreadId } from './thread-id'

/** Error if another handler, maybe of a dead process, holds the conversation. The message is redelivered. */
export class BusyError extends Error {
  override readonly name = 'BusyError'
}

const probeMs = 1_000

/**
 * Returns whether the Chat SDK would start on a message now. Otherwise it drops the message or holds it in
 * memory, so the message must stay with its consumer.
 */
const isFree = async (chat: ChatInstance, key: string): Promise<boolean> => {
  const state = chat.getState()
  const lock = await state.acquireLock(key, probeMs)
  if (lock) await state.releaseLock(lock)
  return lock !== null
}

/** Options of {@link Receiver}. */
interface ReceiverOptions extends Reading {
  readonly adapter: Adapter
  readonly directs: Directs
  readonly consumer: string
  /** True if a consumer delivers the messages, false if webhooks do. */
  readonly isLeased: boolean
}

/** Passes messages to the handlers of a bot, one at a time in each conversation. */
export class Receiver {
  readonly #options: ReceiverOptions
  readonly #last = new Map<string, Promise<void>>()

  constructor(options: ReceiverOptions) {
    this.#options = options
  }

  /**
   * Resolves when the handlers are done with the message.
   *
   * @throws BusyError, and any error of a handler: then the message is not handled
   */
  receive(chat: ChatInstance, message: Message): Promise<void> {
    const { threadId } = message
    const before = this.#last.get(threadId) ?? Promise.resolve()
    const work = before.catch(() => {}).then(() => this.#handle(chat, message))
    const settled = work.catch(() => {})
    this.#last.set(threadId, settled)
    void settled.then(() => {
      if (this.#last.get(threadId) === settled) this.#last.delete(threadId)
    })
    return work
  }

  async #handle(chat: ChatInstance, message: Message): Promise<void> {
    if (isOwn(this.#options, message.record)) return
    const { adapter, consumer, isLeased } = this.#options
    const given = await this.#read(message)
    if (!given) return
    for (const key of [given.threadId, channelOf(given.threadId)])
      if (!(await isFree(chat, key)))
        throw new BusyError(`another handler is at ${key}: ${message.id} comes again later`)
    try {
      await turns.run({ message, consumer, isLeased, posts: 0 }, () => this.#process(chat, given))
    } catch (error) {
      // A program wrote the message, and the service refuses to answer it: a retry would not help.
      if (!isServiceError(error, 'automatic_mail')) throw error
      chat.getLogger(adapter.name).warn(`${message.id} counts as handled: ${error.message}`)
    }
  }

  /** Builds the Chat SDK message; null if it was erased meanwhile. */
  async #read(message: Message): Promise<ChatMessage<MessageRecord> | null> {
    const { adapter, directs } = this.#options
    try {
      const threadId = encodeThreadId(adapter.name, await directs.conversationOf(message))
      return await fromMessage(this.#options, message, threadId)
    } catch (error) {
      if (isServiceError(error, 'not_found')) return null
      throw error
    }
  }

  /**
   * Disables deduplication of the Chat SDK: a message delivered again must be handled again. The consumer
   * remembers which messages were handled.
   */
  #process(chat: ChatInstance, given: ChatMessage<MessageRecord>): Promise<void> {
    return chat.processMessage(this.#options.adapter, given.threadId, given, { deduplicate: false })
  }
}
