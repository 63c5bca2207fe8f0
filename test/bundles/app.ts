// What is bundled: a service, a mailbox on it by a socket, an agent, and one mail.
import { connect } from 'node:net'
import { Mailbox } from 'restante'
import { createService } from 'restante/service'
import { createWorld } from 'restante/testing'
import { runInbox } from 'restante/tools'

async function main() {
  const service = await createService({ http: '127.0.0.1:0', smtp: '127.0.0.1:0', log: 'silent' })
  const { url, smtp } = await service.listen()
  const { apiKey } = await service.home()
  const mailbox = await Mailbox.open({ url: url.replace(/\/v1$/, ''), apiKey })
  const answered = new Promise<string>((resolve) => {
    runInbox({ mailbox, onAnswer: ({ status }) => resolve(status) }, async () => 'Yes.')
  })
  const mail = `From: ana@example.com\r\nTo: ${mailbox.address}\r\nSubject: Hello\r\n\r\nIs it blue?\r\n.`
  const steps = [
    'EHLO there',
    'MAIL FROM:<ana@example.com>',
    `RCPT TO:<${mailbox.address}>`,
    'DATA',
    mail,
    'QUIT',
  ]
  const stranger = connect(Number(smtp.split(':')[1]), '127.0.0.1')
  // One line at a time, each after the answer to the one before.
  stranger.on(
    'data',
    (said) => /^\d{3} .*\r\n$/m.test(`${said}`) && stranger.write(`${steps.shift() ?? ''}\r\n`),
  )
  console.log(await answered, mailbox.state.status)
  const world = await createWorld()
  console.log((await world.open()).state.status)
  await world[Symbol.asyncDispose]()
  await mailbox.close()
  await service.close()
}
main()
