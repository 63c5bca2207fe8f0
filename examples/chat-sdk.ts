// A bot of the Vercel Chat SDK, as one is written for Slack or Teams: here it answers mail.
import { createMemoryState } from '@chat-adapter/state-memory'
import { Chat, type Thread } from 'chat'
import { createTransport } from 'nodemailer'
import { Mailbox } from 'restante'
import { createMailboxAdapter } from 'restante/chat-sdk'
import { createService } from 'restante/service'

await using service = await createService({ http: '127.0.0.1:0', smtp: '127.0.0.1:0' })
await using mailbox = await Mailbox.open({ service })
const { smtp } = await service.listen()

// In place of a model, so that this runs without a key: put `streamText({ model, prompt }).textStream` here.
async function* answer(prompt: string) {
  yield prompt.includes('fast') ? 'It is **very** ' : 'Yes, it is '
  yield prompt.includes('fast') ? 'fast.' : 'blue.'
}

// A bot that runs for long keeps its state in Redis or PostgreSQL.
const bot = new Chat({
  userName: 'shop',
  adapters: { restante: createMailboxAdapter(mailbox) },
  state: createMemoryState(),
  logger: 'error',
})
const handle = async (thread: Thread, { text, author }: { text: string; author: { userName: string } }) => {
  console.log(`${author.userName} wrote`)
  await thread.post(answer(text))
}
bot.onNewMention(async (thread, message) => {
  await thread.subscribe()
  await handle(thread, message)
})
bot.onSubscribedMessage(handle)
await bot.initialize()

const ana = createTransport(`smtp://${smtp}?ignoreTLS=true`)
const from = { from: 'Ana <ana@example.com>', to: mailbox.address }
const answers = mailbox.threads.watch()
await ana.sendMail({ ...from, subject: 'Bicycle', text: 'Is it blue?' })

let told = 0
for await (const [summary] of answers) {
  const messages = summary ? (await mailbox.threads.get(summary.id)).messages : []
  const said = messages.filter(({ direction }) => direction === 'outbound')
  if (said.length === told) continue
  told = said.length
  console.log(`the bot wrote: ${said.at(-1)?.text}`)
  if (told === 2) break
  const inReplyTo = said[0]?.record.rfc822_message_id ?? undefined
  await ana.sendMail({ ...from, subject: 'Re: Bicycle', text: 'And is it fast?', inReplyTo })
}
await bot.shutdown()
