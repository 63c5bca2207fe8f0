import { inspect } from 'node:util'
import type { RestanteError, ServiceError } from 'restante'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type ClientOptions, createClient } from '../../src/client/client'

const apiKey = 'secret-key'
const result = { id: 'm', thread_id: 't', message_id: '<m>', relay_message_id: 'q', idempotent: false }

interface Asked {
  url: string
  init: RequestInit
}
type Answer = (asked: Asked) => Response | Promise<Response>

const clientOf = (answers: Answer | Answer[], options: Partial<ClientOptions> = {}) => {
  const asked: Asked[] = []
  const fetch = async (url: string, init: RequestInit) => {
    const answer = Array.isArray(answers) ? (answers[asked.length] ?? answers.at(-1)) : answers
    asked.push({ url, init })
    if (!answer) throw new Error('no answer')
    return answer({ url, init })
  }
  return { client: createClient({ url: 'https://mail.example', apiKey, fetch, ...options }), asked }
}
const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.unreachable(),
    (error: unknown) => error as ServiceError,
  )
const page = () => Response.json({ messages: [], next_cursor: null, mode_used: 'keyword' })
const refusal =
  (status: number, error: string, headers: Record<string, string> = {}) =>
  () =>
    Response.json({ error, message: 'do this' }, { status, headers })
const networkFails = () => {
  throw Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNRESET' } })
}
const hang: Answer = ({ init }) =>
  new Promise((_resolve, reject) => {
    init.signal?.addEventListener('abort', () => reject(init.signal?.reason))
  })

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('a call sorts its fields into path, query and body, and sends the key', async () => {
  const { client, asked } = clientOf(() => Response.json(result))
  await client.messages.reply({ id: 'msg/../1', text: 'Hi', client_id: 'c' })
  expect(asked[0]?.url).toBe('https://mail.example/v1/messages/msg%2F..%2F1/reply')
  expect(asked[0]?.init).toMatchObject({
    method: 'POST',
    body: JSON.stringify({ text: 'Hi', client_id: 'c' }),
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
  })
  const lists = clientOf(page)
  await lists.client.messages.list({ thread_id: 'a&b', limit: 2, cursor: undefined })
  await lists.client.messages.list()
  expect(lists.asked.map(({ url }) => url.split('/v1')[1])).toEqual([
    '/messages?thread_id=a%26b&limit=2',
    '/messages',
  ])
})

test('headers of a route go into headers', async () => {
  const { client, asked } = clientOf(refusal(422, 'inbox_unavailable'))
  const key = 'k'.repeat(32)
  await failure(client.signups.create({ 'idempotency-key': key, name: 'Bot' }))
  expect(asked[0]?.init).toMatchObject({ headers: { 'idempotency-key': key }, body: '{"name":"Bot"}' })
})

test.each(['', '.', '..', undefined])(
  'an id that is none (%s) is refused before anything is sent',
  async (id) => {
    const { client, asked } = clientOf(page)
    expect(await failure(client.messages.get({ id: id as string }))).toMatchObject({
      code: 'invalid_request',
    })
    expect(asked).toHaveLength(0)
  },
)

test('unknown fields of an answer are kept, and raw answers are bytes', async () => {
  const { client } = clientOf(() => Response.json({ ...result, novelty: 1 }))
  expect(await client.messages.send({ to: ['a@b.example'] })).toEqual({ ...result, novelty: 1 })
  const raw = clientOf(() => new Response(new Uint8Array([0, 255, 13])))
  expect(await raw.client.messages.raw({ id: 'm' })).toEqual(new Uint8Array([0, 255, 13]))
})

test('a refusal has code, message, status, details and retryAfterMs', async () => {
  const { client } = clientOf(() =>
    Response.json(
      { error: 'rate_limited', message: 'slow down', details: { limit: 1 } },
      { status: 429, headers: { 'retry-after': '7' } },
    ),
  )
  const error = await failure(client.messages.send({ to: ['a@b.example'] }))
  expect(error).toMatchObject({
    name: 'ServiceError',
    code: 'rate_limited',
    message: 'slow down',
    status: 429,
    details: { limit: 1 },
    retryAfterMs: 7_000,
  })
})

test.each<[string, Answer]>([
  [
    'a page of a proxy',
    () => new Response('<h1>Bad</h1>', { status: 400, headers: { 'content-type': 'text/html' } }),
  ],
  ['a page with status 200', () => new Response('<h1>Log in</h1>')],
  ['JSON of another shape', () => Response.json({ messages: 'none' })],
  ['an error body of another shape', () => Response.json({ fault: 1 }, { status: 400 })],
  [
    'a redirect',
    () => new Response(null, { status: 302, headers: { location: 'https://elsewhere.example' } }),
  ],
  ['an empty body', () => new Response('')],
])('hostile: an answer that is %s is an unexpected_answer that names the remedy', async (_what, answer) => {
  const error = await failure(clientOf(answer).client.messages.list())
  expect(error).toMatchObject({ name: 'ServiceError', code: 'unexpected_answer' })
  expect(error.message).toMatch(
    /GET https:\/\/mail.example\/v1\/messages (?:answered \d+ .*check that url|redirects to .*: use .* in url)/,
  )
})

