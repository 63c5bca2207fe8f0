// Runs as many services as it is asked for, of the tarball that is installed where it lies.
import { createService } from 'restante/service'

process.on('message', async ({ number, data }) => {
  const ports = { http: '127.0.0.1:0', smtp: '127.0.0.1:0' }
  const service = await createService({ ...ports, webhooksAllowPrivate: true, log: 'silent', data })
  const { url, smtp } = await service.listen()
  const { address, inboxId: inbox_id, apiKey: api_key } = await service.home()
  process.send({ number, facts: { url, smtp, address, inbox_id, api_key } })
})
process.on('disconnect', () => process.exit())
