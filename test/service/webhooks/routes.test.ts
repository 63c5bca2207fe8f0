import { randomBytes } from 'node:crypto'
import { routes } from 'restante/protocol'
import { createService, type Logger } from 'restante/service'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answersJson } from '../../../src/protocol/routes/route'
import { caller } from '../../support/service'
import { status } from './support/endpoint'
import { type Hooked, startHooked } from './support/hooked'

const lines: string[] = []
const log = (facts: object, message: string) => void lines.push(JSON.stringify(facts) + message)
const logger: Logger = { debug: log, info: log, warn: log, error: log }

let service: Hooked
let stranger: string
beforeAll(async () => {
  service = await startHooked({}, { logger })
  const headers = { 'idempotency-key': randomBytes(32).toString('base64url') }
  stranger = (await service.call('POST', '/agent-signups', { key: null, headers, body: {} })).body.api_key
})
afterAll(() => service[Symbol.asyncDispose]())

const create = (body: object, key?: string) =>
  service.call('POST', '/webhooks', { body, ...(key && { key }) })

describe('creating', () => {
  it('shows the secret once, and nowhere else', async () => {
    const endpoint = await service.endpoint(status(500))
    const { status: code, body } = await create({ url: endpoint.url, events: ['message.received', '*', '*'] })
    expect(code).toBe(201)
    expect(routes.webhooks.create.answer.safeParse(body).error).toBeUndefined()
    expect(body).toMatchObject({ enabled: true, events: ['message.received', '*'], inbox_ids: null })
    expect(Buffer.from(body.secret.slice('whsec_'.length), 'base64')).toHaveLength(32)
    const rotated = (await service.call('POST', `/webhooks/${body.id}/rotate`)).body
    await service.call('POST', `/webhooks/${body.id}/test`)
    await service.attempted(body.id, 1)
    const reported = JSON.stringify([
      await service.read(body.id),
      (await service.call('GET', '/webhooks')).body,
      await service.deliveries(body.id),
      (await service.call('PATCH', `/webhooks/${body.id}`, { body: { enabled: false } })).body,
    ])
    for (const { secret } of [body, rotated]) {
      expect(reported + lines.join()).not.toContain(secret.slice('whsec_'.length))
      expect(reported).not.toMatch(/secret/)
    }
    await service.call('DELETE', `/webhooks/${body.id}`)
  })

  it.each([
    ['no events', { url: 'https://a.example', events: [] }, /events/],
    ['an unknown type', { url: 'https://a.example', events: ['message.recieved'] }, /message\.received/],
    [
      'an unknown field',
      { url: 'https://a.example', events: ['*'], secret: 'mine' },
      /secret: unknown field/,
    ],
    ['a URL that is none', { url: 'a.example', events: ['*'] }, /not a URL/],
    ['no inbox', { url: 'https://a.example', events: ['*'], inbox_ids: [] }, /inbox_ids/],
  ])('refuses %s', async (_what, body, message) => {
    expect(await create(body)).toMatchObject({
      status: 400,
      body: { error: 'invalid_request', message: expect.stringMatching(message) },
    })
  })

  it('refuses an inbox that is not there', async () => {
    const answer = await create({ url: 'https://a.example', events: ['*'], inbox_ids: ['inb_1'] })
    expect(answer).toMatchObject({ status: 404, body: { error: 'not_found' } })
  })

  it('needs an account that was claimed', async () => {
    const answer = await create({ url: 'https://a.example', events: ['*'] }, stranger)
    expect(answer).toMatchObject({ status: 403, body: { error: 'claim_required' } })
    expect((await service.call('GET', '/webhooks', { key: stranger })).body.webhooks).toEqual([])
  })

  it('a webhook is refused after 50', async () => {
    await using other = await createService({ log: 'silent' })
    const call = caller(other, (await other.home()).apiKey)
    const body = { url: 'https://a.example', events: ['message.bounced'] }
    const answers = await Promise.all(Array.from({ length: 52 }, () => call('POST', '/webhooks', { body })))
    expect(answers.filter((answer) => answer.status === 201)).toHaveLength(50)
    expect(answers.at(-1)).toMatchObject({ status: 422, body: { error: 'webhook_limit_reached' } })
    const page = (await call('GET', '/webhooks?limit=30')).body
    await call('DELETE', `/webhooks/${page.webhooks[0].id}`)
    const rest = (await call('GET', `/webhooks?limit=30&cursor=${page.next_cursor}`)).body
    expect(new Set([...page.webhooks, ...rest.webhooks].map(({ id }) => id)).size).toBe(50)
  })
})

describe('isolation', () => {
  it('answers another account as if there were nothing', async () => {
    const endpoint = await service.endpoint()
    const { id } = await service.hook(endpoint.url)
    const { body: delivery } = await service.call('POST', `/webhooks/${id}/test`)
    const { call } = service
    for (const [method, path] of [
      ['GET', '/webhooks/ID'],
      ['GET', '/webhooks/ID/deliveries'],
      ['PATCH', '/webhooks/ID'],
      ['DELETE', '/webhooks/ID'],
      ['POST', '/webhooks/ID/rotate'],
      ['POST', '/webhooks/ID/test'],
      ['POST', `/webhooks/ID/deliveries/${delivery.id}/redeliver`],
      ['POST', '/webhooks/ID/recover'],
    ] as const) {
      const ask = async (one: string) => {
        const body = path.endsWith('/recover') ? { body: { since: '2026-01-31T12:00:00Z' } } : {}
        const answer = await call(method, path.replace('ID', one), { key: stranger, ...body })
        return [answer.status, JSON.stringify(answer.body).replaceAll(one, 'ID')]
      }
      expect(await ask(id)).toEqual(await ask('whk_0000000000000000'))
    }
    expect((await service.read(id)).enabled).toBe(true)
    const other = await service.hook(endpoint.url)
    const wrong = await call('POST', `/webhooks/${other.id}/deliveries/${delivery.id}/redeliver`)
    expect(wrong).toMatchObject({ status: 404, body: { error: 'not_found' } })
  })

  it('tells a webhook of its own account only', async () => {
    const endpoint = await service.endpoint()
    await service.hook(endpoint.url, { events: ['message.received'] })
    const { inboxes } = (await service.call('GET', '/account', { key: stranger })).body
    await service.mail({ to: inboxes[0].address, subject: 'for the stranger' })
    await service.mail({ subject: 'for us' })
    await expect.poll(() => endpoint.received.length).toBe(1)
    expect(endpoint.received[0]!.event.data.subject).toBe('for us')
  })
})

it('the routes of webhooks answer as their table says', async () => {
  const endpoint = await service.endpoint()
  const { id } = await service.hook(endpoint.url)
  const { body: delivery } = await service.call('POST', `/webhooks/${id}/test`)
  for (const { method, path, success, answer } of Object.values(routes.webhooks)) {
    if (method === 'DELETE' || path === '/webhooks') continue
    const asked = path.replace('{id}', id).replace('{delivery_id}', delivery.id)
    const sent = method === 'PATCH' ? {} : { since: '2026-01-31T12:00:00Z' }
    const needsBody = method === 'PATCH' || path.endsWith('/recover')
    const { status: code, body } = await service.call(method, asked, needsBody ? { body: sent } : {})
    expect([method, path, code]).toEqual([method, path, success.status])
    if (answersJson(answer)) expect(answer.safeParse(body).error).toBeUndefined()
  }
})
