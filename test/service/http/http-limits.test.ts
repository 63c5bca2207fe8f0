import { afterAll, beforeAll, expect, it } from 'vitest'
import { JumpClock } from '../../support/jump-clock'
import { openService, type QuietService } from '../../support/service'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const clock = new JumpClock()
let service: QuietService
let last = 0

beforeAll(async () => {
  service = await openService(
    { trustProxy: '1', requestsPerMinute: 30, signupsPerHour: 2, signupsPerHourInAll: 5 },
    { clock },
  )
})
afterAll(() => service[Symbol.asyncDispose]())

/** An address that no other test has. */
const anyAddress = () => `198.51.100.${++last}`
const from = (address: string, key?: string | null) => (path: string) =>
  service.call('GET', path, { headers: { 'x-forwarded-for': address }, ...(key !== undefined && { key }) })
const signUp = (address: string, idempotencyKey: string) =>
  service.call('POST', '/agent-signups', {
    key: null,
    body: {},
    headers: { 'x-forwarded-for': address, 'idempotency-key': idempotencyKey.padEnd(40, 'x') },
  })

it('requests of a key have a quota, told in every answer, whatever their address', async () => {
  clock.jump(minuteMs)
  const first = await from(anyAddress())('/account')
  expect(first.headers.get('ratelimit-policy')).toBe('"requests";q=30;w=60')
  expect(first.headers.get('ratelimit')).toBe('"requests";r=29;t=2')
  const refused = await from(anyAddress())('/messages/msg_none')
  expect(refused).toMatchObject({ status: 404 })
  expect(refused.headers.get('ratelimit')).toBe('"requests";r=28;t=4')
  for (let i = 0; i < 28; i += 1) expect((await from(anyAddress())('/account')).status).toBe(200)
  const over = await from(anyAddress())('/account')
  expect(over).toMatchObject({ status: 429, body: { error: 'rate_limited' } })
  expect(over.headers.get('retry-after')).toBe('2')
  expect(over.headers.get('ratelimit')).toBe('"requests";r=0;t=60')
  clock.jump(2_000)
  expect((await from(anyAddress())('/account')).status).toBe(200)
  expect((await from(anyAddress())('/account')).status).toBe(429)
})

it('within the process nothing is limited; an address that is exempt has no limit of its own, its keys have', async () => {
  clock.jump(minuteMs)
  for (let i = 0; i < 40; i += 1) {
    const answer = await service.call('GET', '/account')
    expect([answer.status, answer.headers.get('ratelimit')]).toEqual([200, null])
    expect((await from('127.0.0.1', null)('/openapi.json')).status).toBe(200)
    expect((await from('127.0.0.1', `rst_${i}`)('/account')).status).toBe(401)
  }
  for (let i = 0; i < 30; i += 1) expect((await from('127.0.0.1')('/account')).status).toBe(200)
  expect((await from('127.0.0.1')('/account')).status).toBe(429)
})

it('an address that tries keys waits, longer each time, and its good neighbours do not', async () => {
  clock.jump(hourMs)
  const address = anyAddress()
  expect((await from(address)('/account')).status).toBe(200)
  const guess = async () => {
    const { status, headers } = await from(address, `rst_${Math.random()}`)('/account')
    return [status, headers.get('retry-after')]
  }
  for (let i = 0; i < 21; i += 1) expect(await guess()).toEqual([401, null])
  expect(await guess()).toEqual([429, '60'])
  expect((await from(address)('/account')).status).toBe(200)
  // One that was never seen here is as good.
  const { tenantId } = service.home
  const { api_key } = await service.service.keys.create({
    account_id: tenantId,
    name: 'new',
    scopes: ['read'],
  })
  expect((await from(address, api_key)('/account')).status).toBe(200)
  expect((await from(anyAddress(), 'rst_wrong')('/account')).status).toBe(401)
  clock.jump(minuteMs)
  for (let i = 0; i < 21; i += 1) expect(await guess()).toEqual([401, null])
  expect(await guess()).toEqual([429, '120'])
})

it('signups are bounded by address, then in all; a replay is no signup', async () => {
  const address = anyAddress()
  expect((await signUp(address, 'a')).status).toBe(201)
  expect((await signUp(address, 'b')).status).toBe(201)
  expect((await signUp(address, 'b')).status).toBe(200)
  const third = await signUp(address, 'c')
  expect(third).toMatchObject({ status: 429, body: { error: 'rate_limited' } })
  expect(third.headers.get('retry-after')).toBe('1800')
  for (const one of ['d', 'e', 'f']) expect((await signUp(anyAddress(), one)).status).toBe(201)
  expect((await signUp(anyAddress(), 'g')).status).toBe(429)
  clock.jump(hourMs)
  expect((await signUp(address, 'c')).status).toBe(201)
})

it('documents that anybody may read are counted by address', async () => {
  clock.jump(hourMs)
  const address = anyAddress()
  const ask = async (path: string, from?: string) => {
    const headers = from === undefined ? undefined : { 'x-forwarded-for': from }
    return service.service.fetch(new Request(`http://restante.test${path}`, headers && { headers }))
  }
  const paths = ['/v1/openapi.json', '/llms.txt', '/reference']
  for (let i = 0; i < 30; i += 1) {
    const { status, headers } = await ask(paths[i % 3]!, address)
    expect([status, headers.get('ratelimit')]).toEqual([200, expect.stringContaining(`r=${29 - i};`)])
  }
  for (const path of paths) {
    const refused = await ask(path, address)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '2'])
    expect(await refused.json()).toMatchObject({ error: 'rate_limited' })
    expect((await ask(path, anyAddress())).status).toBe(200)
    expect((await ask(path)).status).toBe(200)
  }
})
