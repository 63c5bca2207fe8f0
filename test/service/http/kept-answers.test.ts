import { createService } from 'restante/service'
import { expect, it } from 'vitest'
import { claimed } from '../../support/accounts'
import { describeDatabases } from '../../support/databases'
import { createFakeResolver } from '../../support/fake-resolver'
import { JumpClock } from '../../support/jump-clock'
import { openBeside } from '../../support/open-beside'
import { caller, openService } from '../../support/service'
import { perBlock, useService } from '../../support/use-service'

const dayMs = 24 * 3_600_000

/** A resolver that knows no name, and whose answers can be held back. */
function createHeldDns() {
  const fake = createFakeResolver({})
  let held: Promise<void> | undefined
  let release = () => {}
  const wait =
    <Answer>(look: (name: string) => Promise<Answer>) =>
    async (name: string) => {
      await held
      return look(name)
    }
  return {
    resolver: {
      mx: wait(fake.mx),
      addresses: wait(fake.addresses),
      txt: wait(fake.txt),
      ptr: wait(fake.ptr),
    },
    hold() {
      held = new Promise((resolve) => {
        release = resolve
      })
    },
    release: () => release(),
  }
}

describeDatabases('an Idempotency-Key', (openDatabase) => {
  const clock = new JumpClock()
  const dns = createHeldDns()
  const { service, database } = useService(
    openDatabase,
    (options) => openService(options, { clock, resolver: dns.resolver }),
    perBlock,
  )
  const opened = async () => {
    const account = await claimed(service, database.options, { at: clock.now(), plan: 'unlimited' })
    const post = (path: string, body: object, key: string) =>
      account.call('POST', path, { body, headers: { 'idempotency-key': key } })
    return { account, post }
  }

  it('gives the success again for 24 hours, and refuses other content', async () => {
    const { account, post } = await opened()
    const first = await post('/labels', { name: 'Urgent' }, 'key-1')
    expect(first.status).toBe(201)
    const again = await post('/labels', { name: 'Urgent' }, '"key-1"')
    expect([again.status, again.body]).toEqual([201, first.body])
    expect(await post('/labels', { name: 'Other' }, 'key-1')).toMatchObject({
      status: 409,
      body: { error: 'client_id_conflict' },
    })
    // Each operation and each account has keys of its own.
    expect((await post('/lists', { pattern: 'a@example.com' }, 'key-1')).status).toBe(201)
    const other = await opened()
    expect((await other.post('/labels', { name: 'Other' }, 'key-1')).status).toBe(201)
    await account.call('DELETE', `/labels/${first.body.id}`)
    clock.jump(dayMs + 1)
    const later = await post('/labels', { name: 'Urgent' }, 'key-1')
    expect([later.status, later.body.id === first.body.id]).toEqual([201, false])
  })

  it('keeps no failure, and refuses a request that comes while the first one runs', async () => {
    const { account, post } = await opened()
    expect((await post('/labels/none/assign', { message_id: 'msg_none' }, 'key-2')).status).toBe(404)
    const domain = (await account.call('POST', '/domains', { body: { hostname: 'held.example' } })).body
    const verify = () => post(`/domains/${domain.id}/verify`, {}, 'key-3')
    dns.hold()
    const waiting = verify()
    const db = await openBeside(database.options)
    const inProgress = () =>
      db.selectFrom('kept_answers').select('route').where('answer', 'is', null).execute()
    await expect.poll(inProgress).toHaveLength(1)
    await db.destroy()
    const meanwhile = await verify()
    expect([meanwhile.status, meanwhile.body.error]).toEqual([409, 'request_in_progress'])
    expect(meanwhile.headers.get('retry-after')).toBe('1')
    dns.release()
    const first = await waiting
    expect([first.status, (await verify()).body]).toEqual([200, first.body])
  })

  it('carries out one of two requests that come in the same moment', async () => {
    const { account, post } = await opened()
    const hook = { url: 'https://agent.example.com/hook', events: ['message.received'] }
    const answers = await Promise.all([1, 2, 3].map(() => post('/webhooks', hook, 'same')))
    expect((await account.call('GET', '/webhooks')).body.webhooks).toHaveLength(1)
    for (const { status, body } of answers)
      expect(status === 201 || body.error === 'request_in_progress').toBe(true)
  })

  it('is the client_id of a send', async () => {
    const { account, post } = await opened()
    const mail = { to: ['ana@example.com'], text: 'Hi' }
    const first = await post('/messages', mail, '"order 7"')
    expect(await post('/messages', mail, '"order 7"')).toMatchObject({
      status: 200,
      body: { id: first.body.id, idempotent: true },
    })
    const byId = await account.call('POST', '/messages', { body: { ...mail, client_id: 'order 7' } })
    expect(byId.body.id).toBe(first.body.id)
    expect((await post('/messages', { ...mail, client_id: 'order 7' }, '"order 7"')).body.id).toBe(
      first.body.id,
    )
    expect((await post('/messages', { ...mail, client_id: 'other' }, '"order 7"')).body).toMatchObject({
      error: 'invalid_request',
      details: [{ field: 'client_id' }],
    })
  })

  it('has 1 to 255 characters, bare or quoted', async () => {
    const { post } = await opened()
    for (const key of ['a'.repeat(255), `"${'b'.repeat(255)}"`, '"with \\"quotes\\""'])
      expect((await post('/labels', { name: key.slice(0, 20) }, key)).status, key).toBe(201)
    for (const key of ['a'.repeat(256), '""', '"open', 'two words', 'a,b'])
      expect((await post('/labels', { name: 'x' }, key)).body, key).toMatchObject({
        error: 'invalid_request',
        details: [{ field: 'idempotency-key' }],
      })
  })

  it('is kept with the answer encrypted, and for one upload', async () => {
    const { account, post } = await opened()
    const body = { url: 'https://example.com/hook', events: ['message.received'] }
    const first = await post('/webhooks', body, 'key-4')
    expect(first.body.secret).toMatch(/./)
    expect((await post('/webhooks', body, 'key-4')).body).toEqual(first.body)
    const db = await openBeside(database.options)
    const rows = await db.selectFrom('kept_answers').selectAll().execute()
    await db.destroy()
    expect(rows.length).toBeGreaterThan(0)
    expect(JSON.stringify(rows)).not.toContain(first.body.secret)
    const upload = (content: string) =>
      account.call('POST', '/uploads', {
        body: content,
        headers: { 'content-type': 'text/plain', 'idempotency-key': 'key-5' },
      })
    const file = await upload('one')
    expect([file.status, (await upload('one')).body]).toEqual([201, file.body])
    expect((await upload('two')).body.error).toBe('client_id_conflict')
  })
  it('says so if its answer was encrypted with a secret that was removed', async ({ onTestFinished }) => {
    const own = await openDatabase()
    onTestFinished(() => own.drop())
    const post = async (secret: string, apiKey?: string) => {
      await using one = await createService({ ...own.options, secret, log: 'silent' }, { clock })
      const key = apiKey ?? (await one.home()).apiKey
      const options = { body: { name: 'Kept' }, headers: { 'idempotency-key': 'key-6' } }
      return { key, answer: await caller(one, key)('POST', '/labels', options) }
    }
    const { key, answer } = await post('a-first-secret-of-36-characters-long')
    expect(answer.status).toBe(201)
    const { answer: again } = await post('another-secret-of-36-characters-long', key)
    expect([again.status, again.body]).toMatchObject([
      409,
      {
        error: 'client_id_conflict',
        message: expect.stringContaining('secret that the service no longer has'),
      },
    ])
  })
})
