import { existsSync, readFileSync } from 'node:fs'

/** Ends `npm pack` in one line where the declarations were not built, which nobody would miss before they install it. */
const { exports } = JSON.parse(readFileSync('package.json', 'utf8'))
const missing = Object.values(exports).flatMap(({ types }) => (types && !existsSync(types) ? [types] : []))
if (missing.length > 0) {
  console.error(`${missing.length} declarations are not built, such as ${missing[0]}: npm run build`)
  process.exitCode = 1
}
