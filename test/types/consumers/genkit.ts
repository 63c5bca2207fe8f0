import type { Genkit, MessageData } from 'genkit'
import type { Mailbox } from 'restante'
import { createMailboxTools, replyTo, waitsIn } from 'restante/genkit'
import type { MailWait } from 'restante/tools'

export async function desk(ai: Genkit, mailbox: Mailbox): Promise<MailWait[]> {
  const tools = createMailboxTools(mailbox, { only: ['reply', 'wait_for_reply'], suspend: true })
  // @ts-expect-error There is no such tool.
  createMailboxTools(mailbox, { only: ['delete_everything'] })
  return waitsIn(await ai.generate({ prompt: 'Ask Ana, and wait.', use: [tools] }))
}

export const goOn = (ai: Genkit, mailbox: Mailbox, wait: MailWait, messages: MessageData[]) =>
  ai.generate({ messages, use: [createMailboxTools(mailbox)], resume: { restart: replyTo(wait, null) } })
