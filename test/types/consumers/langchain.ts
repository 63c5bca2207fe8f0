import { MemorySaver } from '@langchain/langgraph'
import { createAgent } from 'langchain'
import type { Mailbox } from 'restante'
import { agentInbox, MailboxToolkit, MailLoader, MailRetriever } from 'restante/langchain'
import { mailboxMiddleware } from 'restante/langchain-middleware'
import { createAskTool, resumeOnReply } from 'restante/langgraph'

export async function ask(mailbox: Mailbox): Promise<string | undefined> {
  const { tools } = new MailboxToolkit(mailbox, { only: ['reply'] })
  const all = [...tools, createAskTool(mailbox, { timeoutMs: 60_000 })]
  const agent = createAgent({
    model: 'openai:gpt-5',
    tools: all,
    middleware: [mailboxMiddleware(mailbox, { approve: 'send', only: ['forward'] })],
    checkpointer: new MemorySaver(),
  })
  const config = { configurable: { thread_id: 'one' } }
  await agent.invoke({ messages: [{ role: 'user', content: 'Ask Ana.' }] }, config)
  const state = await resumeOnReply(mailbox, agent, config)
  // @ts-expect-error There may be nothing to go on with.
  state.messages
  return state?.messages.at(-1)?.text
}

export const answer = (mailbox: Mailbox) =>
  agentInbox({ mailbox, agent: ({ tools }) => createAgent({ model: 'openai:gpt-5', tools }) })

export async function find(mailbox: Mailbox): Promise<boolean[]> {
  const found = await new MailRetriever({ mailbox, k: 3 }).invoke('invoice')
  const loaded = await new MailLoader({ mailbox }).load()
  return [...found, ...loaded].map(({ metadata }) => metadata.verified)
}
