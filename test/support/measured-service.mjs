// A service with nothing beside it, which tells its memory when it is asked. Run with --expose-gc.
import { createService, environmentOptions } from 'restante/service'

const service = await createService(environmentOptions(process.env))
const { url, smtp } = await service.listen()
const { address, inboxId: inbox_id, apiKey: api_key } = await service.home()
console.log(JSON.stringify({ url, smtp, address, inbox_id, api_key }))

process.on('message', () => {
  globalThis.gc()
  const { rss, heapUsed, external } = process.memoryUsage()
  process.send({ rss, live: heapUsed + external })
})
const orphaned = () => process.exit(1)
process.on('disconnect', orphaned)
process.on('SIGTERM', async () => {
  await service.close()
  process.off('disconnect', orphaned)
  process.disconnect()
})
