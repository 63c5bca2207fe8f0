import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { type ErrorCode, errorCodes, routes } from 'restante/protocol'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import type { z } from 'zod'
import { refusalsOf } from '../../../src/protocol/routes/refusals'
import { answersJson, type Route } from '../../../src/protocol/routes/route'
import { nearly } from '../../support/arbitrary'
import { secretOf } from '../../support/console'
import { createFakeResolver } from '../../support/fake-resolver'
import { startService, type TestService } from '../../support/service'
import {
  askAs,
  type ClaimedTenant,
  claimedTenant,
  makeAll,
  makeOne,
  nounOf,
  nounsIn,
} from '../../support/tenant'

let data: string
let service: TestService
let tenant: ClaimedTenant
let made: Record<string, string>
let claimToken: string
beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), 'restante-'))
  service = await startService({ data }, { resolver: createFakeResolver({}) })
  tenant = await claimedTenant(service, 'f')
  made = await makeAll(service, tenant.key)
  await service.service.admin.plan(made.accounts!, 'unlimited')
  const { body } = await service.call('POST', '/agent-signups', {
    key: null,
    headers: { 'idempotency-key': 'c'.repeat(43) },
  })
  claimToken = secretOf(body.claim_url)
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await rm(data, { recursive: true, force: true })
})

const all = (Object.entries(routes) as [string, Record<string, Route>][]).flatMap(([group, operations]) =>
  Object.entries(operations).map(([name, route]) => [`${group}.${name}`, route] as const),
)
const nothing = fc.constant({} as Record<string, unknown>)
const nearlyOf = (schema: z.ZodObject | undefined) => (schema ? nearly(schema) : nothing)

/** Ids that are there, in place of those that were made up. */
function withRealIds(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withRealIds)
  if (value === null || typeof value !== 'object') return value
  const fields = Object.entries(value).map(([field, old]) => {
    const id = made[nounOf(field) ?? '']
    return [field, id === undefined ? withRealIds(old) : Array.isArray(old) ? [id] : id]
  })
  return Object.fromEntries(fields)
}

let count = 0

/** Values that people write in the fields of these names. */
const usual = (): Record<string, unknown> => ({
  inbox_id: made.inboxes,
  to: ['bo@example.com'],
  text: 'hi',
  name: `usual-${count++}`,
  hostname: `usual${count++}.example.net`,
  pattern: `usual${count++}@example.org`,
  address: `usual${count++}@example.org`,
  url: 'https://example.com/hook',
  events: ['message.received'],
  scopes: ['read'],
  assignee: null,
  leases: ['msg_1m7yqmwm4c0yfmxk.1m7yqmwm4c0y'],
  token: claimToken,
  'idempotency-key': randomBytes(32).toString('base64url'),
})

/** A request as it is mostly made, with one field of what was made up. */
function usualWith(schema: z.ZodObject | undefined, madeUp: object, place: number): object {
  const written = usual()
  const fields = Object.entries(schema?.shape ?? {}).map(([name, field]) => {
    const id = isOptional(field as z.ZodType) ? undefined : made[nounOf(name) ?? '']
    return [name, name in written ? written[name] : id]
  })
  const odd = Object.entries(withRealIds(madeUp) as object).slice(place, place + 1)
  return {
    ...Object.fromEntries(fields.filter(([, value]) => value !== undefined)),
    ...Object.fromEntries(odd),
  }
}

const isOptional = (schema: z.ZodType) => schema.safeParse(undefined).success

function pathFor(route: Route, idOf: (field: string, noun: string) => string): string {
  const nouns = nounsIn(route.path)
  return route.path.replace(/\{(\w+)\}/g, (_, field) => encodeURIComponent(idOf(field, nouns[field]!)))
}

const realIds = (_field: string, noun: string) => made[noun]!

/** A record that is changed or taken away is one that nothing else needs. */
async function realPath(route: Route): Promise<string> {
  if (route.method === 'GET' || route.method === 'POST') return pathFor(route, realIds)
  const last = Object.values(nounsIn(route.path)).at(-1)!
  const id = await makeOne(service, tenant.key, last)
  return pathFor(route, (field, noun) => (noun === last ? id : realIds(field, noun)))
}

const madeUpPath = (route: Route, ids: Record<string, unknown>) =>
  pathFor(route, (field) => textOf(ids[field] ?? 'x').replace(/\p{Surrogate}/gu, '') || 'x')

/** Writes a made-up value as text, which it may have no way to be itself. */
const textOf = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

const headerSafe = (value: unknown) => textOf(value).replace(/[^\x21-\x7e]/g, '_')

type Parts = Record<'query' | 'body' | 'headers', Record<string, unknown>>

interface Request extends Parts {
  params: Record<string, unknown>
  kind: 'made up' | 'with real ids' | 'as usual'
  place: number
}

