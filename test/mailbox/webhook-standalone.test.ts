import { createWebhookReceiver, type Message } from 'restante'
import { createWorld } from 'restante/testing'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { openService } from '../support/service'

beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => {}))
afterEach(() => void vi.restoreAllMocks())

/** A service that is reached by `fetch`, and requests of its webhook. */
async function openHook() {
  const real = await openService()
  const asked: string[] = []
  onTestFinished(() => real[Symbol.asyncDispose]())
  const world = await createWorld()
  onTestFinished(() => world[Symbol.asyncDispose]())
  const { signWebhook, webhookSecret } = await import('restante/webhook')
  const secret = webhookSecret(new Uint8Array(24))
  const options = {
    url: 'http://service.test',
    apiKey: real.home.apiKey,
    secret,
    fetch: (url: string | URL | Request, init?: RequestInit) => {
      const request = new Request(url as string, init)
      asked.push(new URL(request.url).pathname)
      return real.service.fetch(request)
    },
  }
  const request = async (subject: string) => {
    await real.mail({ subject })
    const { events } = (await real.call('GET', '/events?after=0&limit=500')).body
    const event = events.filter(({ type }: { type: string }) => type === 'message.received').at(-1)
    const body = JSON.stringify(event)
    const headers = await signWebhook([secret], { id: event.id, timestampMs: Date.now(), body })
    return () => new Request('http://agent.test/hook', { method: 'POST', headers: { ...headers }, body })
  }
  return { options, request, asked }
}

test('a receiver opens its mailbox with the first verified request, and keeps it', async () => {
  const { options, request, asked } = await openHook()
  const handled: string[] = []
  const receive = createWebhookReceiver({
    ...options,
    onMessage: ({ subject }: Message) => handled.push(subject),
  })
  const forged = new Request('http://agent.test/hook', { method: 'POST', body: '{}' })
  expect((await receive(forged)).status).toBe(401)
  expect(asked).toEqual([])
  const [one, two] = [await request('one'), await request('two')]
  expect((await receive(one())).status).toBe(204)
  expect((await receive(two())).status).toBe(204)
  expect((await receive(one())).status).toBe(204)
  expect(handled).toEqual(['one', 'two'])
  expect(asked.filter((path) => path === '/v1/account')).toHaveLength(1)
})

test('each request has a mailbox of its own where nothing outlives a request', async () => {
  vi.stubGlobal('navigator', { userAgent: 'Cloudflare-Workers' })
  onTestFinished(() => void vi.unstubAllGlobals())
  const { options, request, asked } = await openHook()
  const handled: string[] = []
  const receive = createWebhookReceiver({
    ...options,
    onMessage: ({ subject }: Message) => handled.push(subject),
  })
  for (const subject of ['one', 'two']) expect((await receive((await request(subject))())).status).toBe(204)
  expect(handled).toEqual(['one', 'two'])
  expect(asked.filter((path) => path === '/v1/account')).toHaveLength(2)
})

test('a receiver is made without its variables, as a build does, and says what is missing', async () => {
  const receive = createWebhookReceiver({ url: undefined, apiKey: undefined, secret: undefined })
  const response = await receive(new Request('http://agent.test/hook', { method: 'POST', body: '{}' }))
  expect([response.status, await response.json()]).toEqual([
    500,
    { error: 'invalid_secret', message: expect.stringContaining('is WEBHOOK_SECRET set?') },
  ])
  expect(console.error).toHaveBeenCalledOnce()
})

test('a service that was away is asked again by the next request', async () => {
  const { options, request } = await openHook()
  let isAway = true
  const fetch: typeof options.fetch = (...asked) =>
    isAway
      ? Promise.resolve(Response.json({ error: 'not_found', message: 'away' }, { status: 404 }))
      : options.fetch(...asked)
  const receive = createWebhookReceiver({ ...options, fetch })
  const one = await request('one')
  expect((await receive(one())).status).toBe(500)
  isAway = false
  expect((await receive(one())).status).toBe(204)
})
