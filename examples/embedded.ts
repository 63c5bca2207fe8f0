import { Mailbox } from 'restante'
import { createService } from 'restante/service'

// The service and the mailbox in one process, in memory: nothing to install, no port to open.
await using service = await createService()
await using mailbox = await Mailbox.open({ service })

const incoming = mailbox.incoming()
const mail = 'From: Ana <ana@example.com>\r\nSubject: Bicycle\r\n\r\nIs it blue?\r\n'
const envelope = { mailFrom: 'ana@example.com', recipients: [mailbox.address] }
await service.receive(envelope, new TextEncoder().encode(mail)) // as if it had come by SMTP

for await (const message of incoming) {
  console.log(`${message.from.address} wrote: ${message.text.trim()}`)
  const { threadId } = await message.reply({ text: 'Yes, it is.' })
  console.log(`answered in thread ${threadId}`)
  break
}
