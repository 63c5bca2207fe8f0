import { type Adapter, Chat, type StateAdapter } from 'chat'
import type { Mailbox, MessageRecord } from 'restante'
import { createMailboxAdapter, type MailThreadId, type Posted } from 'restante/chat-sdk'

export async function start(mailbox: Mailbox, state: StateAdapter): Promise<Response> {
  const adapter = createMailboxAdapter(mailbox, { answer: 'sender' })
  const typed: Adapter<MailThreadId, MessageRecord | Posted> = adapter
  const bot = new Chat({ userName: 'desk', adapters: { restante: adapter }, state })
  bot.onNewMention(async (thread, message) => {
    await thread.post(`${typed.name}: ${message.text}`)
  })
  // @ts-expect-error The adapter has another name.
  bot.webhooks.slack
  return bot.webhooks.restante(new Request('https://bot.example/hook'))
}
