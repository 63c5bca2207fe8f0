import { Agent } from '@mastra/core/agent'
import type { Mailbox } from 'restante'
import { createMailboxTools } from 'restante/mastra'

export async function answer(mailbox: Mailbox): Promise<string> {
  const tools = createMailboxTools(mailbox, { only: ['reply', 'wait_for_reply'], suspend: true })
  const agent = new Agent({ id: 'desk', name: 'Desk', instructions: 'Answer.', model: 'openai/gpt-5', tools })
  // @ts-expect-error It was not asked for.
  tools.send_mail
  return (await agent.generate('Go on.')).text
}
