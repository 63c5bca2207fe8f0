import { expect, it } from 'vitest'
import { freePort } from '../../bench/ports.mjs'
import { anyPorts, runCli, temporaryFolder } from './support/cli'

it('serve waits a minute for its database, then says what is wrong, without the password', async () => {
  const url = `postgres://ana:hush@127.0.0.1:${await freePort()}/mail`
  const ended = await runCli(['serve', '--data', await temporaryFolder(), ...anyPorts, '--database-url', url])
  expect(ended).toMatchObject({
    code: 1,
    out: '',
    err: expect.stringMatching(/Cannot use the database .*ECONNREFUSED[^\n]*\n$/),
  })
  expect(ended.err).not.toContain('hush')
})
