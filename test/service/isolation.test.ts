import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { routes } from 'restante/protocol'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { z } from 'zod'
import type { Route } from '../../src/protocol/route'
import { arbitraryOf } from '../support/arbitrary'
import { createFakeResolver } from '../support/fake-resolver'
import { startService, type TestService } from '../support/service'
import { askAs, type ClaimedTenant, claimedTenant, makeAll, nounOf, nounsIn } from '../support/tenant'

let data: string
let service: TestService
let tenant: ClaimedTenant
let own: Record<string, string>
let foreign: Record<string, string>
beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), 'restante-'))
  service = await startService({ data }, { resolver: createFakeResolver({}) })
  tenant = await claimedTenant(service, 'i')
  foreign = await makeAll(service, service.home.apiKey)
  own = await makeAll(service, tenant.key)
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await rm(data, { recursive: true, force: true })
})

/** One field of one route that takes an id. */
interface Place {
  route: Route
  field: string
  noun: string
  /** The field of the body that is a list of what the id stands in. */
  within?: string
}

/** The fields of the records of a list. */
function namesIn(schema: z.ZodType): string[] {
  const { def } = (schema as unknown as { _zod: { def: Def } })._zod
  if (def.type === 'object') return Object.keys(def.shape!)
  const inner = def.innerType ?? def.element ?? def.in
  return inner ? namesIn(inner) : []
}

interface Def {
  type: string
  shape?: object
  innerType?: z.ZodType
  element?: z.ZodType
  in?: z.ZodType
}

function placesOf(route: Route): Place[] {
  const inPath = Object.entries(nounsIn(route.path)).map(([field, noun]) => ({ route, field, noun }))
  const shape = { ...route.query?.shape, ...route.body?.shape }
  const beside = Object.keys(shape).map((field) => ({ route, field, noun: nounOf(field) }))
  const nested = Object.keys(route.body?.shape ?? {}).flatMap((within) =>
    namesIn(route.body!.shape[within] as z.ZodType).map((field) => ({
      route,
      field,
      noun: nounOf(field),
      within,
    })),
  )
  return [...inPath, ...[...beside, ...nested].filter((one): one is Place => one.noun !== null)]
}

const guarded = (Object.values(routes) as Record<string, Route>[])
  .flatMap((group) => Object.values(group))
  .filter((route) => route.access !== 'none')
const places = guarded.flatMap(placesOf)
const nameOf = ({ route, field }: Place) => `${route.method} ${route.path} ${field}`

const isList = (schema: z.ZodType | undefined) =>
  JSON.stringify((schema as unknown as { _zod: { def: unknown } })?._zod.def ?? '').includes('"type":"array"')

/** Every id of the route is the caller's own, but for the one in question. */
function idsFor({ route, field, within }: Place, id: string): Record<string, unknown> {
  const ids: Record<string, unknown> = {}
  for (const place of placesOf(route).filter(({ within }) => within === undefined)) {
    const schema = route.body?.shape[place.field] as z.ZodType | undefined
    const value = place.field === field ? id : own[place.noun]
    ids[place.field] = schema && isList(schema) ? [value] : value
  }
  if (within !== undefined) ids[within] = [{ [field]: id }]
  return ids
}

async function ask(place: Place, id: string, query: object, body: object) {
  const { route } = place
  const ids = idsFor(place, id)
  const path = route.path.replace(/\{(\w+)\}/g, (_, name) => String(ids[name]))
  const pick = (from: object, schema: z.ZodObject) =>
    Object.entries({ ...from, ...ids }).filter(([name]) => name in schema.shape)
  const params = new URLSearchParams(
    route.query
      ? pick(query, route.query).map(([name, value]) => [
          name,
          typeof value === 'string' ? value : JSON.stringify(value),
        ])
      : [],
  )
  const answer = await askAs(service, tenant, route, `${path}?${params}`, {
    ...(route.body && { body: Object.fromEntries(pick(body, route.body)) }),
  })
  return { status: answer.status, body: JSON.stringify(answer.body ?? '').replaceAll(id, 'ID') }
}

it('finds the ids of every route', () => {
  expect(places.length).toBeGreaterThan(30)
  expect(places.map(nameOf)).toEqual(
    expect.arrayContaining([
      'POST /messages upload_id',
      'POST /drafts reply_to_message_id',
      'POST /webhooks inbox_ids',
    ]),
  )
  for (const place of places) expect(Object.keys(own), nameOf(place)).toContain(place.noun)
})

it('an id of another tenant answers exactly as one that never existed, on every route', async () => {
  const statuses: Record<string, Set<number>> = {}
  for (const place of places) {
    const { route, noun } = place
    const never = foreign[noun]!.replace(/.{7}$/, 'zzzzzz0')
    const arbitrary = fc.record({
      query: route.query ? arbitraryOf(route.query) : fc.constant({}),
      body: route.body ? arbitraryOf(route.body) : fc.constant({}),
    })
    const plain = {
      query: {},
      body: { to: ['a@example.com'], text: 'x', name: 'n', events: ['*'], url: 'https://example.com' },
    }
    const check = async (query: object, body: object) => {
      const still = { ...query, ...('wait_ms' in (route.query?.shape ?? {}) && { wait_ms: 0 }) }
      const clean = { ...body, client_id: undefined }
      const [theirs, nobodys] = [
        await ask(place, foreign[noun]!, still, clean),
        await ask(place, never, still, clean),
      ]
      expect(theirs, nameOf(place)).toEqual(nobodys)
      statuses[nameOf(place)] = (statuses[nameOf(place)] ?? new Set()).add(theirs.status)
    }
    await check(plain.query, plain.body)
    await fc.assert(
      fc.asyncProperty(arbitrary, ({ query, body }) => check(query as object, body as object)),
      { numRuns: 8 },
    )
  }
  const looked = places.filter(({ route, field, within }) => within ?? route.path.includes(`{${field}}`))
  for (const place of looked) expect([...statuses[nameOf(place)]!], nameOf(place)).toContain(404)
})

it('nothing that a route answers is of another tenant', async () => {
  const theirs = [
    ...Object.values(foreign),
    service.home.tenantId,
    service.home.inboxId,
    service.home.address,
  ]
  for (const route of guarded.filter(({ method }) => method === 'GET')) {
    const path = route.path.replace(/\{(\w+)\}/g, (_, field) => own[nounsIn(route.path)[field]!]!)
    const most = 'limit' in (route.query?.shape ?? {}) ? '?limit=100' : ''
    const answer = await askAs(service, tenant, route, `${path}${most}`, {})
    expect(answer.status, path).toBe(200)
    const told = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body)
    for (const id of theirs) expect(told, route.path).not.toContain(id)
  }
})

it('and what the other tenant has is as it was', async () => {
  const home = service.home.apiKey
  for (const noun of ['inboxes', 'messages', 'threads', 'attachments', 'webhooks', 'drafts', 'domains'])
    expect((await service.call('GET', `/${noun}/${foreign[noun]}`, { key: home })).status, noun).toBe(200)
  for (const noun of ['labels', 'lists'])
    expect((await service.call('GET', `/${noun}`, { key: home })).body[noun]).toHaveLength(1)
})
