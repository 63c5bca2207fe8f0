// An agent that asks Ana by mail and goes on with her answer, in however many processes that takes.
import { PostgresSaver } from '@langchain/langgraph-checkpoint-postgres'
import { AIMessage, createAgent, fakeModel } from 'langchain'
import { Mailbox } from 'restante'
import { createAskTool, resumeOnReply } from 'restante/langgraph'

const [url, apiKey, databaseUrl, schema] = process.argv.slice(2)
const mailbox = await Mailbox.open({ url, apiKey })
const checkpointer = PostgresSaver.fromConnString(databaseUrl, { schema })
await checkpointer.setup()

const args = { to: 'ana@example.com', subject: 'Your order', text: 'Which size?' }
const think = (messages) => {
  const answer = messages.find(({ type }) => type === 'tool')
  if (answer) return new AIMessage(`She takes ${/size (\w+)/i.exec(answer.text)?.[1]}.`)
  return new AIMessage({ content: '', tool_calls: [{ name: 'ask_by_mail', args, id: 'call_ask' }] })
}
const agent = createAgent({
  model: fakeModel().respond(think).respond(think),
  tools: [createAskTool(mailbox, { recipients: ['example.com'] })],
  checkpointer,
})

const config = { configurable: { thread_id: 'order-17' }, durability: 'sync' }
const { next } = await agent.getState(config)
if (next.length === 0) await agent.invoke({ messages: [{ role: 'user', content: 'Ask Ana.' }] }, config)
console.log('waiting')
const state = await resumeOnReply(mailbox, agent, config)
console.log(`end: ${state.messages.at(-1).text}`)
await mailbox.close()
await checkpointer.end()
