// Two agents in processes of their own, which know of each other nothing but an address: one asks, the other answers.
import { fork } from 'node:child_process'
import { Mailbox } from 'restante'
import { createService } from 'restante/service'

// In place of a model: (await generateText({ model: openai('gpt-5'), prompt })).text
const model = async (prompt: string) => {
  const [, one, other] = /(\d+) \+ (\d+)/.exec(prompt) ?? []
  return `${Number(one) + Number(other)}`
}

/** Asks a colleague, and ends with the answer. */
async function ask(mailbox: Mailbox, colleague: string): Promise<void> {
  const sent = await mailbox.send({ to: colleague, subject: 'Sum', text: 'What is 17 + 25?' })
  const answer = await mailbox.nextReply(sent, { timeoutMs: 60_000 })
  console.log(`${answer.from.address} says ${answer.text.trim()}`)
}

/** Answers one question; an agent that goes on leaves out the `break`. */
async function answer(mailbox: Mailbox): Promise<void> {
  for await (const message of mailbox.incoming({ consumer: 'adder' })) {
    await message.reply(await model(await message.toPrompt()))
    break
  }
}

/** The service, with an inbox and a key of its own for each agent. */
async function host(): Promise<void> {
  await using service = await createService({ http: '127.0.0.1:0', smtp: 'off' })
  const { url } = await service.listen()
  const { tenantId, apiKey } = await service.home()
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${apiKey}` }
  const join = async (name: string) => {
    const made = await fetch(`${url}/inboxes`, { method: 'POST', headers, body: JSON.stringify({ name }) })
    const { id, address } = (await made.json()) as { id: string; address: string }
    const key = { account_id: tenantId, name, inbox_id: id, scopes: ['read' as const, 'send' as const] }
    return { address, apiKey: (await service.keys.create(key)).api_key }
  }
  const [asker, adder] = [await join('asker'), await join('adder')]
  const start = (...args: string[]) => {
    // Node 22.18 and newer read TypeScript without help.
    const child = fork(import.meta.filename, [url, ...args], { execArgv: ['--import', 'jiti/register'] })
    return new Promise((resolve) => child.on('exit', resolve))
  }
  await Promise.all([start(adder.apiKey), start(asker.apiKey, adder.address)])
}

const [url, apiKey, colleague] = process.argv.slice(2)
if (url && apiKey) {
  await using mailbox = await Mailbox.open({ url, apiKey })
  await (colleague ? ask(mailbox, colleague) : answer(mailbox))
} else await host()
