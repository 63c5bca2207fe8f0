// A service with nothing beside it, for the figures that are about the service.
import { createService } from 'restante/service'

const service = await createService({ data: process.argv[2], http: '127.0.0.1:0', smtp: '127.0.0.1:0' })
const { url, smtp } = await service.listen()
const { address, apiKey } = await service.home()
console.log(JSON.stringify({ url, smtp, address, apiKey }))

const alive = setInterval(() => {}, 60_000)
process.on('SIGTERM', async () => {
  clearInterval(alive)
  await service.close()
})
