import { join } from 'node:path'
import { build } from 'tsup'

/** The worker threads and the command line run from `dist`: it is built from the source under test. */
export default async function setup(): Promise<void> {
  await import(join(import.meta.dirname, '../frameworks/link.mjs'))
  await build({ config: 'tsup.config.ts', dts: false, silent: true })
}
