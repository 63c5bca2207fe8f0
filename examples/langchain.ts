import { Command, MemorySaver } from '@langchain/langgraph'
import { AIMessage, createAgent, fakeModel, type HITLRequest } from 'langchain'
import { createTransport } from 'nodemailer'
import { Mailbox } from 'restante'
import { mailboxMiddleware } from 'restante/langchain-middleware'
import { createService } from 'restante/service'

await using service = await createService({ http: '127.0.0.1:0', smtp: '127.0.0.1:0' })
await using mailbox = await Mailbox.open({ service })
const { smtp } = await service.listen()

const incoming = mailbox.incoming({ consumer: 'shop' })
await createTransport(`smtp://${smtp}?ignoreTLS=true`).sendMail({
  from: 'Ana <ana@example.com>',
  to: mailbox.address,
  subject: 'Bicycle',
  text: 'Is the blue bicycle still for sale?',
})

for await (const message of incoming) {
  // A model that follows a script, so that this runs without a key: put `openai:gpt-5` or any other in its place.
  const model = fakeModel()
    .respondWithTools([{ name: 'search_mail', args: { query: 'bicycle' } }])
    .respondWithTools([{ name: 'reply', args: { message: message.handle, text: 'Yes, it is still here.' } }])
    .respond(new AIMessage('Ana has her answer.'))
  // Nothing is sent before a human has seen it.
  const middleware = [mailboxMiddleware(mailbox, { message, approve: 'send' })]
  const agent = createAgent({ model, middleware, checkpointer: new MemorySaver() })
  const config = { configurable: { thread_id: message.id } }
  const asked = await agent.invoke(
    { messages: [{ role: 'user', content: await message.toPrompt() }] },
    config,
  )
  const { actionRequests } = asked.__interrupt__![0]!.value as HITLRequest
  console.log(`a human is asked about: ${actionRequests.map(({ name }) => name)}`)
  const { messages } = await agent.invoke(
    new Command({ resume: { decisions: [{ type: 'approve' }] } }),
    config,
  )
  console.log(messages.at(-1)?.text)
  const { items } = await mailbox.messages.list({ direction: 'outbound' })
  for (const { subject } of items) console.log(`sent: ${subject}`)
  break
}
