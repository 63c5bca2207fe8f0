import { SqliteDriver } from 'kysely'
import { errorCodes, routes } from 'restante/protocol'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type LayerRefusal, layerRefusalsOf, refusalsOf } from '../../../src/protocol/routes/refusals'
import { type KeyScope, type Route, scopeSetsOf } from '../../../src/protocol/routes/route'
import { accountHeader } from '../../../src/protocol/socket'
import type { Description } from '../../../src/service/http/openapi'
import { type Browser, signedIn } from '../../support/console'
import { type Answer, openService, type QuietService } from '../../support/service'
import { claimedTenant } from '../../support/tenant'

const all = (Object.entries(routes) as [string, Record<string, Route>][]).flatMap(([group, operations]) =>
  Object.entries(operations).map(([name, route]) => [`${group}.${name}`, route] as const),
)

let service: QuietService
let limited: QuietService
/** A human at each of the two. */
const browsers = new Map<QuietService, Browser>()
let suspended: string
const keys = new Map<KeyScope, string>()
/** The keys that bring mail in, which do nothing else. */
const bringers = new Map<QuietService, string>()

beforeAll(async () => {
  service = await openService()
  limited = await openService({ trustProxy: '1', requestsPerMinute: 1 })
  const tenant = await claimedTenant(service, 'r')
  browsers.set(service, tenant.browser).set(limited, await signedIn(limited.service))
  suspended = tenant.key
  const account_id = (await service.call('GET', '/account', { key: suspended })).body.tenant_id
  await service.service.admin.suspend(account_id)
  for (const at of [service, limited]) {
    const key = { account_id: at.home.tenantId, name: 'inbound', scopes: ['inbound' as const] }
    bringers.set(at, (await at.service.keys.create(key)).api_key)
  }
  for (const scope of ['read', 'send', 'manage'] as const) {
    const key = { account_id: service.home.tenantId, name: scope, scopes: [scope] }
    keys.set(scope, (await service.service.keys.create(key)).api_key)
  }
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await limited[Symbol.asyncDispose]()
})

interface Request {
  path?: string
  method?: string
  key?: string | null
  headers?: Record<string, string>
  body?: string
}

