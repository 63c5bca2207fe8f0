import { createTransport } from 'nodemailer'
import { Mailbox } from 'restante'
import { mailEmitter, mailStream } from 'restante/events'
import { createService } from 'restante/service'

await using service = await createService({ http: '127.0.0.1:0', smtp: '127.0.0.1:0' })
await using mailbox = await Mailbox.open({ service })
const { smtp } = await service.listen()

// A stream of the web platform, from now on: each read asks for one mail.
const subjects = mailStream(mailbox).pipeThrough(
  new TransformStream({ transform: ({ subject }, out) => out.enqueue(subject) }),
)

// An EventEmitter on a consumer: the next mail comes when the listener is done with this one.
const answered = new Promise<void>((resolve) => {
  const emitter = mailEmitter(mailbox, { consumer: 'desk' })
  emitter.on('message', async (message) => {
    await message.reply({ text: 'Got it, thank you.' })
    console.log(`answered ${message.from.address}`)
    resolve()
  })
})

await createTransport(`smtp://${smtp}?ignoreTLS=true`).sendMail({
  from: 'Ana <ana@example.com>',
  to: mailbox.address,
  subject: 'Bicycle',
  text: 'Is the blue bicycle still for sale?',
})
await answered
for await (const subject of subjects) {
  console.log(`seen: ${subject}`)
  break
}
