// Attacks by mail on an obeying model, and honest work beside them: `npm run eval:injection`.
import { fileURLToPath } from 'node:url'
import { createJiti } from 'jiti'

globalThis.PACKAGE_VERSION = '0.0.0'
const tsconfigPaths = fileURLToPath(new URL('../tsconfig.json', import.meta.url))
await createJiti(import.meta.url, { tsconfigPaths }).import('./injection/run.ts')
