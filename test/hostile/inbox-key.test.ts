import { afterAll, beforeAll, expect, it } from 'vitest'
import { createFakeResolver } from '../support/fake-resolver'
import { expectNoDifference, guardedRoutes, nameOf, placesOf } from '../support/id-places'
import { startService, type TestService } from '../support/service'
import { makeAll } from '../support/tenant'

/** The nouns that belong to one inbox. */
const nouns = ['inboxes', 'messages', 'threads', 'attachments', 'drafts', 'uploads']
const keyed = guardedRoutes.filter(({ access }) => access !== 'operator')
const places = keyed.flatMap(placesOf).filter(({ noun }) => nouns.includes(noun))

let service: TestService
let own: Record<string, string>
let other: Record<string, string>
let key: string
beforeAll(async () => {
  service = await startService({}, { resolver: createFakeResolver({}) })
  const { tenantId, apiKey } = service.home
  own = await makeAll(service, apiKey)
  other = await makeAll(service, apiKey)
  const grant = { account_id: tenantId, name: 'one inbox', inbox_id: own.inboxes! }
  key = (await service.service.keys.create({ ...grant, scopes: ['read', 'send', 'manage'] })).api_key
})
afterAll(() => service[Symbol.asyncDispose]())

it('with a key of one inbox, an id of another answers as one that never existed, on every route', async () => {
  expect(places.length).toBeGreaterThan(25)
  for (const place of places) {
    const statuses = await expectNoDifference(place, other[place.noun]!, own, ({ method }, path, options) =>
      service.call(method, path, { key, ...options }),
    )
    expect(
      [...statuses].some((status) => status !== 400),
      nameOf(place),
    ).toBe(true)
    if (place.route.path.includes(`{${place.field}}`))
      expect(
        [403, 404].some((status) => statuses.has(status)),
        nameOf(place),
      ).toBe(true)
  }
})

it('no list shows a key of one inbox what is in another', async () => {
  for (const route of keyed.filter(({ method, path }) => method === 'GET' && !path.includes('{'))) {
    const max = 'limit' in (route.query?.shape ?? {}) ? '?limit=100' : ''
    const reported = JSON.stringify((await service.call('GET', `${route.path}${max}`, { key })).body)
    for (const noun of nouns) expect(reported, route.path).not.toContain(other[noun])
  }
})

it('a client_id that another inbox used tells a key of one inbox nothing of that', async () => {
  const whole = service.home.apiKey
  const ask = (path: string, body: object, by = key) => service.call('POST', path, { key: by, body })
  const sent = { inbox_id: other.inboxes, to: ['bo@example.com'], subject: 'private', text: 'x' }
  const later = { scheduled_at: '2099-01-31T12:00:00.000Z', client_id: 'later' }
  expect((await ask('/messages', { ...sent, ...later }, whole)).status).toBe(202)
  expect((await ask('/messages', { ...sent, client_id: 'once' }, whole)).status).toBe(200)
  expect((await ask('/consumers', { name: 'theirs', inbox_id: other.inboxes }, whole)).status).toBe(201)
  const mine = { to: ['bo@example.com'], text: 'y', replay: 'first_wins' }
  const answers = [
    await ask('/messages', { ...mine, client_id: 'later' }),
    await ask('/messages', { ...mine, client_id: 'once' }),
    await ask('/drafts', { inbox_id: own.inboxes, client_id: 'later', replay: 'first_wins' }),
    await ask('/consumers', { name: 'theirs' }),
  ]
  expect(answers.map(({ status, body }) => [status, body.error])).toEqual([
    [409, 'client_id_conflict'],
    [409, 'client_id_conflict'],
    [409, 'client_id_conflict'],
    [409, 'consumer_exists'],
  ])
  expect(JSON.stringify(answers.map(({ body }) => body))).not.toMatch(/private|(msg|thr|dft|inb)_/)
})

it('a key of one inbox sees suppressions of those its inbox wrote to, and the domain of its own address', async () => {
  const whole = service.home.apiKey
  const ask = (method: string, path: string, body?: object) =>
    service.call(method, path, { key: whole, ...(body && { body }) })
  const domain = (await ask('POST', '/domains', { hostname: 'private.example.net' })).body
  await ask('POST', '/messages', { inbox_id: own.inboxes, to: ['Ours@shop.example'], text: 'x' })
  await ask('POST', '/messages', { inbox_id: other.inboxes, to: ['theirs@shop.example'], text: 'x' })
  for (const address of ['ours@shop.example', 'theirs@shop.example', 'nobody@shop.example'])
    await ask('POST', '/suppressions', { address })
  const seen = async (by: string, path: string) => (await service.call('GET', path, { key: by })).body
  const { suppressions } = await seen(key, '/suppressions')
  expect(suppressions.map(({ address }: { address: string }) => address)).toEqual(['ours@shop.example'])
  expect((await seen(key, '/suppressions?address=theirs@shop.example')).suppressions).toEqual([])
  expect((await seen(whole, '/suppressions?limit=100')).suppressions.length).toBeGreaterThanOrEqual(3)

  expect(await seen(key, '/domains')).toMatchObject({ domains: [] })
  expect(await service.call('GET', `/domains/${domain.id}`, { key })).toMatchObject({ status: 404 })
  expect((await seen(whole, `/domains/${domain.id}`)).hostname).toBe('private.example.net')
})
