import { routes } from 'restante/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answersJson, type Route } from '../../../src/protocol/routes/route'
import { agentRoutes } from '../../../src/protocol/routes/routes'
import { startService, type TestService } from '../../support/service'

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

const call: TestService['call'] = (...args) => service.call(...args)
const send = (body: unknown, headers = {}) => call('POST', '/messages', { body, headers })

describe('bad requests', () => {
  it.each([
    ['malformed JSON', () => send('{"to": ['), 400, 'invalid_json', /not JSON/],
    [
      'JSON that is not UTF-8',
      () => send(new Uint8Array([123, 34, 255, 34, 58, 49, 125])),
      400,
      'invalid_json',
      /UTF-8/,
    ],
    ['JSON that is no object', () => send('[]'), 400, 'invalid_request', /body/],
    ['a wrong type', () => send({ to: 'ana@example.com' }), 400, 'invalid_request', /\bto\b.*array/],
    [
      'an unknown field, which would be a lost recipient',
      () => send({ to: ['a@example.com'], bcc_to: ['b@example.com'] }),
      400,
      'invalid_request',
      /bcc_to: unknown field; there are: .*bcc/,
    ],
    [
      'an address that is none',
      () => send({ to: ['ana'], text: 'x' }),
      400,
      'invalid_request',
      /"ana".*not an email address/,
    ],
    ['nobody to send to', () => send({ text: 'x' }), 422, 'no_recipients', /at least one/],
    [
      'another content type',
      () => send('a=b', { 'content-type': 'text/plain' }),
      415,
      'unsupported_media_type',
      /application\/json/,
    ],
    [
      'an unknown query field',
      () => call('GET', '/messages?unread=true'),
      400,
      'invalid_request',
      /unread: unknown field/,
    ],
    [
      'a query field given twice',
      () => call('GET', '/messages?limit=1&limit=2'),
      400,
      'invalid_request',
      /limit twice/,
    ],
    ['a limit out of bounds', () => call('GET', '/messages?limit=101'), 400, 'invalid_request', /limit/],
    [
      'a cursor of another list',
      () => call('GET', '/messages?cursor=dGhyZWFkczox'),
      400,
      'invalid_cursor',
      /start again/,
    ],
    [
      'an id that is nearly right',
      () => call('GET', '/messages/msg_01'),
      404,
      'not_found',
      /message "msg_01"/,
    ],
    ['a path that is not there', () => call('GET', '/mesages'), 404, 'not_found', /openapi\.json/],
    [
      'a method that the path does not take',
      () => call('DELETE', '/messages'),
      405,
      'method_not_allowed',
      /GET, POST/,
    ],
    ['no key', () => call('GET', '/account', { key: null }), 401, 'unauthorized', /Bearer/],
    ['a wrong key', () => call('GET', '/account', { key: 'rst_wrong' }), 401, 'unauthorized', /Bearer/],
    [
      'a key in the wrong scheme',
      () => call('GET', '/account', { key: null, headers: { authorization: 'Basic YTpi' } }),
      401,
      'unauthorized',
      /Bearer/,
    ],
    [
      'a body that is too large',
      () =>
        call('POST', '/agent-signups', { key: null, body: JSON.stringify({ name: 'x'.repeat(2_000_000) }) }),
      413,
      'payload_too_large',
      /1048576 bytes/,
    ],
  ])('%s', async (_what, ask, status, error, message) => {
    const answer = await ask()
    expect(answer.body).toMatchObject({ error, message: expect.stringMatching(message) })
    expect(answer.status).toBe(status)
  })

  it('says nothing of the inside when something breaks, and logs it', async () => {
    const logged: object[] = []
    const logger = { debug() {}, info() {}, warn() {}, error: (facts: object) => void logged.push(facts) }
    const broken = await startService({}, { logger })
    await broken.service.close()
    const answer = await broken.call('GET', '/account')
    expect(answer).toMatchObject({ status: 500, body: { error: 'internal_error' } })
    expect(answer.body.message).not.toMatch(/sql|driver|database/i)
    expect(logged).toHaveLength(1)
  })
})

