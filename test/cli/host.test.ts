import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { describeDatabases } from '../support/databases'
import { anyPorts, cli, runCli, startDev, temporaryFolder } from './support/cli'
import { runHere } from './support/in-process'

const json = (text: string) => JSON.parse(text)

async function signUp(url: string) {
  const headers = { 'idempotency-key': 'h'.repeat(43), 'content-type': 'application/json' }
  const answer = await fetch(`${url}/agent-signups`, { method: 'POST', headers, body: '{}' })
  return (await answer.json()) as { tenant_id: string; api_key: string; inbox: { address: string } }
}
const asks = async (url: string, key: string, path = '/account') => {
  const answer = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${key}` } })
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
}

it('restante backup and restore copy a service that runs to one that goes on', async () => {
  const root = await temporaryFolder()
  const [data, copy, restored] = ['data', 'copy', 'restored'].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ]
  const { dev, facts } = await startDev(['--data', data])
  await runHere(['send', facts.address, 'kept', '--smtp', facts.smtp])
  const backup = await runCli(['backup', '--data', data, '--to', copy, '--json'])
  expect(backup).toMatchObject({ code: 0, err: '' })
  expect(json(backup.out)).toEqual({ event: 'backed_up', to: copy, blobs: 0 })
  expect(await runHere(['backup', '--data', data, '--to', copy])).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^restante: There is something in .*\n$/),
  })
  await dev.kill('SIGTERM')
  const restore = await runCli(['restore', '--from', copy, '--data', restored])
  expect(restore).toMatchObject({ code: 0, err: '', out: expect.stringContaining('Restored') })
  const { facts: again } = await startDev(['--data', restored])
  expect(again).toMatchObject({ address: facts.address, inbox_id: facts.inbox_id, api_key: facts.api_key })
  const { body } = await asks(again.url, again.api_key, '/messages')
  expect(body.messages).toMatchObject([{ preview: 'kept' }])
  const hold = await runHere(['admin', 'hold', '--data', restored, '--json'])
  expect([hold.code, json(hold.out)]).toEqual([0, { jobs: 0 }])
  const held = await runHere(['admin', 'send-held', '--data', restored])
  expect(held).toMatchObject({ code: 0, out: '0 mails that were held go out now.\n' })
})

describeDatabases('restante admin', (openDatabase) => {
  it('does to an account of a service that runs what it says, and refuses in one line', async () => {
    const database = await openDatabase('new')
    const env = Object.fromEntries(
      Object.entries({
        RESTANTE_DATA: database.options.data,
        RESTANTE_DATABASE_URL: database.options.databaseUrl,
        RESTANTE_SECRET: database.options.secret,
      }).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
    )
    const service = cli(['serve', '--json', ...anyPorts], { env })
    try {
      const { url } = json((await service.out(/^.*\n/))[0])
      const { tenant_id, api_key, inbox } = await signUp(url)
      const admin = async (...args: string[]) => runHere(['admin', ...args, '--json'], env)
      const done = async (...args: string[]) => {
        const { code, out, err } = await admin(...args)
        expect([code, err], args.join(' ')).toEqual([0, ''])
        return json(out)
      }
      expect(await done('plan', tenant_id, 'unlimited')).toMatchObject({ tenant_id })
      await done('pause', inbox.address)
      const time = expect.stringMatching(/^20/)
      expect(await asks(url, api_key)).toMatchObject({ body: { sending_paused_at: time } })
      await done('resume', tenant_id)
      expect(await asks(url, api_key)).toMatchObject({ body: { sending_paused_at: null } })
      await done('suspend', inbox.address)
      expect(await asks(url, api_key)).toMatchObject({ status: 403, body: { error: 'account_suspended' } })
      await done('unsuspend', tenant_id)
      expect(await asks(url, api_key)).toMatchObject({ status: 200, body: { tenant_id } })
      expect(await done('erase', tenant_id)).toMatchObject({ tenant_id, sending_status: 'suspended' })
      expect(await asks(url, api_key)).toMatchObject({ status: 401 })
      expect(await admin('plan', tenant_id, 'no-such-plan')).toMatchObject({
        code: 1,
        err: expect.stringMatching(/^[^\n]*There is no plan no-such-plan[^\n]*\n$/),
      })
      expect(await admin('erase', 'acc_nobody')).toMatchObject({
        code: 1,
        err: expect.stringContaining('account_not_found'),
      })
    } finally {
      await service.kill('SIGTERM')
      await database.drop()
    }
  })
})

it('restante doctor says what is not fit for production, each with its remedy, and serve says the same', async () => {
  const data = await temporaryFolder()
  const args = ['--json', '--data', data]
  expect(await runCli(['doctor', ...args])).toMatchObject({ code: 0, out: '{"event":"fit"}\n', err: '' })
  const unfit = ['--webhooks-allow-private', 'true', '--delivery', 'smtp://user:word@127.0.0.1:1']
  const told = await runCli(['doctor', ...args, ...unfit])
  expect([told.code, told.err]).toEqual([1, ''])
  expect(told.out.trim().split('\n').map(json)).toMatchObject([
    { event: 'unfit', check: 'secret_in_arguments', remedy: expect.stringContaining('RESTANTE_DELIVERY') },
    { event: 'unfit', check: 'private_webhooks', remedy: expect.any(String) },
  ])
  expect(told.out).not.toContain('word@')
  const service = cli(['serve', ...args, ...anyPorts, ...unfit])
  await service.line({ event: 'unfit', check: 'secret_in_arguments' })
  await service.line({ event: 'unfit', check: 'private_webhooks' })
  await service.kill('SIGTERM')
})

it('restante admin accept-loss goes on with a database whose end is missing', async () => {
  const data = await temporaryFolder()
  const first = await startDev(['--data', data])
  await first.dev.kill('SIGTERM')
  await writeFile(join(data, 'witness'), '900 2031-01-01T00:00:00.000Z\n')
  const refused = await runCli(['serve', '--data', data, ...anyPorts])
  expect(refused).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^restante: The database .*accept-loss.*\n$/),
  })
  const accepted = await runCli(['admin', 'accept-loss', '--data', data])
  expect(accepted).toMatchObject({ code: 0, out: expect.stringMatching(/goes on without \d+ commits/) })
  await startDev(['--data', data])
})
