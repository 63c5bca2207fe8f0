import { LlmAgent } from '@google/adk'
import type { Mailbox } from 'restante'
import { createMailboxTools, replyTo } from 'restante/google-adk'
import type { MailWait } from 'restante/tools'

export function desk(mailbox: Mailbox): LlmAgent {
  const tools = createMailboxTools(mailbox, { only: ['reply', 'wait_for_reply'], suspend: true })
  // @ts-expect-error There is no such tool.
  createMailboxTools(mailbox, { only: ['delete_everything'] })
  return new LlmAgent({ name: 'desk', model: 'gemini-3-flash', tools })
}

export const goOn = async (mailbox: Mailbox, wait: MailWait): Promise<string> =>
  JSON.stringify(await replyTo(mailbox, wait, null))
