import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createSelfSigned } from '../../src/service/inbound/smtp/certificate'
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
  expect(held).toMatchObject({ code: 0, out: 'Sending 0 held messages now.\n' })
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
      expect(await asks(url, api_key)).toMatchObject({ status: 404, body: { error: 'account_not_found' } })
      if (database.options.databaseUrl !== undefined)
        expect(await admin('console-link')).toMatchObject({
          code: 1,
          err: expect.stringContaining('set RESTANTE_PUBLIC_URL'),
        })
      const link = await done('console-link', '--public-url', new URL(url).origin)
      const address = new URL('/console/auth/use-link', url)
      const headers = { 'content-type': 'application/json', origin: address.origin }
      const token = link.url.split('#link=')[1]
      const signedIn = await fetch(address, { method: 'POST', headers, body: JSON.stringify({ token }) })
      expect([signedIn.status, await signedIn.json()]).toEqual([
        200,
        { operator: expect.objectContaining({ email: 'owner@console.invalid' }) },
      ])
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

it('restante admin console-link prints a link that signs the owner in once, and no log has it', async () => {
  const data = await temporaryFolder()
  const service = cli(['serve', '--json', '--data', data, ...anyPorts])
  const { url } = json((await service.out(/^.*\n/))[0])
  const link = async () => {
    const { code, out } = await runCli(['admin', 'console-link', '--data', data])
    expect([code, out]).toEqual([0, expect.stringMatching(/^http\S+\/console\/sign-in#link=\S+\n$/)])
    return out.trim().split('=')[1]!
  }
  const use = async (token: string) => {
    const address = new URL('/console/auth/use-link', url)
    const headers = { 'content-type': 'application/json', origin: address.origin }
    const response = await fetch(address, { method: 'POST', headers, body: JSON.stringify({ token }) })
    return [response.status, ((await response.json()) as { operator?: { email: string } }).operator?.email]
  }
  const [first, second] = [await link(), await link()]
  expect(first).not.toBe(second)
  const signedIn = [200, 'owner@console.invalid']
  expect([await use(first), await use(first), await use(second)]).toEqual([
    signedIn,
    [401, undefined],
    signedIn,
  ])
  const ended = await service.kill('SIGTERM')
  for (const token of [first, second]) expect(ended.out + ended.err).not.toContain(token)
  const { code, err } = await runCli(['admin', 'console-link', '--data', data])
  expect([code, err]).toEqual([1, expect.stringContaining('No service answers on the data folder')])
})

describeDatabases('restante keys', (openDatabase) => {
  it.each([['while the service runs'], ['while no service runs']])(
    'creates, lists and revokes keys %s',
    async (when) => {
      const database = await openDatabase('new')
      const { data, databaseUrl, secret } = database.options
      const env = Object.fromEntries(
        Object.entries({
          RESTANTE_DATA: data,
          RESTANTE_DATABASE_URL: databaseUrl,
          RESTANTE_SECRET: secret,
        }).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
      )
      const start = async () => {
        const service = cli(['serve', '--json', ...anyPorts], { env })
        return { service, url: json((await service.out(/^.*\n/))[0]).url as string }
      }
      let running = await start()
      const pause = async () => {
        if (when === 'while no service runs') await running.service.kill('SIGTERM')
      }
      const resume = async () => {
        if (when === 'while no service runs') running = await start()
      }
      const keys = async (...args: string[]) => {
        const { code, out, err } = await runHere(['keys', ...args, '--json'], env)
        expect([code, err], args.join(' ')).toEqual([0, ''])
        return out.trim().split('\n').filter(Boolean).map(json)
      }
      try {
        await pause()
        const [reader] = await keys('create', '--scopes', 'read', '--expires', '1h', '--name', 'Reader')
        expect(reader).toMatchObject({ name: 'Reader', scopes: ['read'], inbox_id: null })
        expect(Date.parse(reader.expires_at) - Date.now()).toBeGreaterThan(50 * 60_000)
        const [home] = await keys('list')
        expect(home).toMatchObject({ name: 'Home key', expires_at: null })
        const refused = await runHere(['keys', 'create', '--inbox', 'nobody@example.com'], env)
        expect(refused).toMatchObject({
          code: 1,
          err: expect.stringContaining('has no inbox nobody@example.com'),
        })
        expect(await runHere(['keys', 'create', '--scopes', 'reed'], env)).toMatchObject({
          code: 1,
          err: expect.stringContaining('There is no scope reed. Choose from: read, send, manage.'),
        })
        await resume()
        const { body } = await asks(running.url, reader.api_key)
        expect(body).toMatchObject({ capabilities: { read: true, send: false, manage: false } })
        const { address } = (body.inboxes as { address: string }[])[0]!
        await pause()
        const [narrow] = await keys('create', '--inbox', address)
        expect(narrow).toMatchObject({ scopes: ['read', 'send', 'manage'], inbox_id: expect.any(String) })
        await keys('revoke', reader.id)
        expect((await keys('list')).map(({ name, revoked_at }) => [name, revoked_at === null])).toEqual([
          ['Home key', true],
          ['Reader', false],
          ['API key', true],
        ])
        await resume()
        expect((await asks(running.url, reader.api_key)).status).toBe(401)
        expect((await asks(running.url, narrow.api_key)).status).toBe(200)
      } finally {
        await running.service.kill('SIGTERM')
        await database.drop()
      }
    },
  )
})

it('restante domains, labels and suppressions change those of the account', async () => {
  const { dev, facts } = await startDev(['--data', await temporaryFolder()])
  const env = { RESTANTE_URL: facts.url, RESTANTE_API_KEY: facts.api_key }
  const done = async (...args: string[]) => {
    const { code, out, err } = await runHere([...args, '--json'], env)
    expect([code, err], args.join(' ')).toEqual([0, ''])
    return out.trim().split('\n').filter(Boolean).map(json)
  }
  const [added] = await done('domains', 'add', 'agents.example')
  expect(added).toMatchObject({ hostname: 'agents.example', status: 'pending' })
  expect(await done('domains')).toMatchObject([{ id: added.id }])
  expect(await done('domains', 'check', 'agents.example')).toMatchObject([
    { id: added.id, status: 'pending' },
  ])
  const shown = await runHere(['domains', 'check', added.id], env)
  expect(shown.out).toMatch(/missing +MX +agents\.example/)
  await done('domains', 'delete', 'agents.example')
  expect(await done('domains')).toEqual([])

  const [label] = await done('labels', 'create', 'Urgent')
  expect(await done('labels')).toContainEqual(label)
  await done('labels', 'delete', 'urgent')
  expect(await done('labels')).not.toContainEqual(label)

  const [suppressed] = await done('suppressions', 'add', 'Gone@example.net')
  expect(suppressed).toMatchObject({ address: 'gone@example.net' })
  expect(await done('suppressions')).toEqual([suppressed])
  await done('suppressions', 'delete', 'gone@example.net')
  expect((await runHere(['suppressions'], env)).out).toBe('No suppressed addresses.\n')
  await dev.kill('SIGTERM')
})

it('restante serve reads the certificate for SMTP again on SIGHUP', async () => {
  const data = await temporaryFolder()
  const [certificate, privateKey] = [join(data, 'fullchain.pem'), join(data, 'privkey.pem')]
  const renew = async () => {
    const { cert, key } = createSelfSigned('mx.example.com')
    await writeFile(certificate, cert)
    await writeFile(privateKey, key)
  }
  await renew()
  const files = ['--smtp-certificate', certificate, '--smtp-key', privateKey]
  const service = cli(['serve', '--json', '--data', join(data, 'service'), ...anyPorts, ...files])
  await service.out(/^.*\n/)
  await renew()
  service.child.kill('SIGHUP')
  await service.line({ event: 'certificate_reloaded' })
  await writeFile(privateKey, 'no key')
  service.child.kill('SIGHUP')
  await service.err(/"error":"invalid_settings","message":"The certificate for SMTP cannot be used/)
  expect(await service.kill('SIGTERM')).toMatchObject({ code: 0 })
})

it('restante doctor says what is not fit for production, each with its remedy, and serve says the same', async () => {
  const data = await temporaryFolder()
  const args = ['--json', '--data', data]
  const sending = ['--delivery', 'direct']
  expect(await runCli(['doctor', ...args, ...sending])).toMatchObject({
    code: 0,
    out: '{"event":"fit"}\n',
    err: '',
  })
  const captured = await runCli(['doctor', ...args])
  expect([captured.code, captured.out.trim().split('\n').map(json)]).toMatchObject([
    1,
    [{ check: 'local_domain' }, { check: 'operator_verification' }],
  ])
  const unfit = ['--webhooks-allow-private', 'true', '--delivery', 'smtp://user:word@127.0.0.1:1']
  const reported = await runCli(['doctor', ...args, ...unfit])
  expect([reported.code, reported.err]).toEqual([1, ''])
  expect(reported.out.trim().split('\n').map(json)).toMatchObject([
    { event: 'unfit', check: 'secret_in_arguments', remedy: expect.stringContaining('RESTANTE_DELIVERY') },
    { event: 'unfit', check: 'private_webhooks', remedy: expect.any(String) },
    { event: 'unfit', check: 'smarthost', remedy: expect.stringContaining('firewall') },
  ])
  expect(reported.out).not.toContain('word@')
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
  expect(accepted).toMatchObject({ code: 0, out: expect.stringMatching(/continues without \d+ commits/) })
  await startDev(['--data', data])
})
