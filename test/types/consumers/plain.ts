import { Mailbox, type Message } from 'restante'
import type { Event } from 'restante/protocol'
import { createService } from 'restante/service'
import { createWorld } from 'restante/testing'
import { createToolbox } from 'restante/tools'
import { verifyWebhook } from 'restante/webhook'

export async function answer(): Promise<void> {
  await using service = await createService({ data: './mail' })
  await using mailbox = await Mailbox.open({ service })
  for await (const message of mailbox.incoming({ consumer: 'desk' })) await say(message)
  const { tools } = createToolbox(mailbox, { readOnly: true })
  await tools.search_mail?.call({ query: 'invoice' })
  // @ts-expect-error There is no such thing.
  mailbox.nothing()
}

/** Options may be undefined where the compiler tells that from left out. */
export async function everyPage(mailbox: Mailbox, limit: number | undefined): Promise<void> {
  const first = await mailbox.messages.list({ limit, query: undefined })
  await mailbox.messages.list({ limit, cursor: first.nextCursor ?? undefined })
  for await (const { items } of mailbox.threads.list({ label: undefined })) console.log(items.length)
  const maybe: string | undefined = first.items[0]?.subject
  await mailbox.send({
    to: [{ address: 'ana@example.com', name: null }, 'bo@example.com'],
    subject: maybe,
    html: maybe,
  })
  for (const message of first.items) {
    await message.reply({ text: maybe, cc: undefined, signal: undefined })
    await mailbox.drafts.create({ forward: message, to: message.from, scheduledAt: undefined })
  }
  await mailbox.expect({ from: maybe, kind: undefined, timeoutMs: limit })
  createToolbox(mailbox, { approve: undefined, readOnly: undefined, message: first.items[0] })
  await mailbox.inboxes.create({ localPart: maybe })
}

const say = (message: Message) => message.reply({ text: message.text })

export const test = async (headers: Headers, body: string): Promise<Event> => {
  await using world = await createWorld()
  const mailbox: Mailbox = await world.open()
  await world.person('ana@example.com').write({ to: mailbox.address, text: 'Hello' })
  return verifyWebhook({ secret: 'whsec_', headers, body })
}
