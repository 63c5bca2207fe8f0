import { Agent } from '@strands-agents/sdk'
import type { Mailbox } from 'restante'
import { createMailboxTools, replyTo, waitsIn } from 'restante/strands'
import type { MailWait } from 'restante/tools'

export function desk(mailbox: Mailbox): Agent {
  const tools = createMailboxTools(mailbox, { only: ['reply', 'wait_for_reply'], suspend: true })
  // @ts-expect-error There is no such tool.
  createMailboxTools(mailbox, { only: ['delete_everything'] })
  return new Agent({ tools })
}

export const goOn = (agent: Agent, wait: MailWait) => agent.invoke(replyTo(wait, null)).then(waitsIn)
