import { createPublicKey } from 'node:crypto'
import { createService } from 'restante/service'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { describeDatabases, type TestDatabase } from '../../support/databases'
import { createFakeResolver, type FakeName } from '../../support/fake-resolver'
import { JumpClock } from '../../support/jump-clock'
import { publish } from '../../support/publish'
import { openService, type QuietService } from '../../support/service'
import { claimedTenant } from '../../support/tenant'

const serviceDomain = 'mx.restante.test'

it('a domain has a key of its own: RSA of 2048 bits', async () => {
  await using service = await createService({ domain: serviceDomain, log: 'silent' })
  const { value } = (await service.dkimRecord())!
  const key = Buffer.from(/; p=(\S+)$/.exec(value)![1]!, 'base64')
  const { asymmetricKeyType, asymmetricKeyDetails } = createPublicKey({ key, type: 'spki', format: 'der' })
  expect({ asymmetricKeyType, ...asymmetricKeyDetails }).toMatchObject({
    asymmetricKeyType: 'rsa',
    modulusLength: 2048,
  })
  expect((await service.dkimRecord())!.value).toBe(value)
})

const hourMs = 3_600_000
const dayMs = 24 * hourMs

describeDatabases('domains', (openDatabase) => {
  let database: TestDatabase
  let service: QuietService
  let names: Record<string, FakeName>
  let clock: JumpClock
  beforeEach(async () => {
    database = await openDatabase()
    names = {}
    clock = new JumpClock()
    const ports = { resolver: createFakeResolver(names), clock }
    service = await openService({ ...database.options, domain: serviceDomain }, ports)
  })
  afterEach(async () => {
    await service[Symbol.asyncDispose]()
    await database.drop()
  })

  const call = (method: string, path: string, body?: object, key?: string) =>
    service.call(method, path, { ...(body && { body }), ...(key !== undefined && { key }) })
  const create = async (hostname: string, key?: string) =>
    (await call('POST', '/domains', { hostname }, key)).body
  const verify = (id: string, key?: string) => call('POST', `/domains/${id}/verify`, {}, key)
  const read = async (id: string) => (await call('GET', `/domains/${id}`)).body
  const verified = async (hostname = 'example.com') => {
    const domain = await create(hostname)
    publish(names, domain.records)
    return (await verify(domain.id)).body
  }
  const record = (domain: { records: { purpose: string; type: string }[] }, purpose: string, type = 'TXT') =>
    domain.records.find((one) => one.purpose === purpose && one.type === type)
  const types = async () =>
    (await call('GET', '/events?after=0&limit=500')).body.events.map((event: { type: string }) => event.type)

  it('are pending until their records are found, and then verified, with an event', async () => {
    const domain = await create('Example.COM.')
    expect(domain).toMatchObject({
      id: expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/),
      hostname: 'example.com',
      mail_from_domain: 'bounces.example.com',
      status: 'pending',
      verified_at: null,
      checked_at: null,
    })
    expect(domain.records.map((one: { type: string; name: string }) => `${one.type} ${one.name}`)).toEqual([
      'TXT _restante.example.com',
      expect.stringMatching(/^TXT restante-\w{8}\._domainkey\.example\.com$/),
      'MX example.com',
      'MX bounces.example.com',
      'TXT bounces.example.com',
      'TXT _dmarc.example.com',
    ])
    const before = await verify(domain.id)
    expect(before).toMatchObject({ status: 200, body: { status: 'pending' } })
    for (const one of before.body.records) {
      expect(one).toMatchObject({ status: 'missing', found: [] })
      expect(one.hint).toMatch(/\w/)
    }
    publish(names, domain.records)
    const after = (await verify(domain.id)).body
    expect(after).toMatchObject({ status: 'verified', verified_at: expect.any(String) })
    for (const one of after.records) expect(one).toMatchObject({ status: 'ok', hint: null })
    expect(await read(domain.id)).toEqual(after)
    expect((await call('GET', '/domains')).body).toEqual({ domains: [after], next_cursor: null })
    expect(await types()).toEqual(['inbox.created', 'domain.verified'])
  })

  it('need no more than ownership and DKIM to be verified', async () => {
    const domain = await create('example.com')
    publish(
      names,
      domain.records.filter((one: { required: boolean }) => one.required),
    )
    const { body } = await verify(domain.id)
    expect(body.status).toBe('verified')
    expect(record(body, 'receiving', 'MX')).toMatchObject({ status: 'missing' })
  })

  it('are not proven by what was found another time', async () => {
    const domain = await create('example.com')
    const [token, ...others] = domain.records
    publish(names, [token])
    expect((await verify(domain.id)).body.records[0].status).toBe('ok')
    names[token.name] = { txt: 'ETIMEOUT' }
    publish(names, others)
    expect((await verify(domain.id)).body).toMatchObject({
      status: 'pending',
      records: [{ status: 'ok' }, {}, {}, {}, {}, {}],
    })
  })

  it('say of each record what was found and what to do', async () => {
    const domain = await create('shop.example.com')
    publish(names, domain.records)
    const [token, key] = domain.records
    names[token.name] = { txt: [['restante-verification=other']] }
    names[key.name] = { txt: [[key.value.slice(0, 255)]] }
    names['shop.example.com'] = { mx: [{ priority: 5, exchange: 'Mail.Example.net.' }] }
    names['bounces.shop.example.com']!.txt = [['v=spf1 -all'], ['v=spf1 mx']]
    names['_dmarc.shop.example.com'] = {}
    names['_dmarc.example.com'] = { txt: [['v=DMARC1; p=reject']] }
    const { body } = await verify(domain.id)
    expect(body.status).toBe('pending')
    expect(body.records).toMatchObject([
      { status: 'wrong', found: ['restante-verification=other'], hint: expect.stringContaining('beside it') },
      { status: 'wrong', hint: expect.stringContaining('cut off') },
      { status: 'wrong', found: ['5 mail.example.net'], hint: expect.stringContaining('goes elsewhere') },
      { status: 'ok' },
      { status: 'wrong', found: ['v=spf1 -all', 'v=spf1 mx'], hint: expect.stringContaining('join them') },
      { status: 'ok', found: ['v=DMARC1; p=reject'] },
    ])
    names[token.name] = {}
    names[`${token.name}.shop.example.com`] = { txt: [[token.value]] }
    expect((await verify(domain.id)).body.records[0]).toMatchObject({
      status: 'missing',
      hint: expect.stringContaining('enter _restante as the name'),
    })
  })

  it('belong to the first account that proves to own them', async () => {
    if (database.options.data === undefined) return
    const { key: other } = await claimedTenant(service, 'd')
    const mine = await create('example.com')
    const theirs = await create('example.com', other)
    expect(theirs.status).toBe('pending')
    publish(names, [...mine.records, ...theirs.records])
    expect((await verify(theirs.id, other)).body.status).toBe('verified')
    expect(await verify(mine.id)).toMatchObject({ status: 409, body: { error: 'domain_unavailable' } })
    expect(await read(mine.id)).toMatchObject({
      status: 'pending',
      records: [{ status: 'ok' }, {}, {}, {}, {}, {}],
    })
    await call('DELETE', `/domains/${theirs.id}`, undefined, other)
    expect((await verify(mine.id)).body.status).toBe('verified')
  })

  it('can be had once in an account, and deleted', async () => {
    const domain = await verified()
    expect(await call('POST', '/domains', { hostname: 'EXAMPLE.com' })).toMatchObject({
      status: 409,
      body: { error: 'domain_exists', details: { domain_id: domain.id } },
    })
    expect((await call('DELETE', `/domains/${domain.id}`)).status).toBe(204)
    expect((await call('GET', `/domains/${domain.id}`)).status).toBe(404)
    expect((await create('example.com')).status).toBe('pending')
  })

  it('take bounces at a name of their choice below them', async () => {
    const with_ = (mail_from_domain: string) =>
      call('POST', '/domains', { hostname: 'example.com', mail_from_domain })
    for (const name of ['example.com', 'bounces.example.net', 'xexample.com'])
      expect(await with_(name)).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
    expect((await with_('Mail.example.com')).body.mail_from_domain).toBe('mail.example.com')
  })

  describe('in the course of time', () => {
    const looked = async (id: string, since: string | null) =>
      expect
        .poll(async () => {
          clock.jump(5_000) // the queue may have been looked at in the very moment of the jump before
          return (await read(id)).checked_at
        })
        .not.toBe(since)
    const jump = async (id: string, byMs: number) => {
      const { checked_at } = await read(id)
      clock.jump(byMs)
      await looked(id, checked_at)
      return read(id)
    }

    it('are looked at without being asked', async () => {
      const domain = await create('example.com')
      publish(names, domain.records)
      expect(await jump(domain.id, 61_000)).toMatchObject({ status: 'verified' })
    })

    it('fail where the record of ownership is gone for 3 days, and come back with it', async () => {
      const domain = await verified()
      const token = record(domain, 'ownership') as unknown as { name: string; value: string }
      names[token.name] = {}
      await jump(domain.id, dayMs + hourMs)
      await jump(domain.id, 2 * dayMs)
      expect(await read(domain.id)).toMatchObject({
        status: 'verified',
        records: [{ status: 'missing' }, {}, {}, {}, {}, {}],
      })
      expect(await jump(domain.id, dayMs)).toMatchObject({
        status: 'failing',
        verified_at: domain.verified_at,
      })
      names[token.name] = { txt: [[token.value]] }
      expect(await jump(domain.id, 3 * dayMs)).toMatchObject({ status: 'verified' })
      expect(await types()).toEqual(['inbox.created', 'domain.verified', 'domain.failing', 'domain.verified'])
    })

    it('are not lost to a DNS that gives no answer', async () => {
      const domain = await verified()
      for (const name of Object.keys(names)) names[name] = { txt: 'ETIMEOUT', mx: 'ETIMEOUT' }
      for (let day = 0; day < 6; day++) {
        const { status, records } = await jump(domain.id, dayMs + hourMs)
        expect(status).toBe('verified')
        expect(records[0]).toMatchObject({ status: 'ok', hint: expect.stringContaining('no answer') })
      }
    })

    it('that fail can be proven by another account', async () => {
      if (database.options.data === undefined) return
      const { key: other } = await claimedTenant(service, 'e')
      const mine = await verified()
      const theirs = await create('example.com', other)
      publish(names, theirs.records)
      names['_restante.example.com'] = { txt: [[theirs.records[0].value]] }
      expect((await verify(theirs.id, other)).status).toBe(409)
      await jump(mine.id, dayMs + hourMs)
      await jump(mine.id, 3 * dayMs + hourMs)
      expect((await read(mine.id)).status).toBe('failing')
      expect((await verify(theirs.id, other)).body.status).toBe('verified')
      names['_restante.example.com'] = { txt: [[mine.records[0].value], [theirs.records[0].value]] }
      expect(await verify(mine.id)).toMatchObject({ status: 409, body: { error: 'domain_unavailable' } })
    })
  })

  it('get a new DKIM key when it is seen in the DNS', async () => {
    const domain = await verified()
    const old = record(domain, 'dkim') as unknown as { name: string }
    const rotated = (await call('POST', `/domains/${domain.id}/rotate`, {})).body
    const next = record(rotated, 'dkim_next') as unknown as { name: string; value: string; type: string }
    expect(next.name).not.toBe(old.name)
    expect((await call('POST', `/domains/${domain.id}/rotate`, {})).body.records).toEqual(rotated.records)
    const waiting = (await verify(domain.id)).body
    expect([waiting.status, record(waiting, 'dkim')]).toMatchObject(['verified', { name: old.name }])
    publish(names, [next])
    const switched = (await verify(domain.id)).body
    expect(record(switched, 'dkim')).toMatchObject({ name: next.name, value: next.value, status: 'ok' })
    expect(record(switched, 'dkim_next')).toBeUndefined()
  })
})

