/**
 * Mailbox for the Vercel Chat SDK 4, and for channels of Mastra.
 *
 * @module
 */
import type { Mailbox } from 'restante'
import { MailboxAdapter } from './chat-sdk/adapter'
import type { MailboxAdapterOptions } from './chat-sdk/options'

export { MailboxAdapter } from './chat-sdk/adapter'
export type { TextForm } from './chat-sdk/incoming'
export type { MailboxAdapterOptions } from './chat-sdk/options'
export type { Posted } from './chat-sdk/posting'
export type { MailThreadId } from './chat-sdk/thread-id'

/**
 * Makes a mailbox an adapter of the Vercel Chat SDK (and of Mastra's channels): a bot written for Slack or
 * Teams answers email. Each message is handled once, after a crash too, and one at a time in each
 * conversation. Posts made while handling a message are sent once. The adapter keeps no state in memory:
 * thread ids identify the conversation.
 *
 * Text from strangers reaches the bot as `message.text`, fenced for a model. Names, subjects and attachments
 * are the sender's own, and anybody can write anything in them: limit what the bot may do. Decide by
 * `author.userId` only: it is an address if the sender is proven, and begins with `unproven:` otherwise. Give
 * a model no attachment without a mark of your own.
 *
 * @throws UsageError `invalid_options`
 * @example
 * ```ts
 * import { Chat } from 'chat'
 * import { createMailboxAdapter } from 'restante/chat-sdk'
 *
 * const bot = new Chat({ userName: 'desk', adapters: { restante: createMailboxAdapter(mailbox) }, state })
 * bot.onNewMention(async (thread, message) => {
 *   await thread.subscribe()
 *   await thread.post(await answer(message.text))
 * })
 * await bot.initialize()
 * ```
 */
export function createMailboxAdapter(mailbox: Mailbox, options: MailboxAdapterOptions = {}): MailboxAdapter {
  return new MailboxAdapter(mailbox, options)
}
