// A service with an agent on it that answers every mail; killed at will.
import { Mailbox } from 'restante'
import { createService } from 'restante/service'

const service = await createService({
  data: process.env.RESTANTE_TEST_DATA,
  secret: process.env.RESTANTE_TEST_SECRET,
  http: '127.0.0.1:0',
  smtp: '127.0.0.1:0',
  log: 'silent',
  connectionsAllowPrivate: true,
})
const { apiKey } = await service.home()
const mailbox = await Mailbox.open({ service, apiKey })
process.stdout.write('ready\n')
setInterval(() => {}, 60_000)
const run = mailbox.run(
  async (message) => {
    await message.reply({ text: `Answer to ${message.subject}`, onlyIfLatest: true })
  },
  { consumer: 'agent', concurrency: 4 },
)
run.done?.catch?.((error) => {
  console.error(error)
  process.exit(1)
})
