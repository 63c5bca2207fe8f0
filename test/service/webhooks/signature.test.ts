import fc from 'fast-check'
import { isRestanteError, signWebhook, verifyWebhook, webhookSecret } from 'restante/webhook'
import { Webhook as OfficialWebhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'

const event = (text: string) =>
  JSON.stringify({
    id: 'evt_1',
    type: 'message.received',
    seq: 1,
    inbox_id: null,
    created_at: '2026-01-31T12:00:00.000Z',
    data: { text },
  })
const secretBytes = fc.uint8Array({ minLength: 24, maxLength: 32 })
const secretOf = (byte: number) => webhookSecret(new Uint8Array(32).fill(byte))
const unverified = (promise: Promise<unknown>) =>
  expect(promise).rejects.toSatisfy((error) => isRestanteError(error) && error.code === 'webhook_unverified')

describe('signatures', () => {
  it('are those of the official package, both ways', async () => {
    await fc.assert(
      fc.asyncProperty(secretBytes, fc.string({ unit: 'grapheme' }), async (bytes, text) => {
        const secret = webhookSecret(bytes)
        const body = event(text)
        const timestampMs = Date.now()
        const headers = await signWebhook([secret], { id: 'evt_1', timestampMs, body })
        const official = new OfficialWebhook(secret)
        expect(official.verify(body, { ...headers })).toEqual(JSON.parse(body))
        expect(official.sign('evt_1', new Date(timestampMs), body)).toBe(headers['webhook-signature'])
        expect(await verifyWebhook({ secret, headers: { ...headers }, body })).toEqual(JSON.parse(body))
      }),
      { numRuns: 50 },
    )
  })

  it('fit nothing else: another body, id, time or secret', async () => {
    const nowMs = Date.parse('2026-01-31T12:00:00Z')
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.integer({ min: 1, max: 255 }), async (at, flip) => {
        const body = event('hello')
        const headers = await signWebhook([secretOf(1)], { id: 'evt_1', timestampMs: nowMs, body })
        const changed = new TextEncoder().encode(body)
        changed[at % changed.length]! ^= flip
        const check = (more: object) =>
          verifyWebhook({ secret: secretOf(1), headers: { ...headers }, body, nowMs, ...more })
        await unverified(check({ body: changed }))
        await unverified(check({ headers: { ...headers, 'webhook-id': 'evt_2' } }))
        const later = String(Number(headers['webhook-timestamp']) + 1)
        await unverified(check({ headers: { ...headers, 'webhook-timestamp': later } }))
        await unverified(check({ secret: secretOf(2) }))
      }),
      { numRuns: 50 },
    )
  })
})

describe('verifyWebhook', () => {
  const nowMs = Date.parse('2026-01-31T12:00:00Z')
  const body = event('hello')
  const sign = (...secrets: string[]) => signWebhook(secrets, { id: 'evt_1', timestampMs: nowMs, body })

  it('takes several signatures and several secrets', async () => {
    const headers = new Headers({ ...(await sign(secretOf(1), secretOf(2))) })
    for (const secret of [secretOf(1), secretOf(2), [secretOf(3), secretOf(2)]])
      expect(await verifyWebhook({ secret, headers, body, nowMs })).toMatchObject({ id: 'evt_1' })
    await unverified(verifyWebhook({ secret: [secretOf(3), secretOf(4)], headers, body, nowMs }))
  })

  it('passes over signatures of versions it does not know', async () => {
    const signed = await sign(secretOf(1))
    const signature = `v2,abc nonsense v1, v1,%%% ${signed['webhook-signature']}`
    const headers = { ...signed, 'webhook-signature': signature }
    expect(await verifyWebhook({ secret: secretOf(1), headers, body, nowMs })).toMatchObject({ seq: 1 })
  })

  it.each([-300_000, 0, 300_000])('takes a clock that is %i ms off', async (off) => {
    const headers = { ...(await sign(secretOf(1))) }
    await verifyWebhook({ secret: secretOf(1), headers, body, nowMs: nowMs + off })
  })

  it.each([-300_001, 301_000])('refuses a clock that is %i ms off', async (off) => {
    const headers = { ...(await sign(secretOf(1))) }
    await unverified(verifyWebhook({ secret: secretOf(1), headers, body, nowMs: nowMs + off }))
  })

  it.each([
    ['no headers', {}],
    ['no signature', { 'webhook-id': 'evt_1', 'webhook-timestamp': '1769860800' }],
    [
      'a time that is none',
      { 'webhook-id': 'evt_1', 'webhook-timestamp': 'NaN', 'webhook-signature': 'v1,a' },
    ],
  ])('refuses %s', async (_what, headers) => {
    await unverified(verifyWebhook({ secret: secretOf(1), headers, body, nowMs }))
  })

  it('refuses a body that is signed but no event', async () => {
    const headers = { ...(await signWebhook([secretOf(1)], { id: 'x', timestampMs: nowMs, body: '[]' })) }
    await unverified(verifyWebhook({ secret: secretOf(1), headers, body: '[]', nowMs }))
  })
})
