import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openService, type QuietService } from '../../support/service'

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
async function ask(path: string, accept: string | null, init: { method?: string; body?: object } = {}) {
  const { method = 'GET', body } = init
  const response = await service.service.fetch(
    new Request(`http://restante.test${path}`, {
      method,
      headers: {
        authorization: `Bearer ${service.home.apiKey}`,
        'idempotency-key': 'c'.repeat(43),
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
