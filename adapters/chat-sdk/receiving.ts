import type { Adapter, ChatInstance, Message as ChatMessage } from 'chat'
import { isServiceError, type Message, type MessageRecord } from 'restante'
import type { Directs } from './directs'
import { fromMessage, isOwn, type Reading } from './incoming'
import { turns } from './posting'
import { channelOf, encodeThreadId } from './thread-id'

/** Another handler is at the conversation, perhaps of a process that died: the mail comes again later. */
export class BusyError extends Error {
  override readonly name = 'BusyError'
}

const probeMs = 1_000

/**
 * Tells whether the Chat SDK would begin with a message now. Where it would not, it drops the message, or keeps it
 * where a crash loses it: then the mail stays with its consumer.
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
  /** True if the consumer brings the mail, false if webhooks do. */
  readonly isLeased: boolean
}

/** Gives mail to the handlers of a bot, one of a conversation at a time. */
export class Receiver {
  readonly #options: ReceiverOptions
  readonly #last = new Map<string, Promise<void>>()

  constructor(options: ReceiverOptions) {
    this.#options = options
  }

  /**
   * Resolves once the handlers are done with it.
   *
   * @throws BusyError, and what a handler throws: then nobody has handled it.
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
      // A program wrote it, which nobody answers: there is nothing to do again.
      if (!isServiceError(error, 'automatic_mail')) throw error
      chat.getLogger(adapter.name).warn(`${message.id} counts as handled: ${error.message}`)
    }
  }

  /** The message as the Chat SDK has it; null where it was erased meanwhile. */
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

  /** It may come again, and then has to be handled again: the consumer remembers what was handled, not the Chat SDK. */
  #process(chat: ChatInstance, given: ChatMessage<MessageRecord>): Promise<void> {
    return chat.processMessage(this.#options.adapter, given.threadId, given, { deduplicate: false })
  }
}
