// An agent that answers what it knows, hands refunds over to a person, and says next time what that person said.
import type { Message } from 'restante'
import { createWorld } from 'restante/testing'

await using world = await createWorld()
const mailbox = await world.open()
const { tenantId } = await world.host.home()

// In place of a model: it knows the opening hours, and which answer of a person fits.
const model = (question: string, earlier: readonly string[]) =>
  /open/i.test(question) ? 'We are open from 9 to 17.' : (earlier[0] ?? null)

/**
 * Answers that people approved for the same subject. An answer to one customer may name facts that no other
 * customer may read. So the agent learns only from those that a person labelled as free of them.
 */
async function answersOfPeople({ subject }: Message): Promise<string[]> {
  const { items } = await mailbox.messages.list({ direction: 'outbound', label: 'reusable', limit: 100 })
  const about = items.filter(({ record }) => record.approved_by && record.subject === `Re: ${subject}`)
  return about.map(({ record }) => record.reply_text ?? '')
}

const run = mailbox.run(
  async (message) => {
    const text = model(message.text, await answersOfPeople(message))
    console.log(text === null ? `${message.subject}: handed over` : `${message.subject}: answered`)
    if (text === null) await message.handOver({ reason: 'Nobody has told the agent what to say.' })
    else await message.reply({ text, onlyIfLatest: true })
  },
  { consumer: 'desk', onGiveUp: 'hand_over' },
)

const ana = world.person('Ana <ana@example.com>')
await ana.write({ to: mailbox.address, subject: 'Hours', text: 'When are you open?' })
console.log(`Ana reads: ${(await ana.received()).replyText}`)
await ana.write({ to: mailbox.address, subject: 'Refund', text: 'I want my money back.' })

// The person: in the console, or in the program of the host, as here. A key without `send` writes what they approve.
const { api_key: apiKey } = await world.host.keys.create({
  ...{ account_id: tenantId, name: 'people', scopes: ['read', 'manage'] as const },
})
const people = await world.open({ apiKey })
for await (const [held] of people.threads.watch()) {
  if (!held?.held) continue
  const thread = await people.threads.get(held.id)
  const [question] = (await people.messages.list({ threadId: held.id, direction: 'inbound' })).items
  const draft = await question!.draft({ text: 'Send the lamp back, and we refund it.' })
  await draft.send()
  const { id, seq } = await world.host.approvals.get(draft.id)
  await world.host.approvals.approve({ tenantId, id, seq })
  const [answer] = (await people.messages.list({ threadId: held.id, direction: 'outbound' })).items
  await answer!.label('reusable')
  await thread.release()
  break
}
console.log(`Ana reads: ${(await ana.received()).replyText}`)

const ben = world.person('Ben <ben@example.com>')
await ben.write({ to: mailbox.address, subject: 'Refund', text: 'Can I have a refund?' })
console.log(`Ben reads: ${(await ben.received()).replyText}`)
await run.stop()
