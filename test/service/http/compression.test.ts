import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signedUp } from '../../support/accounts'
import { Browser } from '../../support/console'
import { openService, type QuietService } from '../../support/service'
import { claimedTenant } from '../../support/tenant'

let service: QuietService
let attachmentId: string
let messageId: string
beforeAll(async () => {
  service = await openService()
  const attachments = [{ filename: 'a.txt', content: 'x'.repeat(5_000) }]
  await service.mail({ subject: 'Ärger', text: 'y'.repeat(2_000), attachments })
  const [message] = (await service.call('GET', '/messages')).body.messages
  messageId = message.id
  attachmentId = message.attachments[0].id
})
afterAll(() => service[Symbol.asyncDispose]())

const decoders = { br: brotliDecompressSync, gzip: gunzipSync }

/** Asks for a path, and reads the answer as its coding says. */
async function ask(
  path: string,
  accept: string | null,
  init: { method?: string; body?: object; headers?: Record<string, string> } = {},
) {
  const { method = 'GET', body, headers } = init
  const response = await service.service.fetch(
    new Request(`http://restante.test${path}`, {
      method,
      headers: {
        authorization: `Bearer ${service.home.apiKey}`,
        'idempotency-key': 'c'.repeat(43),
        ...headers,
        ...(accept !== null && { 'accept-encoding': accept }),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    }),
  )
  const coding = response.headers.get('content-encoding') as keyof typeof decoders | null
  const bytes = Buffer.from(await response.arrayBuffer())
  const text = (coding === null ? bytes : decoders[coding](bytes)).toString()
  return {
    status: response.status,
    coding,
    vary: response.headers.get('vary'),
    bytes: bytes.length,
    text,
    response,
  }
}

describe('an answer of 1 KB or more', () => {
  it.each([
    ['gzip', 'gzip'],
    ['br', 'br'],
    ['gzip, deflate, br', 'br'],
    ['GZIP;q=1.0, br;q=0.5', 'gzip'],
    ['*', 'br'],
    ['br;q=0, *;q=0.1', 'gzip'],
    ['deflate', null],
    ['identity', null],
    ['br;q=0, gzip;q=0', null],
    ['gzip;q=x', null],
    ['', null],
    [null, null],
  ])('for a reader of %j has the coding %j', async (accept, coding) => {
    const plain = await ask(`/v1/messages/${messageId}`, null)
    const answer = await ask(`/v1/messages/${messageId}`, accept)
    expect([answer.status, answer.coding, answer.vary]).toEqual([200, coding, 'Accept-Encoding'])
    expect(answer.text).toBe(plain.text)
    expect(JSON.parse(answer.text).subject).toBe('Ärger')
    if (coding !== null) expect(answer.bytes).toBeLessThan(plain.bytes / 2)
  })
})

describe('what is not compressed', () => {
  it.each([
    ['a small answer', '/v1/inboxes?limit=1', {}],
    ['a raw message', () => `/v1/messages/${messageId}/raw`, {}],
    ['a download', () => `/v1/attachments/${attachmentId}/content`, {}],
    ['a signup', '/v1/agent-signups', { method: 'POST', body: { name: 'n'.repeat(100) } }],
    [
      'a secret of a webhook',
      '/v1/webhooks',
      {
        method: 'POST',
        body: { url: `https://hook.example/${'x'.repeat(1_500)}`, events: ['message.bounced'] },
      },
    ],
  ])('%s', async (_, path, init) => {
    const { status, coding, vary } = await ask(typeof path === 'string' ? path : path(), 'gzip, br', init)
    expect([status < 300, coding, vary]).toEqual([true, null, null])
  })
})

it('a range of a download is not compressed', async () => {
  const headers = { range: 'bytes=1000-3999' }
  const answer = await ask(`/v1/attachments/${attachmentId}/content`, 'gzip, br', { headers })
  expect([answer.status, answer.coding, answer.vary, answer.bytes]).toEqual([206, null, null, 3_000])
})

describe('an answer with a secret is not compressed, however long it is', () => {
  const accepting = { 'accept-encoding': 'gzip, br' }
  // Links to the console are below this address.
  const publicUrl = `https://mail.example/${'a'.repeat(1_100)}`
  let secretive: QuietService
  beforeAll(async () => {
    secretive = await openService({ publicUrl })
  })
  afterAll(() => secretive[Symbol.asyncDispose]())

  const expectPlain = ({ headers, body }: { headers: Headers; body: object }, minBytes = 1_024) => {
    expect([headers.get('content-encoding'), headers.get('vary')]).toEqual([null, null])
    expect(JSON.stringify(body).length).toBeGreaterThanOrEqual(minBytes)
  }

  it('of a signup', async () => {
    const headers = { 'idempotency-key': 's'.repeat(43), ...accepting }
    const answer = await secretive.call('POST', '/agent-signups', { key: null, headers, body: {} })
    expect(answer).toMatchObject({ status: 201, body: { claim_url: expect.stringContaining(publicUrl) } })
    expectPlain(answer)
  })

  it('of a claim link', async () => {
    const { call } = await signedUp(secretive)
    const answer = await call('POST', '/account/claim-link', { headers: accepting })
    expect(answer).toMatchObject({ status: 201, body: { claim_url: expect.stringContaining(publicUrl) } })
    expectPlain(answer)
  })

  it('of keys', async () => {
    const { browser, key } = await claimedTenant(secretive, 'k')
    const { tenant_id } = (await secretive.call('GET', '/account', { key })).body
    const path = `/v1/console/accounts/${tenant_id}/keys`
    const headers = { origin: 'http://restante.test', ...accepting }
    for (let i = 0; i < 8; i++) {
      const body = { name: `key ${i}`, scopes: ['read'] }
      expectPlain(await browser.ask('POST', path, body, headers), 0)
    }
    expectPlain(await browser.ask('GET', path, undefined, headers))
  })

  it('of a sign-in, which is never long', async () => {
    const headers = { origin: 'http://restante.test', ...accepting }
    const login = { email: 'ana@example.com', password: 'correct horse battery' }
    const up = await new Browser(secretive.service).ask('POST', '/console/auth/sign-up', login, headers)
    const again = await new Browser(secretive.service).ask('POST', '/console/auth/sign-in', login, headers)
    expect([up.status, again.status]).toEqual([200, 200])
    for (const answer of [up, again]) expectPlain(answer, 0)
  })
})

describe('a public document', () => {
  it.each(['/v1/openapi.json', '/v1/asyncapi.json', '/llms.txt'])(
    '%s has a validator for each coding',
    async (path) => {
      const answers = await Promise.all([null, 'gzip', 'br'].map((accept) => ask(path, accept)))
      expect(answers.map(({ coding }) => coding)).toEqual([null, 'gzip', 'br'])
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
      expect(new Set(answers.map(({ response }) => response.headers.get('etag'))).size).toBe(3)
      for (const { vary } of answers) expect(vary).toBe('Accept-Encoding')
    },
  )
})

it('reaches a client of the network as what it is', async () => {
  const listening = await openService()
  try {
    const { url } = await listening.listen()
    const response = await fetch(`${url}/openapi.json`)
    expect(response.headers.get('content-encoding')).toMatch(/^(gzip|br)$/)
    expect((await response.json()).openapi).toMatch(/^3\.1/)
  } finally {
    await listening[Symbol.asyncDispose]()
  }
})
