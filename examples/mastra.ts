import { Agent } from '@mastra/core/agent'
import { Mastra } from '@mastra/core/mastra'
import { InMemoryStore } from '@mastra/core/storage'
import { MockLanguageModelV3 } from 'ai/test'
import { createTransport } from 'nodemailer'
import { Mailbox } from 'restante'
import { createMailboxTools } from 'restante/mastra'
import { createService } from 'restante/service'

// A model that follows a script, so that this runs without a key: put `openai/gpt-5` or any other in its place.
const script = [
  (message: string) => ({ toolName: 'reply', input: { message, text: 'When would you fetch it?' } }),
  (message: string) => ({ toolName: 'wait_for_reply', input: { message } }),
]
const model = new MockLanguageModelV3({
  doGenerate: async ({ prompt }) => {
    // As a model does it: the message is named as the prompt shows it.
    const [handle = ''] = /m\d+-\w{3}/.exec(JSON.stringify(prompt)) ?? []
    const call = script.shift()?.(handle)
    return {
      content: call
        ? [
            {
              type: 'tool-call',
              toolCallId: `call-${script.length}`,
              ...call,
              input: JSON.stringify(call.input),
            },
          ]
        : [{ type: 'text', text: 'Ana comes on Monday.' }],
      finishReason: { unified: call ? 'tool-calls' : 'stop', raw: undefined },
      usage: {
        inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
        outputTokens: { total: 1, text: 1, reasoning: 0 },
      },
      warnings: [],
    }
  },
})

await using service = await createService({ http: '127.0.0.1:0', smtp: '127.0.0.1:0' })
await using mailbox = await Mailbox.open({ service })
const { smtp } = await service.listen()
const ana = createTransport(`smtp://${smtp}?ignoreTLS=true`, { from: 'Ana <ana@example.com>' })

const incoming = mailbox.incoming({ consumer: 'shop' })
await ana.sendMail({
  messageId: '<bicycle@example.com>',
  to: mailbox.address,
  subject: 'Bicycle',
  text: 'I take the blue bicycle.',
})

for await (const message of incoming) {
  const agent = new Agent({
    id: 'shop',
    name: 'Shop',
    instructions: 'You answer the mail of a bicycle shop.',
    model,
    tools: createMailboxTools(mailbox, { message, suspend: true }),
  })
  new Mastra({ agents: { shop: agent }, storage: new InMemoryStore(), logger: false })
  const { finishReason, runId = '', suspendPayload } = await agent.generate(await message.toPrompt())
  console.log(`the run is ${finishReason}`)

  // With a storage on disk another process may go on, days later.
  const { token } = (suspendPayload as { suspendPayload: { token: string } }).suspendPayload
  const waiting = mailbox.resumeWait(token)
  await ana.sendMail({
    inReplyTo: '<bicycle@example.com>',
    to: mailbox.address,
    subject: 'Re: Bicycle',
    text: 'On Monday.',
  })
  const { id } = await waiting
  const { text } = await agent.resumeGenerate({ message: id }, { runId })
  console.log(text)
  break
}
