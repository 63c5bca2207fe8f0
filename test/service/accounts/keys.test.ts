import { beforeAll, expect, it } from 'vitest'
import { signedUp } from '../../support/accounts'
import { Browser, secretOf, signedIn } from '../../support/console'
import { describeDatabases } from '../../support/databases'
import { JumpClock } from '../../support/jump-clock'
import { readCells, readFiles } from '../../support/marks'
import { openService, type QuietService } from '../../support/service'
import { perBlock, useService } from '../../support/use-service'

const secondMs = 1_000
/** The time after which a long poll looks again. */
const pollEveryMs = 5_000

describeDatabases('API keys', (openDatabase) => {
  const clock = new JumpClock()
  const { service, database } = useService(
    openDatabase,
    (options) => openService(options, { clock }),
    perBlock,
  )
  let agent: { tenantId: string; inboxId: string; key: string }
  let owner: Browser
  beforeAll(async () => {
    const headers = { 'idempotency-key': 'k'.repeat(43) }
    const { body } = await service.call('POST', '/agent-signups', { key: null, headers, body: {} })
    owner = await signedIn(service.service)
    expect((await owner.call('POST', '/claim', { token: secretOf(body.claim_url) })).status).toBe(200)
    agent = { tenantId: body.tenant_id, inboxId: body.inbox.id, key: body.api_key }
  })

  const keysPath = () => `/accounts/${agent.tenantId}/keys`
  const makeKey = async (body: object = {}) => {
    const answer = await owner.call('POST', keysPath(), { name: 'one', scopes: ['read'], ...body })
    expect(answer.status, JSON.stringify(answer.body)).toBe(201)
    return answer.body as { id: string; api_key: string }
  }
  const revoke = async (id: string) =>
    expect((await owner.call('DELETE', `${keysPath()}/${id}`)).status).toBe(204)
  const ask = (key: string, path = '/account') => service.call('GET', path, { key })

  /** A socket and a long poll, open at a node; resolves with how they ended. */
  async function hold(node: QuietService, key: string) {
    const socket = node.service.socket({ apiKey: key })
    const closed = new Promise<unknown>((resolve) => {
      socket.onclose = ({ code }) => resolve(code)
    })
    const heard: string[] = []
    socket.onmessage = ({ data }) => heard.push(JSON.parse(data as string).type)
    await new Promise<void>((resolve) => {
      socket.onopen = () => resolve()
    })
    socket.send(JSON.stringify({ type: 'subscribe', after: 'now' }))
    await expect.poll(() => heard).toContain('caught-up')
    const { events } = (await node.call('GET', '/events?after=0&limit=100', { key })).body
    const after = Math.max(...events.map((event: { seq: number }) => event.seq))
    const before = clock.timersIn(pollEveryMs)
    const polled = node.call('GET', `/events?after=${after}&wait_ms=20000`, { key })
    await expect.poll(() => clock.timersIn(pollEveryMs)).toBeGreaterThan(before)
    return { closed, polled }
  }

  /** Moves the clock by tenths of a second, as time does, until it is over or a second has gone by. */
  async function withinOneSecond<T>(promise: Promise<T>): Promise<T> {
    let over = false
    void promise.finally(() => {
      over = true
    })
    for (let passedMs = 0; passedMs < secondMs && !over; passedMs += 100) {
      clock.jump(100)
      for (let turn = 0; turn < 500 && !over; turn++) await new Promise((resolve) => setImmediate(resolve))
    }
    return promise
  }

  it.each([
    [['read'], { receive: true, read: true, send: false, manage: false }],
    [['read', 'send'], { receive: true, read: true, send: true, manage: false }],
    [['read', 'manage'], { receive: true, read: true, send: false, manage: true }],
    [['read', 'send', 'manage'], { receive: true, read: true, send: true, manage: true }],
  ])('with the scopes %j are told what they may do, which is so', async (scopes, capabilities) => {
    const { api_key: key } = await makeKey({ scopes })
    expect((await ask(key)).body).toMatchObject({ sending_status: 'enabled', capabilities })
    const sent = await service.call('POST', '/messages', {
      key,
      body: { to: ['bo@example.com'], text: 'hi' },
    })
    expect(sent.status).toBe(capabilities.send ? 200 : 403)
    const made = await service.call('POST', '/labels', { key, body: { name: scopes.join('-') } })
    expect(made.status).toBe(capabilities.manage ? 201 : 403)
  })

  it.for([
    { at: 'the node itself', elsewhere: false },
    { at: 'another node', elsewhere: true },
  ])(
    'that are revoked lose their socket and their long poll at $at within a second',
    async ({ elsewhere }, { skip }) => {
      skip(elsewhere && database.options.databaseUrl === undefined, 'a SQLite database has one node')
      const node = elsewhere ? await database.start((options) => openService(options, { clock })) : service
      const [gone, kept] = [await makeKey(), await makeKey()]
      const [held, other] = [await hold(node, gone.api_key), await hold(node, kept.api_key)]
      let othersEnd: unknown
      void other.closed.then((code) => {
        othersEnd = code
      })
      await revoke(gone.id)
      const [code, polled] = await withinOneSecond(Promise.all([held.closed, held.polled]))
      expect(code).toBe(4401)
      expect(polled).toMatchObject({ status: 401, body: { error: 'unauthorized' } })
      expect((await ask(gone.api_key)).status).toBe(401)
      expect(othersEnd).toBeUndefined()
      await revoke(kept.id)
      await withinOneSecond(Promise.all([other.closed, other.polled]))
    },
  )

  it('that expire are refused, and lose their socket and their long poll', async () => {
    const expires_at = new Date(clock.now() + 60 * secondMs).toISOString()
    const made = { account_id: agent.tenantId, name: 'for a minute', scopes: ['read' as const], expires_at }
    const { api_key: key } = await service.service.keys.create(made)
    clock.jump(55 * secondMs)
    const held = await hold(service, key)
    clock.jump(4 * secondMs)
    expect((await ask(key)).status).toBe(200)
    clock.jump(secondMs)
    const [code, polled] = await withinOneSecond(Promise.all([held.closed, held.polled]))
    expect(code).toBe(4401)
    expect(polled).toMatchObject({ status: 401, body: { error: 'unauthorized' } })
    expect((await ask(key)).status).toBe(401)
  })

  it('of a suspended account lose their socket and their long poll too', async () => {
    const one = await signedUp(service)
    const held = await hold(service, one.key)
    await service.service.admin.suspend(one.tenantId)
    const [, polled] = await withinOneSecond(Promise.all([held.closed, held.polled]))
    expect(polled).toMatchObject({ status: 403, body: { error: 'account_suspended' } })
  })

  it('tell of their last use, at most once a minute', async () => {
    const { id, api_key } = await makeKey()
    const lastUsed = async () => {
      const { keys } = (await owner.call('GET', `${keysPath()}?limit=100`)).body
      return keys.find((key: { id: string }) => key.id === id).last_used_at
    }
    clock.jump(61 * secondMs)
    await ask(api_key)
    expect(await lastUsed()).toBeNull()
    clock.jump(59 * secondMs)
    await ask(api_key)
    expect(await lastUsed()).toBeNull()
    clock.jump(secondMs)
    const first = new Date(clock.now()).toISOString()
    await expect.poll(lastUsed).toBe(first)
    clock.jump(59 * secondMs)
    await ask(api_key)
    expect(await lastUsed()).toBe(first)
    clock.jump(60 * secondMs)
    await expect.poll(lastUsed).toBe(new Date(clock.now()).toISOString())
  })

  it('are for the inbox and the scopes that the operator chooses', async () => {
    const made = await service.call('POST', '/inboxes', { key: agent.key, body: {} })
    const { api_key } = await makeKey({ inbox_id: made.body.id, scopes: ['read'] })
    expect((await ask(api_key, '/inboxes')).body.inboxes).toMatchObject([{ id: made.body.id }])
    expect((await ask(api_key, `/inboxes/${agent.inboxId}`)).status).toBe(404)
    expect(await service.call('POST', '/labels', { key: api_key, body: { name: 'x' } })).toMatchObject({
      status: 403,
      body: { error: 'insufficient_scope' },
    })
  })

  it('are shown to operators only for the accounts that they claimed', async () => {
    const other = await signedIn(service.service)
    const { id, api_key } = await makeKey()
    expect((await other.call('GET', '/accounts')).body.accounts).toEqual([])
    const asked = [
      await other.call('GET', keysPath()),
      await other.call('POST', keysPath(), { name: 'mine', scopes: ['read'] }),
      await other.call('DELETE', `${keysPath()}/${id}`),
    ]
    for (const answer of asked) expect(answer).toMatchObject({ status: 404, body: { error: 'not_found' } })
    expect((await ask(api_key)).status).toBe(200)
  })

  it('stand in no column or file of the database, nor do claim secrets, passwords and session cookies', async () => {
    const password = 'a password of the keys test'
    const browser = new Browser(service.service)
    const email = 'hashes@example.com'
    await browser.sign('sign-up', { email, password })
    const { api_key } = await makeKey()
    await ask(api_key)
    const link = await service.call('POST', '/agent-signups', {
      key: null,
      headers: { 'idempotency-key': `${'h'.repeat(20)}Idempotency-Key-x9` },
      body: {},
    })
    const { options } = database
    const everywhere = [...(await readCells(options)), ...readFiles(options.data)]
    const secrets = {
      api_key,
      first: agent.key,
      signup: link.body.api_key,
      claim: secretOf(link.body.claim_url),
      idempotency: 'Idempotency-Key-x9',
      password,
      session: decodeURIComponent(browser.cookies.get('restante.session_token')!),
    }
    expect(everywhere.some(([, bytes]) => bytes.includes(email))).toBe(true)
    for (const [name, secret] of Object.entries(secrets))
      expect(
        everywhere.filter(([, bytes]) => bytes.includes(secret)).map(([where]) => where),
        name,
      ).toEqual([])
  })
})