test('reads are repeated until the service is back', async () => {
  const { client, asked } = clientOf([
    networkFails,
    refusal(503, 'unavailable'),
    () => new Response('<p>', { status: 502 }),
    page,
  ])
  const reading = client.messages.list()
  await vi.advanceTimersByTimeAsync(10_000)
  expect(await reading).toEqual({ messages: [], next_cursor: null, mode_used: 'keyword' })
  expect(asked).toHaveLength(4)
})

test('a read gives up after a minute with the last failure, a send with client_id after five', async () => {
  const started = Date.now()
  const reading = clientOf(networkFails)
  const sending = clientOf(networkFails)
  const failures = [
    failure(reading.client.messages.list()).then((error) => [error.code, Date.now() - started]),
    failure(sending.client.messages.send({ client_id: 'c' })).then((error) => [
      error.code,
      Date.now() - started,
    ]),
  ]
  await vi.advanceTimersByTimeAsync(400_000)
  expect(await Promise.all(failures)).toEqual([
    ['network_failed', 60_000],
    ['network_failed', 300_000],
  ])
  const bodies = new Set(sending.asked.map(({ init }) => init.body))
  expect(sending.asked.length).toBeGreaterThan(20)
  expect(bodies).toEqual(new Set(['{"client_id":"c"}']))
})

test('a send without client_id is never repeated, nor what waiting does not help', async () => {
  const send = clientOf(networkFails)
  expect(await failure(send.client.messages.send({}))).toMatchObject({ code: 'network_failed' })
  const cases = [
    refusal(429, 'rate_limited'),
    refusal(500, 'internal_error'),
    refusal(503, 'signup_unavailable'),
  ]
  for (const answer of cases) {
    const { client, asked } = clientOf(answer)
    await failure(client.messages.list())
    expect(asked).toHaveLength(1)
  }
  const once = clientOf(networkFails, { retry: false })
  await failure(once.client.messages.list())
  expect(once.asked).toHaveLength(1)
})

test('a retry keeps to Retry-After, and one beyond the time left fails at once', async () => {
  const { client, asked } = clientOf([refusal(429, 'rate_limited', { 'retry-after': '20' }), page])
  const reading = client.messages.list()
  await vi.advanceTimersByTimeAsync(19_999)
  expect(asked).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(1_000)
  await reading
  expect(asked).toHaveLength(2)
  for (const value of ['99999999999999999999', '61', 'Sun, 06 Nov 2094 08:49:37 GMT']) {
    const hopeless = clientOf(refusal(429, 'rate_limited', { 'retry-after': value }))
    expect(await failure(hopeless.client.messages.list())).toMatchObject({ code: 'rate_limited' })
    expect(hopeless.asked).toHaveLength(1)
  }
})

test('an attempt that takes too long is a NetworkError timeout', async () => {
  const { client } = clientOf(hang, { retry: false })
  const reading = failure(client.messages.list({}, { timeoutMs: 500 }))
  const deaf = failure(
    clientOf(() => new Promise(() => {}), { retry: false, timeoutMs: 500 }).client.account.get(),
  )
  await vi.advanceTimersByTimeAsync(500)
  expect(await reading).toMatchObject({ name: 'NetworkError', code: 'timeout' })
  expect(await deaf).toMatchObject({ name: 'NetworkError', code: 'timeout' })
  expect(vi.getTimerCount()).toBe(0)
})

test('an abort ends a call at once, in the request and in the wait, with its reason', async () => {
  for (const answer of [hang, networkFails, refusal(429, 'rate_limited', { 'retry-after': '9' })]) {
    const controller = new AbortController()
    const calling = failure(clientOf(answer).client.messages.list({}, { signal: controller.signal }))
    await vi.advanceTimersByTimeAsync(10)
    controller.abort('stop')
    expect(await calling).toBe('stop')
    expect(vi.getTimerCount()).toBe(0)
  }
  const controller = new AbortController()
  controller.abort('before')
  const { client, asked } = clientOf(page)
  expect(await failure(client.messages.list({}, { signal: controller.signal }))).toBe('before')
  expect(asked).toHaveLength(0)
})

test('many calls with one signal leave no listeners and no warning', async () => {
  const warnings: Error[] = []
  const listen = (warning: Error) => void warnings.push(warning)
  process.on('warning', listen)
  const controller = new AbortController()
  const { client } = clientOf(page, { signal: controller.signal })
  const calls = Array.from({ length: 50 }, () => client.messages.list({}, { signal: controller.signal }))
  await Promise.all(calls)
  vi.useRealTimers()
  await new Promise((resolve) => setImmediate(resolve))
  process.off('warning', listen)
  expect(warnings).toEqual([])
})

test('the key shows in no error', async () => {
  const answers = [networkFails, refusal(401, 'unauthorized'), () => new Response('<p>', { status: 404 })]
  for (const answer of answers) {
    const error: RestanteError = await failure(clientOf(answer, { retry: false }).client.messages.list())
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain(apiKey)
  }
  expect(() => createClient({ url: 'https://mail.example', apiKey: `${apiKey}\n` })).toThrow(/line break/)
  expect(() => createClient({ url: 'https://me:pass@mail.example' })).toThrow(
    expect.not.stringContaining('pass@'),
  )
})
