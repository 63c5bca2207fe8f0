import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { type ErrorCode, errorCodes, routes } from 'restante/protocol'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { z } from 'zod'
import { answersJson, commonErrors, type Route } from '../../src/protocol/route'
import { nearly } from '../support/arbitrary'
import { createFakeResolver } from '../support/fake-resolver'
import { startService, type TestService } from '../support/service'
import { askAs, type ClaimedTenant, claimedTenant, makeAll, nounOf, nounsIn } from '../support/tenant'

/** What the frame around the routes may answer to a request that is none. */
const ofTheFrame: ErrorCode[] = ['invalid_json', 'unsupported_media_type', 'payload_too_large']

let data: string
let service: TestService
let tenant: ClaimedTenant
let made: Record<string, string>
beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), 'restante-'))
  service = await startService({ data }, { resolver: createFakeResolver({}) })
  tenant = await claimedTenant(service, 'f')
  made = await makeAll(service, tenant.key)
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

/** Ids that are there, in place of most that were made up. */
function withRealIds(value: Record<string, unknown>, real: boolean): Record<string, unknown> {
  if (!real) return value
  const fields = Object.entries(value).map(([field, old]) => {
    const id = made[nounOf(field) ?? '']
    return [field, id === undefined ? old : Array.isArray(old) ? [id] : id]
  })
  return Object.fromEntries(fields)
}

function pathFor(route: Route, ids: Record<string, unknown>, real: boolean): string {
  const nouns = nounsIn(route.path)
  return route.path.replace(/\{(\w+)\}/g, (_, field) => {
    const made_up = textOf(ids[field] ?? 'x').replace(/\p{Surrogate}/gu, '') || 'x'
    return encodeURIComponent(real ? made[nouns[field]!]! : made_up)
  })
}

/** What was made up may have no way to be text of its own. */
const textOf = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

const headerSafe = (value: unknown) => textOf(value).replace(/[^\x21-\x7e]/g, '_')

it.each(all)(
  '%s answers anything as its table says, and never 500',
  { timeout: 20_000 },
  async (_name, route) => {
    const request = fc.record({
      params: nearlyOf(route.params),
      query: nearlyOf(route.query),
      body: nearlyOf(route.body),
      headers: nearlyOf(route.headers),
      real: fc.boolean(),
    })
    await fc.assert(
      fc.asyncProperty(request, async ({ params, query, body, headers, real }) => {
        // A record that others need is not deleted here; the rest of the suite does that.
        const isReal = real && route.method !== 'DELETE'
        const pairs = Object.entries(
          withRealIds({ ...query, ...('wait_ms' in query && { wait_ms: 0 }) }, real),
        )
        const search = new URLSearchParams(pairs.map(([name, value]) => [name, textOf(value)]))
        const answer = await askAs(service, tenant, route, `${pathFor(route, params, isReal)}?${search}`, {
          headers: Object.fromEntries(
            Object.entries(headers).map(([name, value]) => [name.toLowerCase(), headerSafe(value)]),
          ),
          ...(route.body && { body: withRealIds(body, real) }),
        })
        expect(answer.status).toBeLessThan(500)
        if (answer.status >= 400) return expectDocumented(route, answer.status, answer.body)
        const { status, replayStatus, acceptedStatus } = route.success
        expect([status, replayStatus, acceptedStatus, 206]).toContain(answer.status)
        if (answersJson(route.answer) && answer.status !== 204) route.answer.parse(answer.body)
      }),
      { numRuns: 25 },
    )
  },
)

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
  '%s answers any bytes as its table says, and never 500',
  async (_name, route) => {
    await fc.assert(
      fc.asyncProperty(anyBody, anyType, async (body, type) => {
        const headers = { 'content-type': type, 'idempotency-key': 'k'.repeat(43) }
        const answer = await service.call(route.method, pathFor(route, {}, true), { body, headers })
        expect(answer.status).toBeLessThan(500)
        if (answer.status >= 400) expectDocumented(route, answer.status, answer.body)
      }),
      { numRuns: 25 },
    )
  },
)

function expectDocumented(route: Route, status: number, body: { error: ErrorCode; message: string }): void {
  const documented: readonly ErrorCode[] = [...route.errors, ...commonErrors, ...ofTheFrame]
  // An id with a slash in it, or none at all, is another path.
  const otherPath = body.error === 'not_found' || body.error === 'method_not_allowed'
  if (!(otherPath && route.params)) expect(documented).toContain(body.error)
  expect(errorCodes[body.error].status).toBe(status)
  expect(body.message).toMatch(/\S/)
}
