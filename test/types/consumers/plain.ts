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

const say = (message: Message) => message.reply({ text: message.text })

export const test = async (headers: Headers, body: string): Promise<Event> => {
  await using world = await createWorld()
  const mailbox: Mailbox = await world.open()
  await world.person('ana@example.com').write({ to: mailbox.address, text: 'Hello' })
  return verifyWebhook({ secret: 'whsec_', headers, body })
}