/** Asks as whoever the route is for, with ids that there are none of. */
async function ask(route: Route, request: Request = {}, at = service): Promise<Answer> {
  const { method = route.method, headers, body } = request
  const path = `${route.path.replace(/\{\w+\}/g, 'none')}${request.path ?? ''}`
  const cookie = [...browsers.get(at)!.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  // Where a key would do, the header names the account that an operator asks for.
  const isOperators = route.access === 'operator' || headers?.[accountHeader] !== undefined
  const usualKey = route.access === 'inbound' ? bringers.get(at)! : at.home.apiKey
  return at.call(method, path, {
    key: isOperators ? null : request.key === undefined ? usualKey : request.key,
    ...(body !== undefined && { body }),
    headers: {
      'idempotency-key': 'k'.repeat(43),
      ...(isOperators && { cookie, origin: 'http://restante.test' }),
      ...headers,
    },
  })
}

/** A scope that does not open the route by itself. */
function otherScope(route: Route): KeyScope {
  const sets = scopeSetsOf(route.access)
  return (['read', 'send', 'manage'] as const).find(
    (scope) => !sets.some((set) => set.every((one) => one === scope)),
  )!
}

/** Asks while the database fails with an error of this code. */
async function whileBroken(route: Route, code: string): Promise<Answer> {
  const error = Object.assign(new Error('fails in a test'), { code })
  const broken = vi.spyOn(SqliteDriver.prototype, 'acquireConnection').mockRejectedValue(error)
  try {
    return await ask(route)
  } finally {
    broken.mockRestore()
  }
}

const json = { 'content-type': 'application/json' }

/** Asks as a human at the console, for an account that there is none of. */
const askAtConsole = (route: Route, headers: Record<string, string> = {}) =>
  ask(route, { headers: { ...(route.access !== 'operator' && { [accountHeader]: 'none' }), ...headers } })

/**
 * What no single request of a client library brings about: a body that drips is in test/hostile/drips.test.ts, what is not HTTP in
 * test/hostile/malformed.test.ts, repeats under one key are in
 * test/service/http/kept-answers.test.ts, the other is a race.
 */
const elsewhere = [
  'malformed_request',
  'header_too_large',
  'request_timeout',
  'account_not_found',
  'client_id_conflict',
  'request_in_progress',
] as const
type Elsewhere = (typeof elsewhere)[number]
const isElsewhere = (code: LayerRefusal): code is Elsewhere =>
  (elsewhere as readonly LayerRefusal[]).includes(code)

/** A request that each refusal answers. */
const provoke: Record<Exclude<LayerRefusal, Elsewhere>, (route: Route) => Promise<Answer>> = {
  invalid_request: (route) => ask(route, { path: '?nonsense=1' }),
  invalid_json: (route) => ask(route, { body: '{', headers: json }),
  unsupported_media_type: (route) => ask(route, { body: '{}', headers: { 'content-type': 'text/plain' } }),
  payload_too_large: (route) => ask(route, { body: '{}', headers: { 'content-length': '99999999999' } }),
  unauthorized: (route) => ask(route, { key: 'rst_wrong' }),
  account_suspended: (route) => ask(route, { key: suspended }),
  insufficient_scope: (route) => ask(route, { key: keys.get(otherScope(route))! }),
  sign_in_required: (route) => askAtConsole(route, { cookie: '' }),
  origin_refused: (route) => askAtConsole(route, { origin: 'https://elsewhere.example' }),
  not_found: (route) => askAtConsole(route),
  method_not_allowed: (route) => ask(route, { method: 'PUT' }),
  rate_limited: async (route) => {
    const headers = { 'x-forwarded-for': '198.51.100.7' }
    await ask(route, { headers }, limited)
    return ask(route, { headers }, limited)
  },
  internal_error: (route) => whileBroken(route, 'SQLITE_ERROR'),
  unavailable: (route) => whileBroken(route, 'ECONNREFUSED'),
  storage_unavailable: (route) => whileBroken(route, 'ENOSPC'),
}

describe('every operation', () => {
  it.each(all)(
    '%s refuses what the layer around it refuses, by the code that its table has',
    async (_, route) => {
      const codes = layerRefusalsOf(route)
      expect(codes.length).toBeGreaterThanOrEqual(6)
      for (const code of codes) {
        if (isElsewhere(code)) continue
        const { status, body } = await provoke[code](route)
        expect([code, status, body.error]).toEqual([code, errorCodes[code].status, code])
      }
    },
  )

  it('is put off where it asks too often and may not repeat 429, as providers of mail', async () => {
    const headers = { 'x-forwarded-for': '198.51.100.8' }
    const all = [1, 2].map(() => ask(routes.inbound.post, { headers }, limited))
    const [first, second] = await Promise.all(all)
    expect([first!.body.error, second!.status, second!.body.error]).toEqual([
      ...['signature_invalid', 503, 'unavailable'],
    ])
    expect(Number(second!.headers.get('retry-after'))).toBeGreaterThan(0)
  })

  it('names each code of its table in OpenAPI, under its status', async () => {
    const document: Description = (await service.call('GET', '/openapi.json', { key: null })).body
    for (const [id, route] of all) {
      const { responses } = document.paths[route.path]![route.method.toLowerCase()]!
      const reported = Object.entries(responses).flatMap(([status, { content }]) =>
        Object.keys(content?.['application/json']?.examples ?? {}).map((code) => `${status} ${code}`),
      )
      expect(reported.sort(), id).toEqual(
        refusalsOf(route)
          .map((code) => `${errorCodes[code].status} ${code}`)
          .sort(),
      )
    }
  })
})
