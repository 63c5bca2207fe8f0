import { Mailbox } from 'restante'
import { createWorld } from 'restante/testing'
import { signWebhook, verifyWebhook } from 'restante/webhook'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createClient } from '../../../src/client/client'
import { monotonicNow, systemClock } from '../../../src/protocol/time/clock'
import { openService } from '../../support/service'

const page = (status: number, headers: Record<string, string> = {}) =>
  new Response('<html>Blocked</html>', { status, headers: { 'content-type': 'text/html', ...headers } })

/** Waits between attempts are short; limits on time stay. */
const hurried = {
  ...systemClock,
  after: (delayMs: number, callback: () => void) =>
    systemClock.after(delayMs < 5_000 ? Math.min(5, delayMs) : delayMs, callback),
}

/** A mailbox behind a proxy that answers by itself as often as it is told. */
async function behindProxy(options: { source?: 'poll' } = {}) {
  const real = await openService()
  const proxy = { answers: 0, make: () => page(403) }
  const service = {
    home: () => real.service.home(),
    socket: (socket: { apiKey: string }) => real.service.socket(socket),
    async fetch(request: Request): Promise<Response> {
      if (proxy.answers <= 0) return real.service.fetch(request)
      proxy.answers -= 1
      return proxy.make()
    },
  }
  const mailbox = await Mailbox.open({ service, clock: hurried, source: options.source ?? 'poll' })
  onTestFinished(async () => {
    await mailbox.close()
    await real[Symbol.asyncDispose]()
  })
  return { real, mailbox, proxy }
}

describe('pages of a proxy', () => {
  test.each([401, 403, 429, 502, 520, 530])(
    'with %i end neither the mailbox nor its loops',
    async (status) => {
      const { real, mailbox, proxy } = await behindProxy()
      const handled: string[] = []
      const run = mailbox.run((message) => handled.push(message.subject), { consumer: 'bot' })
      const loop = mailbox.incoming()
      proxy.make = () => page(status)
      proxy.answers = 6
      await real.mail({ subject: `After ${status}` })
      await expect.poll(() => handled).toEqual([`After ${status}`])
      expect((await loop.next()).value?.subject).toBe(`After ${status}`)
      await expect.poll(() => mailbox.state.status).toBe('live')
      await run.stop()
    },
  )

  test('do not hide that the service itself refuses the key', async () => {
    const { mailbox, proxy } = await behindProxy()
    const errors: string[] = []
    mailbox.on('error', ({ code }) => errors.push(code))
    const run = mailbox.run(() => {}, { consumer: 'bot' })
    proxy.make = () =>
      Response.json({ error: 'unauthorized', message: 'The key was revoked.' }, { status: 401 })
    proxy.answers = Number.POSITIVE_INFINITY
    await expect(run.done).rejects.toMatchObject({ code: 'unauthorized' })
    await expect.poll(() => mailbox.state.status).toBe('closed')
    expect(errors).toContain('unauthorized')
  })

  test('that redirect are not followed: the key goes nowhere else', async () => {
    const asked: string[] = []
    const client = createClient({
      url: 'http://mail.example',
      apiKey: 'key',
      fetch: async (url) => {
        asked.push(String(url))
        return page(308, { location: 'https://mail.example/v1/account' })
      },
    })
    await expect(client.account.get({})).rejects.toMatchObject({
      code: 'unexpected_answer',
      message: expect.stringContaining('use https://mail.example in url'),
    })
    expect(asked).toHaveLength(1)
  })
})

test('elapsed time goes by a clock that nobody sets', () => {
  const set = { ...systemClock, now: () => 0 }
  const first = monotonicNow(set)
  expect(monotonicNow(set)).toBeGreaterThanOrEqual(first)
  expect(monotonicNow({ ...set, monotonic: undefined } as never)).toBe(0)
})

describe('a webhook', () => {
  const secret = 'whsec_MDEyMzQ1Njc4OWFiY2RlZg=='
  const event = {
    id: 'evt_1',
    type: 'message.read',
    seq: 1,
    inbox_id: null,
    created_at: '2026-01-01T00:00:00.000Z',
    data: {},
  }
  const body = JSON.stringify(event)
  const signed = () => signWebhook([secret], { id: 'evt_1', timestampMs: Date.now(), body })

  test.each<[string, (headers: Record<string, string>) => unknown]>([
    ['another class with get()', (headers) => ({ get: (name: string) => headers[name] })],
    ['a Map', (headers) => new Map(Object.entries(headers))],
    [
      'arrays of one',
      (headers) => Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])),
    ],
  ])('is verified with headers of %s', async (_, make) => {
    const headers = make({ ...(await signed()) }) as never
    expect(await verifyWebhook({ secret, headers, body })).toMatchObject({ id: 'evt_1' })
  })

  test('is verified with an ArrayBuffer, and refuses a parsed body and a missing secret in words', async () => {
    const headers = { ...(await signed()) }
    const buffer = new TextEncoder().encode(body).buffer as ArrayBuffer
    expect(await verifyWebhook({ secret, headers, body: buffer })).toMatchObject({ id: 'evt_1' })
    for (const parsed of [event, undefined, null])
      await expect(verifyWebhook({ secret, headers, body: parsed as never })).rejects.toMatchObject({
        code: 'body_consumed',
      })
    for (const none of [undefined, '', [undefined]])
      await expect(verifyWebhook({ secret: none as never, headers, body })).rejects.toMatchObject({
        code: 'invalid_secret',
      })
  })

  test('is read from rawBody where a platform has parsed the body', async () => {
    const world = await createWorld()
    onTestFinished(() => world[Symbol.asyncDispose]())
    const mailbox = await world.open({ source: 'webhook' })
    const receive = mailbox.webhook({ secret })
    const response = { statusCode: 0, setHeader: () => {}, end: () => {} }
    const request = {
      method: 'POST',
      headers: { ...(await signed()) },
      body: event,
      rawBody: Buffer.from('other'),
      readableEnded: true,
    }
    await receive.node(request as never, response)
    expect(response.statusCode).toBe(401)
  })
})
