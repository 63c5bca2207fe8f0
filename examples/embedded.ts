import { Mailbox } from 'restante'
import { createService } from 'restante/service'

// The service and the mailbox in one process, in memory: nothing to install, no port to open.
await using service = await createService()
await using mailbox = await Mailbox.open({ service })

const incoming = mailbox.incoming()
await mailbox.send({ to: mailbox.address, subject: 'A note to myself', text: 'Remember the milk.' })

for await (const message of incoming) {
  console.log(`${message.from.address} wrote: ${message.text}`)
  const { threadId } = await message.reply({ text: 'Thank you, I will.' })
  console.log(`answered in thread ${threadId}`)
  break
}
