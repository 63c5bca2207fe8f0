import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Browser, secretOf, signedIn } from '../../support/console'
import { describeDatabases, type TestDatabase } from '../../support/databases'
import { JumpClock } from '../../support/jump-clock'
import { openService, type QuietService } from '../../support/service'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

describeDatabases('claiming an account', (openDatabase) => {
  let database: TestDatabase
  let service: QuietService
  const clock = new JumpClock()
  beforeAll(async () => {
    database = await openDatabase()
    service = await openService(database.options, { clock })
  })
  afterAll(async () => {
    await service[Symbol.asyncDispose]()
    await database.drop()
  })
  const signUp = async (idempotencyKey = randomBytes(32).toString('base64url')) =>
    (
      await service.call('POST', '/agent-signups', {
        key: null,
        body: { name: 'Ana <b>' },
        headers: { 'idempotency-key': idempotencyKey },
      })
    ).body
  const refresh = (key: string) => service.call('POST', '/account/claim-link', { key })
  const claim = (browser: Browser, url: string) => browser.call('POST', '/claim', { token: secretOf(url) })

  it('shows it first, and then changes owner, status, limits and log at once', async () => {
    const agent = await signUp()
    const heard: string[] = []
    const socket = service.service.socket({ apiKey: agent.api_key })
    socket.onmessage = ({ data }) => heard.push(data as string)
    await new Promise<void>((resolve) => {
      socket.onopen = () => resolve()
    })
    socket.send(JSON.stringify({ type: 'subscribe', after: 'now' }))
    await expect.poll(() => heard.length).toBe(2)
    const browser = await signedIn(service.service)
    const token = secretOf(agent.claim_url)
    expect(await browser.call('POST', '/claim/preview', { token })).toMatchObject({
      status: 200,
      body: { name: 'Ana <b>', addresses: [agent.inbox.address], claimed: false },
    })
    const claimed = await claim(browser, agent.claim_url)
    expect(claimed.status).toBe(200)
    const now = new Date(clock.now()).toISOString()
    const account = {
      tenant_id: agent.tenant_id,
      onboarding_state: 'claimed',
      claimed_at: now,
      sending_enabled_at: now,
      unclaimed_expires_at: null,
      limits: { received_messages: null, received_bytes: null },
      capabilities: { send: true, manage: true },
      sending_status: 'enabled',
    }
    expect(claimed.body).toMatchObject({ already_claimed: false, account })
    expect((await service.call('GET', '/account', { key: agent.api_key })).body).toMatchObject(account)
    await expect
      .poll(() => heard.map((text) => JSON.parse(text)).find((frame) => frame.type === 'event')?.event)
      .toMatchObject({ type: 'account.claimed', seq: 2, data: { ...account, seq: 2 } })
    expect(heard.join()).not.toContain('"inboxes":[')
    const sent = await service.call('POST', '/messages', {
      key: agent.api_key,
      body: { to: ['bo@example.com'], text: 'x' },
    })
    expect(sent.status).toBe(200)
    expect((await browser.call('GET', '/accounts')).body.accounts).toMatchObject([account])
    socket.close()
  })

  it('answers the operator who did it the same again, and refuses any other', async () => {
    const agent = await signUp()
    const [owner, other] = [await signedIn(service.service), await signedIn(service.service)]
    await claim(owner, agent.claim_url)
    expect(await claim(owner, agent.claim_url)).toMatchObject({
      status: 200,
      body: { already_claimed: true, account: { tenant_id: agent.tenant_id } },
    })
    expect(await claim(other, agent.claim_url)).toMatchObject({
      status: 409,
      body: { error: 'claim_link_used' },
    })
    expect(await refresh(agent.api_key)).toMatchObject({ status: 409, body: { error: 'already_claimed' } })
    const { events } = (await service.call('GET', '/events?after=0', { key: agent.api_key })).body
    expect(events.map((event: { type: string }) => event.type)).toEqual(['inbox.created', 'account.claimed'])
  })

  it('has one winner among twenty operators at once', async () => {
    const agent = await signUp()
    const browsers = [await signedIn(service.service), await signedIn(service.service)]
    const answers = await Promise.all(
      Array.from({ length: 20 }, async (_, i) => {
        const answer = await claim(browsers[i % 2]!, agent.claim_url)
        return { who: i % 2, ...answer }
      }),
    )
    const good = answers.filter((answer) => answer.status === 200)
    expect(new Set(good.map((answer) => answer.who)).size).toBe(1)
    expect(good).toHaveLength(10)
    expect(good.filter((answer) => !answer.body.already_claimed)).toHaveLength(1)
    expect(new Set(answers.filter((one) => one.status !== 200).map((one) => one.body.error))).toEqual(
      new Set(['claim_link_used']),
    )
  })

  it('takes the newest link only, for half an hour, and no longer than the account lives', async () => {
    const browser = await signedIn(service.service)
    const agent = await signUp()
    const fresh = await refresh(agent.api_key)
    expect(fresh).toMatchObject({
      status: 201,
      body: { claim_expires_at: new Date(clock.now() + 30 * minuteMs).toISOString() },
    })
    expect(await claim(browser, agent.claim_url)).toMatchObject({
      status: 404,
      body: { error: 'claim_link_unknown', message: expect.stringContaining('new claim link') },
    })
    clock.jump(30 * minuteMs)
    expect(await claim(browser, fresh.body.claim_url)).toMatchObject({
      status: 410,
      body: { error: 'claim_link_expired' },
    })
    clock.jump(7 * dayMs - 31 * minuteMs)
    const last = await refresh(agent.api_key)
    expect(last.body.claim_expires_at).toBe(agent.unclaimed_expires_at)
    clock.jump(minuteMs - 1)
    expect(
      (await browser.call('POST', '/claim/preview', { token: secretOf(last.body.claim_url) })).status,
    ).toBe(200)
    clock.jump(1)
    expect(await claim(browser, last.body.claim_url)).toMatchObject({
      status: 403,
      body: { error: 'account_expired' },
    })
    expect(await refresh(agent.api_key)).toMatchObject({ status: 403, body: { error: 'account_expired' } })
  })

  it('works to the last millisecond of a link', async () => {
    const browser = await signedIn(service.service)
    const agent = await signUp()
    clock.jump(30 * minuteMs - 1)
    expect((await claim(browser, agent.claim_url)).status).toBe(200)
  })

  it('leaves what a replay of the signup answers as it was, with a dead link', async () => {
    const key = randomBytes(32).toString('base64url')
    const agent = await signUp(key)
    const browser = await signedIn(service.service)
    await claim(browser, agent.claim_url)
    const { claim_url, claim_expires_at, ...rest } = agent
    const again = await signUp(key)
    expect(again).toMatchObject(rest)
    expect(await claim(browser, again.claim_url)).toMatchObject({
      status: 404,
      body: { error: 'claim_link_unknown' },
    })
    expect((await service.call('GET', '/account', { key: again.api_key })).body.onboarding_state).toBe(
      'claimed',
    )
  })

  it('is for humans who are signed in, and for the pages of the console', async () => {
    const agent = await signUp()
    const token = secretOf(agent.claim_url)
    const stranger = new Browser(service.service)
    expect(await stranger.call('POST', '/claim', { token })).toMatchObject({
      status: 401,
      body: { error: 'sign_in_required' },
    })
    const browser = await signedIn(service.service)
    for (const headers of [{}, { origin: 'https://evil.example' }, { origin: 'null' }] as Record<
      string,
      string
    >[])
      expect(await browser.ask('POST', '/v1/console/claim', { token }, headers)).toMatchObject({
        status: 403,
        body: { error: 'origin_refused' },
      })
    const bearer = { origin: 'http://restante.test', authorization: `Bearer ${agent.api_key}` }
    expect((await stranger.ask('POST', '/v1/console/claim', { token }, bearer)).status).toBe(401)
    expect((await claim(browser, agent.claim_url)).status).toBe(200)
  })
})
