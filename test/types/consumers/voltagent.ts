import { Agent, type AgentModelValue } from '@voltagent/core'
import type { Mailbox } from 'restante'
import { createMailboxTools } from 'restante/voltagent'

export function desk(mailbox: Mailbox, model: AgentModelValue): Agent {
  const tools = createMailboxTools(mailbox, { only: ['reply', 'wait_for_reply'] })
  // @ts-expect-error There is no such tool.
  createMailboxTools(mailbox, { only: ['delete_everything'] })
  return new Agent({ name: 'desk', instructions: 'Answer the mail.', model, tools })
}