describe('the description', () => {
  it('is OpenAPI 3.1 of every route, public', async () => {
    const { body, status } = await call('GET', '/openapi.json', { key: null })
    expect(status).toBe(200)
    expect(body.openapi).toMatch(/^3\.1/)
    const described = Object.entries(body.paths).flatMap(([path, operations]) =>
      Object.keys(operations as object).map((method) => `${method.toUpperCase()} ${path}`),
    )
    const table = Object.values(routes).flatMap((group) =>
      Object.values(group).map(({ method, path }) => `${method} ${path}`),
    )
    expect(described.sort()).toEqual(table.sort())
  })

  it('says of every operation what refusals it has', async () => {
    const { body } = await call('GET', '/openapi.json')
    expect(Object.keys(body.paths['/messages/{id}/reply'].post.responses)).toEqual(
      expect.arrayContaining(['200', '400', '401', '403', '404', '409', '413', '422', '429', '500']),
    )
    expect(body.paths['/agent-signups'].post.security).toEqual([])
  })
})

describe('answers', () => {
  it('have the shape that the protocol says, on every route that reads', async () => {
    const content = 'From: ann@example.com\r\nSubject: Notes\r\n\r\nsome notes\r\n'
    const attachments = [{ filename: 'notes.eml', contentType: 'message/rfc822', content }]
    await service.mail({ subject: 'A file', html: '<p>Look</p>', attachments })
    const [message] = (await call('GET', '/messages')).body.messages
    const webhook = { url: 'https://hook.example/', events: ['message.bounced'] }
    const ids: Record<string, string> = {
      webhooks: (await call('POST', '/webhooks', { body: webhook })).body.id,
      inboxes: service.home.inboxId,
      threads: message.thread_id,
      messages: message.id,
      attachments: message.attachments[0].id,
    }
    let checked = 0
    for (const [group, operations] of Object.entries(agentRoutes)) {
      for (const route of Object.values(operations) as Route[]) {
        if (route.method !== 'GET' || !answersJson(route.answer)) continue
        if (route.path.includes('{') && !ids[group]) continue
        const { status, body } = await call('GET', route.path.replace('{id}', ids[group] ?? ''))
        expect([status, route.answer.safeParse(body).error]).toEqual([200, undefined])
        checked++
      }
    }
    expect(checked).toBeGreaterThan(8)
  })

  it('give the original byte for byte, and attachments as they were', async () => {
    await service.mail({
      raw: 'From: a@example.com\r\nSubject: raw\r\n\r\nbyte  for byte\t\r\n',
      envelope: { from: 'a@example.com', to: service.home.address },
    })
    const [message] = (await call('GET', '/messages')).body.messages
    const raw = await call('GET', `/messages/${message.id}/raw`)
    expect(raw.headers.get('content-type')).toBe('message/rfc822')
    expect(raw.body).toBe('From: a@example.com\r\nSubject: raw\r\n\r\nbyte  for byte\t\r\n')
  })

  it('page through everything once while mail keeps coming', async () => {
    for (let i = 0; i < 5; i++) await service.mail({ subject: `page ${i}` })
    const before = (await call('GET', '/messages?limit=100')).body.messages.map(
      (one: { id: string }) => one.id,
    )
    const seen: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { body } = await call('GET', `/messages?limit=2${cursor && `&cursor=${cursor}`}`)
      seen.push(...body.messages.map((one: { id: string }) => one.id))
      cursor = body.next_cursor
      await service.mail({ subject: 'newer' })
    }
    expect(seen).toEqual(before)
  })
})

describe('health', () => {
  it('answers when the service is ready', async () => {
    const response = await fetch(service.url.replace('/v1', '/healthz'))
    expect([response.status, await response.json()]).toEqual([200, { status: 'ok' }])
  })
})
