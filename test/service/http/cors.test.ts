import type { ServiceOptions } from 'restante/service'
import { expect, it } from 'vitest'
import { openService } from '../../support/service'

const page = 'https://app.example.com'
const preflight = (origin: string, path = '/v1/messages/msg_1/reply') =>
  new Request(`http://restante.test${path}`, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type,idempotency-key',
    },
  })

const words = (answer: Response, field: string) =>
  (answer.headers.get(field) ?? '').toLowerCase().split(/,\s*/).filter(Boolean)

async function withCors(cors: ServiceOptions['cors']) {
  const opened = await openService(cors === undefined ? {} : { cors })
  const { service, home } = opened
  const read = (origin: string, path = '/v1/account', key = home.apiKey) =>
    service.fetch(
      new Request(`http://restante.test${path}`, { headers: { origin, authorization: `Bearer ${key}` } }),
    )
  return Object.assign(opened, { read })
}

it('pages of other origins are not let in where nothing is set', async () => {
  await using service = await withCors(undefined)
  expect((await service.read(page)).headers.get('access-control-allow-origin')).toBeNull()
  const answer = await service.service.fetch(preflight(page))
  expect(answer.headers.get('access-control-allow-origin')).toBeNull()
  expect(answer.status).toBe(405)
})

it.each([
  ['a list', 'https://other.example, https://APP.example.com/'],
  ['an array', [page, 'http://localhost:3000']],
])('pages of origins in %s are let in, and no others', async (_what, cors) => {
  await using service = await withCors(cors)
  const answer = await service.service.fetch(preflight(page))
  expect(answer.status).toBe(204)
  expect(answer.headers.get('access-control-allow-origin')).toBe(page)
  expect(words(answer, 'access-control-allow-methods')).toEqual(['get', 'post', 'patch', 'delete'])
  expect(words(answer, 'access-control-allow-headers')).toEqual(
    expect.arrayContaining(['authorization', 'content-type', 'idempotency-key']),
  )
  expect((await service.read(page)).headers.get('access-control-allow-origin')).toBe(page)
  for (const answer of [
    await service.read('https://evil.example'),
    await service.service.fetch(preflight('https://evil.example')),
  ])
    expect(answer.headers.get('access-control-allow-origin')).toBeNull()
})

it('pages of every origin are let in by *, and may read what the client reads, of refusals too', async () => {
  await using service = await withCors('*')
  const seen = [
    await service.read(page),
    await service.read(page, '/v1/account', 'rst_wrong'),
    await service.read(page, '/v1/messages/msg_none'),
    await service.read(page, '/v1/nothing'),
    await service.read(page, '/v1/openapi.json'),
  ]
  expect(seen.map(({ status }) => status)).toEqual([200, 401, 404, 404, 200])
  for (const answer of seen) {
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull()
    expect(words(answer, 'access-control-expose-headers')).toEqual(
      expect.arrayContaining(['retry-after', 'ratelimit', 'content-disposition', 'content-range']),
    )
  }
})

it('pages of other origins are never let into the console', async () => {
  await using service = await withCors('*')
  for (const path of ['/v1/console/claim', '/console/auth/sign-in'])
    expect(
      (await service.service.fetch(preflight(page, path))).headers.get('access-control-allow-origin'),
    ).toBeNull()
})

it.each([
  'app.example.com',
  'https://app.example.com/page',
  '*, https://app.example.com',
  'https://*.example.com',
])('origins are refused in words where they are written as %s', async (cors) => {
  await expect(openService({ cors })).rejects.toThrow(
    /cors \(--cors, RESTANTE_CORS\) must be origins, such as https:\/\/app\.example\.com/,
  )
})
