import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
// The links, which `npm ci` in the project has taken away.
import './link.mjs'

/** Ends in one line where the frameworks are not installed, which the compiler would say in many. */
const { devDependencies } = JSON.parse(readFileSync(join(import.meta.dirname, 'package.json'), 'utf8'))
const missing = Object.keys(devDependencies).filter(
  (name) => !existsSync(join(import.meta.dirname, 'node_modules', name)),
)
if (missing.length > 0) {
  console.error(`${missing.join(', ')} not installed: npm ci --ignore-scripts --prefix test/frameworks`)
  process.exitCode = 1
}
