import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createService } from 'restante/service'
import { expect, it } from 'vitest'
import { signedIn } from '../../support/console'
import { describeDatabases } from '../../support/databases'
import { caller, openService } from '../../support/service'
import { perBlock, useDatabase, useService } from '../../support/use-service'

const keyOf = (letter: string, length = 43) => letter.repeat(length)

describeDatabases('signup', (openDatabase) => {
  const { service, database } = useService(openDatabase, openService, perBlock)
  const signUp = (idempotencyKey: string, body: object = {}) =>
    service.call('POST', '/agent-signups', {
      key: null,
      body,
      headers: { 'idempotency-key': idempotencyKey },
    })

  it('makes an account that receives at once and sends once claimed', async () => {
    const { status, body } = await signUp(keyOf('a'), { name: ' Ana ', local_part: ' Ana.Bot ' })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      inbox: { address: 'ana.bot@restante.localhost' },
      onboarding_state: 'unclaimed',
      capabilities: { receive: true, read: true, send: false, manage: false },
      limits: { inboxes: 1, received_messages: 50, received_bytes: 10_485_760 },
      claim_url: expect.stringMatching(/\/console\/claim#token=[\w-]{43}$/),
    })
    await service.mail({ to: body.inbox.address })
    const account = await service.call('GET', '/account', { key: body.api_key })
    expect(account.body).toMatchObject({
      name: 'Ana',
      sending_status: 'unclaimed',
      usage: { received_messages: 1 },
      inboxes: [{ address: 'ana.bot@restante.localhost' }],
    })
    const sent = await service.call('POST', '/messages', {
      key: body.api_key,
      body: { to: ['b@example.com'], text: 'x' },
    })
    expect(sent).toMatchObject({ status: 403, body: { error: 'claim_required' } })
  })

  it('answers a replay with the same account and key, and a fresh claim link', async () => {
    const first = await signUp(keyOf('b'), { name: 'Bea' })
    const again = await signUp(keyOf('b'), { name: 'Bea' })
    expect(again.status).toBe(200)
    const { claim_url, claim_expires_at, ...rest } = first.body
    expect(again.body).toMatchObject(rest)
    expect(again.body.claim_url).not.toBe(claim_url)
  })

  it('adds a claim link with each replay; only a refresh ends them', async () => {
    const links: string[] = []
    for (let i = 0; i < 3; i += 1) links.push((await signUp(keyOf('u'))).body.claim_url)
    const browser = await signedIn(service.service)
    const statusOf = async (url: string) => {
      const token = url.split('token=')[1]
      return (await browser.call('POST', '/claim/preview', { token })).status
    }
    expect(await Promise.all(links.map(statusOf))).toEqual([200, 200, 200])
    const { body } = await signUp(keyOf('u'))
    const fresh = await service.call('POST', '/account/claim-link', { key: body.api_key })
    links.push(body.claim_url, fresh.body.claim_url)
    expect(await Promise.all(links.map(statusOf))).toEqual([404, 404, 404, 404, 200])
  })

  it.each([
    ['a name of its own', 'c', { local_part: 'cleo' }],
    ['a name that is given', 'C', {}],
  ])(
    'makes one account with %s of many equal calls at once: one 201, the rest are replays',
    async (_what, letter, body) => {
      const answers = await Promise.all(Array.from({ length: 20 }, () => signUp(keyOf(letter), body)))
      expect(new Set(answers.map((answer) => answer.body.tenant_id)).size).toBe(1)
      expect(answers.map((answer) => answer.status).sort()).toEqual([...Array(19).fill(200), 201])
    },
  )

  it('refuses another body under the same key, and names that are taken or reserved', async () => {
    await signUp(keyOf('d'), { local_part: 'dan' })
    expect(await signUp(keyOf('d'), { local_part: 'dora' })).toMatchObject({
      status: 409,
      body: { error: 'idempotency_key_reused' },
    })
    expect(await signUp(keyOf('e'), { local_part: 'dan' })).toMatchObject({
      status: 422,
      body: { error: 'inbox_unavailable' },
    })
    expect(await signUp(keyOf('f'), { local_part: 'postmaster' })).toMatchObject({
      status: 422,
      body: { error: 'inbox_unavailable' },
    })
  })

  it.each([
    ['a key of 31 characters', keyOf('g', 31), {}, 400],
    ['a key of 32 characters', keyOf('g', 32), {}, 201],
    ['a key of 128 characters', keyOf('g', 128), {}, 201],
    ['a key of 129 characters', keyOf('g', 129), {}, 400],
    ['a name of 100 characters beyond the BMP', keyOf('h'), { name: '🎉'.repeat(100) }, 201],
    ['a name of 101 characters', keyOf('i'), { name: 'x'.repeat(101) }, 400],
    ['a control character in the name', keyOf('j'), { name: 'a\u0007b' }, 400],
    ['an empty name', keyOf('k'), { name: '  ' }, 400],
    ['a name of 64 characters', keyOf('l'), { local_part: 'x'.repeat(64) }, 201],
    ['a name of 65 characters', keyOf('m'), { local_part: 'x'.repeat(65) }, 400],
    ['two dots in a row', keyOf('n'), { local_part: 'a..b' }, 400],
    ['a hyphen at the end', keyOf('o'), { local_part: 'a-' }, 400],
    ['a dot at the beginning', keyOf('p'), { local_part: '.a' }, 400],
    ['a plus', keyOf('q'), { local_part: 'a+b' }, 400],
    ['one letter', keyOf('r'), { local_part: 'z' }, 201],
  ])('keeps the bounds of its fields: %s', async (_what, key, body, status) => {
    expect((await signUp(key, body)).status).toBe(status)
  })

  it('stores neither the Idempotency-Key nor the API key', async () => {
    const secret = `${keyOf('s', 20)}-an-idempotency-key`
    const { body } = await signUp(secret)
    if (database.options.data === undefined) return
    const { data } = database.options
    const stored = readdirSync(data)
      .filter((name) => name.startsWith('restante.sqlite'))
      .map((name) => readFileSync(join(data, name)))
    expect(stored.length).toBeGreaterThan(0)
    for (const bytes of stored) {
      expect(bytes.includes(secret)).toBe(false)
      expect(bytes.includes(body.api_key)).toBe(false)
      expect(bytes.includes(body.claim_url.split('token=')[1])).toBe(false)
    }
  })

  it('stops taking mail at the limits of an unclaimed account', async () => {
    const { body } = await signUp(keyOf('t'), { local_part: 'tim' })
    for (let i = 0; i < 50; i++) await service.mail({ to: body.inbox.address, subject: `mail ${i}` })
    await expect(service.mail({ to: body.inbox.address })).rejects.toThrow(/452 4\.2\.2/)
    const account = await service.call('GET', '/account', { key: body.api_key })
    expect(account.body.usage.received_messages).toBe(50)
  })
})

