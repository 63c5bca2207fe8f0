import { Agent } from '@strands-agents/sdk'
import type { Mailbox } from 'restante'
import { createMailboxTools, type MailWait, replyTo, waitsIn } from 'restante/strands'

export function desk(mailbox: Mailbox): Agent {
  const tools = createMailboxTools(mailbox, { only: ['reply', 'wait_for_reply'], suspend: true })
  // @ts-expect-error There is no such tool.
  createMailboxTools(mailbox, { only: ['delete_everything'] })
  return new Agent({ tools })
}

export const goOn = (agent: Agent, wait: MailWait) => agent.invoke(replyTo(wait, null)).then(waitsIn)
