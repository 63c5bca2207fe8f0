import { expect, test } from 'vitest'
import { start } from '../../cli/support/cli'

test('a mailbox lives for a minute behind a proxy that does what proxies do, while its clock jumps', async () => {
  const args = ['bench/soak.mjs', '--client', '--minutes', '1']
  const { code, out } = await start(process.execPath, args).ended
  expect(out).toMatch(/\npassed\n$/)
  expect(code).toBe(0)
}, 600_000)
