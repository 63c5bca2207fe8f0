import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { reachable } from '../support/databases'

const run = promisify(execFile)

/** The soak on several nodes for a short time. What depends on the speed of the machine is not judged. */
test.skipIf(!reachable)(
  'nodes that are killed, frozen, or cut from PostgreSQL lose nothing and do nothing twice',
  async () => {
    const options = { minutes: 0.75, rate: 4, accounts: 10, pause: 4, faults: 'kill,freeze,cut,silence' }
    const flags = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)])
    const { stdout } = await run(process.execPath, ['bench/soak-nodes.mjs', '--untimed', ...flags], {
      maxBuffer: 2 ** 28,
    })
    expect(stdout).toMatch(/passed\n$/)
    console.info(stdout)
  },
  300_000,
)
