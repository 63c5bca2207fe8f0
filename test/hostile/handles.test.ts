import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { startService } from '../support/service'
import { temporaryFolder } from '../support/temporary-folder'

const script = join(import.meta.dirname, 'starved-service.mjs')

/** Runs a script in a process that may open few files. */
async function runWithFewHandles(max: number, ...args: string[]) {
  const command = `ulimit -n ${max} && exec "$0" "$@"`
  return promisify(execFile)('sh', ['-c', command, process.execPath, ...args])
}

it('a service puts off what needs a file handle while there is none, and does all of it once there are', async () => {
  const { stdout } = await runWithFewHandles(512, script, await temporaryFolder())
  const { starved, after, ...last } = JSON.parse(stdout)
  expect(starved).toMatchObject({ mail: '451 4.3.2', signUp: { status: 503, retryAfter: '5' }, openapi: 503 })
  expect(starved.ready).toMatchObject({ parser: false })
  expect(after).toMatchObject({ mail: '250 2.0.0', signUp: { status: 200 }, openapi: 200 })
  expect(after.ready).toMatchObject({ database: true, parser: true, smtp: true })
  expect(last).toEqual({ stored: ['after'], flaws: [], words: 'Words.' })
})

it('a mailbox that could not be opened for lack of file handles can be opened once there are some', async () => {
  await using service = await startService()
  const mailbox = join(import.meta.dirname, 'starved-mailbox.mjs')
  const { stdout } = await runWithFewHandles(128, mailbox, service.url, service.home.apiKey)
  expect(JSON.parse(stdout)).toEqual({ starved: 'EMFILE', after: 'open' })
})

it('a service says in one line that it may open too few files to start', async () => {
  const cli = join(import.meta.dirname, '../../dist/cli.js')
  const serve = ['serve', '--data', join(await temporaryFolder(), 'data')]
  for (const max of [40, 100])
    await expect(runWithFewHandles(max, cli, ...serve)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^restante: .* Raise the limit.*\n$/),
    })
})