describeDatabases('a signup that is unavailable', (openDatabase) => {
  const database = useDatabase(openDatabase)
  const [old, fresh] = ['an old secret of the tests', 'a new secret of the tests']
  /** A service with this secret, whose own key may be lost. */
  const start = (secret: string, signup = true) =>
    database.start((options) =>
      createService({
        ...{ ...options, secret, signup, verifyOperators: false },
        ...{ http: '127.0.0.1:0', smtp: '127.0.0.1:0', log: 'silent' as const },
      }),
    )
  const signUpAt = async (service: Awaited<ReturnType<typeof start>>, letter: string) =>
    caller(service, '')('POST', '/agent-signups', {
      ...{ key: null, body: {} },
      headers: { 'idempotency-key': keyOf(letter) },
    })
  const isUnavailable = (answer: Awaited<ReturnType<typeof signUpAt>>) => {
    expect(answer).toMatchObject({ status: 503, body: { error: 'signup_unavailable' } })
    expect(answer.headers.get('retry-after')).toBe('3600')
  }

  it('is so for a replay whose secret was dropped, which leaves its claim links; others go on', async () => {
    const before = await start(old)
    const first = await signUpAt(before, 'a')
    await before.close()
    const after = await start(fresh)
    isUnavailable(await signUpAt(after, 'a'))
    const token = first.body.claim_url.split('token=')[1]
    const browser = await signedIn(after)
    expect(await browser.call('POST', '/claim/preview', { token })).toMatchObject({ status: 200 })
    const second = await signUpAt(after, 'b')
    expect([second.status, (await signUpAt(after, 'b')).status]).toEqual([201, 200])
    await after.close()
    const both = await start(`${fresh},${old}`)
    expect(await signUpAt(both, 'a')).toMatchObject({ status: 200, body: { api_key: first.body.api_key } })
  })

  it('is so for new ones where signup is switched off, and for no replay', async () => {
    const before = await start(old)
    const first = await signUpAt(before, 'c')
    await before.close()
    const after = await start(old, false)
    isUnavailable(await signUpAt(after, 'd'))
    expect(await signUpAt(after, 'c')).toMatchObject({ status: 200, body: { api_key: first.body.api_key } })
  })
})
