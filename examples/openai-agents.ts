import { Agent, Runner, Usage } from '@openai/agents'
import { createTransport } from 'nodemailer'
import { Mailbox } from 'restante'
import { createMailboxTools } from 'restante/openai-agents'
import { createService } from 'restante/service'

// A model that follows a script, so that this runs without a key: leave `model` out, or name one, in its place.
const script = [
  () => ({ name: 'search_mail', input: { query: 'bicycle' } }),
  (message: string) => ({
    name: 'forward',
    input: { message, to: 'workshop@example.org', text: 'Is it still here?' },
  }),
]
const model = {
  getResponse: async ({ input }: { input: unknown }) => {
    // As a model does it: the message is named as the prompt shows it.
    const [handle = ''] = /m\d+-\w{3}/.exec(JSON.stringify(input)) ?? []
    const call = script.shift()?.(handle)
    const text = { type: 'output_text', text: 'The workshop was asked.' }
    return {
      usage: new Usage(),
      output: [
        call
          ? {
              ...{ type: 'function_call', status: 'completed', callId: crypto.randomUUID(), name: call.name },
              arguments: JSON.stringify(call.input),
            }
          : { type: 'message', role: 'assistant', status: 'completed', content: [text] },
      ],
    }
  },
}

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
  const agent = new Agent({
    name: 'Shop',
    instructions: 'You answer the mail of a bicycle shop.',
    model: model as never,
    tools: createMailboxTools(mailbox, { message }),
  })
  const runner = new Runner({ tracingDisabled: true })
  let result = await runner.run(agent, await message.toPrompt())
  // Nobody here has written to the workshop before, so a human is asked. This one says yes.
  for (const asked of result.interruptions) {
    console.log(`${asked.name} was approved`)
    result.state.approve(asked)
  }
  result = await runner.run(agent, result.state)
  console.log(result.finalOutput)
  const { items } = await mailbox.messages.list({ direction: 'outbound' })
  for (const { subject, to } of items) console.log(`sent to ${to}: ${subject}`)
  break
}
