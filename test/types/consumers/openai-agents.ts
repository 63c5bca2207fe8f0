import { Agent, run } from '@openai/agents'
import type { Mailbox } from 'restante'
import { createMailboxTools } from 'restante/openai-agents'

export async function answer(mailbox: Mailbox): Promise<string> {
  const tools = createMailboxTools(mailbox, { only: ['reply', 'read_thread'] })
  const agent = new Agent({ name: 'Desk', instructions: 'Answer the mail.', tools })
  const { finalOutput } = await run(agent, 'Go on.')
  // @ts-expect-error It was not asked for.
  tools.some(({ name }) => name === 'send_mail')
  return finalOutput ?? ''
}
