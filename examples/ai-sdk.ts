import { generateText, stepCountIs } from 'ai'
import { MockLanguageModelV3 } from 'ai/test'
import { createTransport } from 'nodemailer'
import { Mailbox } from 'restante'
import { createMailboxTools } from 'restante/ai-sdk'
import { createService } from 'restante/service'

// A model that follows a script, so that this runs without a key: put `openai('gpt-5')` or any other in its place.
const script = [
  () => ({ toolName: 'search_mail', input: { query: 'bicycle' } }),
  (message: string) => ({ toolName: 'reply', input: { message, text: 'Yes, it is still here.' } }),
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
        : [{ type: 'text', text: 'Ana has her answer.' }],
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

const incoming = mailbox.incoming({ consumer: 'shop' })
await createTransport(`smtp://${smtp}?ignoreTLS=true`).sendMail({
  from: 'Ana <ana@example.com>',
  to: mailbox.address,
  subject: 'Bicycle',
  text: 'Is the blue bicycle still for sale?',
})

for await (const message of incoming) {
  const { text, steps } = await generateText({
    model,
    tools: createMailboxTools(mailbox, { message }),
    stopWhen: stepCountIs(10),
    system: 'You answer the mail of a bicycle shop.',
    prompt: await message.toPrompt(),
  })
  for (const { toolName } of steps.flatMap(({ toolCalls }) => toolCalls))
    console.log(`${toolName} was called`)
  console.log(text)
  const { items } = await mailbox.messages.list({ direction: 'outbound' })
  for (const { subject } of items) console.log(`sent: ${subject}`)
  break
}
