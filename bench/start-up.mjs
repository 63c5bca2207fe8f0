// Prints how many milliseconds createService() in memory takes once the package is imported.
import { createService } from 'restante/service'

const started = performance.now()
const service = await createService()
console.log(JSON.stringify({ ms: performance.now() - started }))
await service.close()
