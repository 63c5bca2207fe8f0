import { ToolLoopAgent } from 'ai'
import { MockLanguageModelV3 } from 'ai/test'
import { createTransport } from 'nodemailer'
import { Mailbox } from 'restante'
import { agentInbox } from 'restante/ai-sdk'
import { createService } from 'restante/service'

// A model that always says the same, so that this runs without a key: put `openai('gpt-5')` or any other in its place.
const model = new MockLanguageModelV3({
  doGenerate: async () => ({
    content: [{ type: 'text', text: 'Yes, it is still here.' }],
    finishReason: { unified: 'stop', raw: undefined },
    usage: {
      inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: 1, text: 1, reasoning: 0 },
    },
    warnings: [],
  }),
})

await using service = await createService({ http: '127.0.0.1:0', smtp: '127.0.0.1:0' })
await using mailbox = await Mailbox.open({ service })
const { smtp } = await service.listen()

const answered = new Promise<void>((resolve) => {
  const run = agentInbox({
    mailbox,
    agent: ({ tools }) =>
      new ToolLoopAgent({ model, tools, instructions: 'You answer the mail of a bicycle shop.' }),
    onAnswer: ({ status }, message) => {
      console.log(`${message.subject} of ${message.from.address}: ${status}`)
      // A service goes on; this example ends with its first mail.
      resolve(run.stop())
    },
  })
})

await createTransport(`smtp://${smtp}?ignoreTLS=true`).sendMail({
  from: 'Ana <ana@example.com>',
  to: mailbox.address,
  subject: 'Bicycle',
  text: 'Is the blue bicycle still for sale?',
})
await answered
const { items } = await mailbox.messages.list({ direction: 'outbound' })
for (const { subject, text } of items) console.log(`${subject}: ${text}`)
