import { build } from 'tsup'

/** The worker threads and the command line run from `dist`: it is built from the source under test. */
export default async function setup(): Promise<void> {
  await build({ config: 'tsup.config.ts', dts: false, silent: true })
}