function partsOf(route: Route, { kind, place, query, body, headers }: Request): Parts {
  if (kind === 'made up') return { query, body, headers }
  const real = (part: object) => withRealIds(part) as Record<string, unknown>
  if (kind === 'with real ids') return { query: real(query), body: real(body), headers }
  const part = (name: keyof Parts, madeUp: object) =>
    usualWith(route[name], madeUp, place) as Record<string, unknown>
  return { query: part('query', query), body: part('body', body), headers: part('headers', headers) }
}

async function ask(route: Route, request: Request) {
  const { query, body, headers } = partsOf(route, request)
  const path = request.kind === 'made up' ? madeUpPath(route, request.params) : await realPath(route)
  const pairs = Object.entries({ ...query, ...('wait_ms' in query && { wait_ms: 0 }) })
  const search = new URLSearchParams(pairs.map(([name, value]) => [name, textOf(value)]))
  return askAs(service, tenant, route, `${path}?${search}`, {
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toLowerCase(), headerSafe(value)]),
    ),
    ...(route.body && { body }),
  })
}

/**
 * The account that is asked for has an operator already, its message is no report, its draft does not wait, and its key
 * brings no mail in.
 */
const neverTaken = [
  ...['account.claimLink', 'messages.believeReport', 'console.approve', 'console.reject'],
  ...['inbound.deliver', 'inbound.post'],
  // It logs in somewhere first.
  'connections.create',
  // Its message shows no picture, and whoever has one would be asked for it.
  'console.picture',
  // Its draft was sent by then: its files are the message's.
  'console.draftFile',
  // Its message has no invitation, and its file is no message.
  ...['messages.answerInvitation', 'attachments.message'],
  // No port for SMTP is open.
  'console.talk',
]

/** Nothing fails within; what nothing shows to be of its provider is put off, so that it is sent again. */
const isAnswered = (reported: unknown) => reported === 'signature_invalid' || Number(reported) < 500

it.each(all)('the route %s answers any JSON as its table says, and never 500', async (name, route) => {
  const request: fc.Arbitrary<Request> = fc.record({
    params: nearlyOf(route.params),
    query: nearlyOf(route.query),
    body: nearlyOf(route.body),
    headers: nearlyOf(route.headers),
    kind: fc.constantFrom('made up', 'with real ids', 'as usual'),
    place: fc.nat({ max: 20 }),
  })
  // Few connections are tried for one account in an hour: the route that needs many has an account of its own.
  const usual = tenant
  if (name === 'connections.delete') tenant = await claimedTenant(service, 'd')
  onTestFinished(() => {
    tenant = usual
  })
  let taken = 0
  await fc.assert(
    fc.asyncProperty(request, async (request) => {
      const answer = await ask(route, request)
      expect(answer.status === 503 ? answer.body.error : answer.status).toSatisfy(isAnswered)
      if (answer.status >= 400) return expectDocumented(route, answer.status, answer.body)
      taken++
      const { status, replayStatus, acceptedStatus } = route.success
      expect([status, replayStatus, acceptedStatus, 206]).toContain(answer.status)
      if (answersJson(route.answer) && answer.status !== 204) route.answer.parse(answer.body)
    }),
    { numRuns: 25 },
  )
  if (!neverTaken.includes(name)) expect(taken, 'requests that were taken').toBeGreaterThan(0)
})

/** Bodies that no schema describes: not JSON, JSON that is no object, too deep, in another type, or just bytes. */
const anyBody = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 50 }),
  fc.jsonValue().map((value) => JSON.stringify(value)),
  fc.constantFrom('{', '{"to":', '[]', 'null', '0', '"', '\ufeff{}', '{"__proto__":{"to":[]}}'),
  fc.constantFrom('['.repeat(50_000), `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`),
)
const anyType = fc.oneof(
  { weight: 3, arbitrary: fc.constant('application/json') },
  fc.constantFrom(
    '',
    'text/plain',
    'application/json; charset=utf-16',
    'multipart/form-data',
    ';',
    'x'.repeat(3_000),
  ),
)

it.each(all.filter(([, { method }]) => method === 'POST' || method === 'PATCH'))(
  'the route %s answers any bytes as its table says, and never 500',
  async (_name, route) => {
    await fc.assert(
      fc.asyncProperty(anyBody, anyType, async (body, type) => {
        const headers = { 'content-type': type, 'idempotency-key': 'k'.repeat(43) }
        const answer = await service.call(route.method, pathFor(route, realIds), { body, headers })
        expect(answer.status === 503 ? answer.body.error : answer.status).toSatisfy(isAnswered)
        if (answer.status >= 400) expectDocumented(route, answer.status, answer.body)
      }),
      { numRuns: 25 },
    )
  },
)

function expectDocumented(route: Route, status: number, body: { error: ErrorCode; message: string }): void {
  // An id with a slash in it, or none at all, is another path.
  const otherPath = body.error === 'not_found' || body.error === 'method_not_allowed'
  if (!(otherPath && route.params)) expect(refusalsOf(route)).toContain(body.error)
  expect(errorCodes[body.error].status).toBe(status)
  expect(body.message).toMatch(/\S/)
}
