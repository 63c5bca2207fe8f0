import { Annotation, END, MemorySaver, START, StateGraph } from '@langchain/langgraph'
import { createTransport } from 'nodemailer'
import { Mailbox } from 'restante'
import { awaitReply, resumeOnReply } from 'restante/langgraph'
import { createService } from 'restante/service'

await using service = await createService({ http: '127.0.0.1:0', smtp: '127.0.0.1:0' })
await using mailbox = await Mailbox.open({ service })
const { smtp } = await service.listen()

const State = Annotation.Root({ order: Annotation<string>, size: Annotation<string> })

// The node sleeps until Ana answers: for days, and across restarts where the checkpointer is PostgresSaver.
const ask = async ({ order }: typeof State.State) => {
  const mail = { to: 'ana@example.com', subject: `Order ${order}`, text: 'Which size?' }
  const sent = await mailbox.send({ ...mail, clientId: `ask-${order}` })
  const reply = await awaitReply(mailbox, sent, { timeoutMs: 7 * 24 * 3_600_000 })
  return { size: reply?.text ?? 'unknown' }
}
const graph = new StateGraph(State)
  .addNode('ask', ask)
  .addEdge(START, 'ask')
  .addEdge('ask', END)
  .compile({ checkpointer: new MemorySaver() })

const config = { configurable: { thread_id: 'order-17' } }
await graph.invoke({ order: '17' }, config)
const { items } = await mailbox.messages.list({ direction: 'outbound' })
const [sent] = items
console.log(`asked: ${sent?.subject}`)

// From here on somebody else: Ana answers.
await createTransport(`smtp://${smtp}?ignoreTLS=true`).sendMail({
  from: 'Ana <ana@example.com>',
  to: mailbox.address,
  subject: `Re: ${sent?.subject}`,
  inReplyTo: sent?.record.rfc822_message_id ?? '',
  text: 'Large, please.',
})

const state = await resumeOnReply(mailbox, graph, config)
console.log(`size: ${state?.size}`)