describe('the name of a domain', () => {
  let service: QuietService
  beforeAll(async () => {
    service = await openService({ domain: serviceDomain }, { resolver: createFakeResolver({}) })
  })
  afterAll(() => service[Symbol.asyncDispose]())

  it.each([
    ['bücher.example', 201, 'xn--bcher-kva.example'],
    [`${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(57)}.net`, 201],
    [`${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(58)}.net`, 400],
    ['co.uk', 400],
    ['github.io', 400],
    ['com', 400],
    ['localhost', 400],
    ['192.0.2.1', 400],
    ['0x7f.1', 400],
    ['[::1]', 400],
    [serviceDomain, 400],
    [`a.${serviceDomain}`, 400],
    ['under_score.example.com', 400],
    ['-a.example.com', 400],
    ['a..example.com', 400],
    ['ana@example.com', 400],
    ['example.com/x', 400],
  ])('%s is answered with %d', async (hostname, status, shown = hostname) => {
    const answer = await service.call('POST', '/domains', { body: { hostname } })
    // A name of 253 octets leaves no room for `bounces.` before it.
    if (status === 201 && hostname.length > 245) expect(answer.body.message).toMatch(/mail_from_domain/)
    else expect([answer.status, answer.body.hostname]).toEqual([status, status === 201 ? shown : undefined])
  })
})
