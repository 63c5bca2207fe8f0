import { cp, readdir } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import type { Event } from 'restante/protocol'
import { Webhook as OfficialWebhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { describeDatabases } from '../../support/databases'
import { JumpClock } from '../../support/jump-clock'
import { useDatabase } from '../../support/use-service'
import { silence, status } from './support/endpoint'
import { type Hooked, startHooked } from './support/hooked'

const poll = (what: () => unknown) => expect.poll(what, { interval: 20 })

describeDatabases('webhooks', (openDatabase) => {
  const database = useDatabase(openDatabase)
  const start = (ports = {}) => database.start((options) => startHooked(options, ports))
  const stop = (service: Hooked) => service[Symbol.asyncDispose]()

  it('S3: sends the bytes that the log tells, signed so that the official package agrees', async () => {
    const service = await start()
    const endpoint = await service.endpoint()
    const { secret } = await service.hook(endpoint.url)
    await service.mail({ subject: 'Grüße 🎉', text: 'Hi "you"' })
    await poll(() => endpoint.received.length).toBe(2)
    const log = (await service.call('GET', '/events?after=1')).body.events
    const raw = await (
      await service.service.fetch(
        new Request('http://restante.test/v1/events?after=1', {
          headers: { authorization: `Bearer ${service.home.apiKey}` },
        }),
      )
    ).text()
    for (const { headers, body, event } of endpoint.received) {
      expect(raw).toContain(body)
      expect(headers).toMatchObject({ 'webhook-id': event.id, 'content-type': 'application/json' })
      expect(new OfficialWebhook(secret).verify(body, headers as Record<string, string>)).toEqual(event)
      expect(() =>
        new OfficialWebhook(secret).verify(`${body} `, headers as Record<string, string>),
      ).toThrow()
    }
    const types = endpoint.received.map(({ event }) => event.type).sort()
    expect(types).toEqual(log.map((event: Event) => event.type).sort())
  })

  it('sends the types that were asked for, and nothing from before', async () => {
    const service = await start()
    await service.mail({ subject: 'before' })
    const [some, all] = [await service.endpoint(), await service.endpoint()]
    await service.hook(some.url, { events: ['message.received'], inbox_ids: [service.home.inboxId] })
    await service.hook(all.url)
    await service.mail({ subject: 'after' })
    await poll(() => all.received.length).toBe(2)
    await poll(() => some.received.length).toBe(1)
    expect(some.received[0]!.event).toMatchObject({ type: 'message.received', data: { subject: 'after' } })
  })

  it('goes on after a restart in the middle, skipping nothing', async () => {
    const clock = new JumpClock()
    const first = await start({ clock })
    const endpoint = await first.endpoint(silence)
    const { id } = await first.hook(endpoint.url, { events: ['message.received'] })
    for (let i = 0; i < 8; i++) await first.mail({ subject: `mail ${i}` })
    await poll(() => endpoint.received.length).toBe(4)
    let closed = false
    void first.service.close().then(() => (closed = true))
    await poll(() => {
      clock.jump(100)
      return closed
    }).toBe(true)
    endpoint.answer = status(200)
    const second = await start({ clock })
    await poll(
      async () => (await second.deliveries(id)).filter((one) => one.status === 'delivered').length,
    ).toBe(8)
    const reported = endpoint.received.slice(4).map(({ event }) => event.data.subject)
    expect(reported.sort()).toEqual(Array.from({ length: 8 }, (_, i) => `mail ${i}`))
    await stop(second)
  })

  it('takes over from a process that was killed, whose late result changes nothing', async () => {
    const errors: object[] = []
    const logger = { debug() {}, info() {}, warn() {}, error: (facts: object) => void errors.push(facts) }
    const first = await start({ clock: new JumpClock(), logger })
    const waiting: ServerResponse[] = []
    const endpoint = await first.endpoint((response) => void waiting.push(response))
    const { id } = await first.hook(endpoint.url, { events: ['message.received'] })
    for (let i = 0; i < 6; i++) await first.mail({ subject: `mail ${i}` })
    await poll(() => endpoint.received.length).toBe(4)
    endpoint.answer = status(200)
    const { data } = database.options
    const copy = data && `${data}/killed`
    if (data)
      for (const file of await readdir(data)) {
        if (/sqlite|secret/.test(file)) await cp(`${data}/${file}`, `${copy}/${file}`)
      }
    // On PostgreSQL a lease runs out; on SQLite whatever was held is free, as nobody else can hold it.
    const clock = new JumpClock(Date.now() + (data ? 0 : 25_000))
    const second = await database.start((options) => startHooked({ ...options, data: copy }, { clock }))
    const states = async () => (await second.deliveries(id)).map((one) => [one.status, one.attempts.length])
    await poll(states).toEqual(Array.from({ length: 6 }, () => ['delivered', 1]))
    const reported = endpoint.received.slice(4).map(({ event }) => event.data.subject)
    expect(reported.sort()).toEqual(Array.from({ length: 6 }, (_, i) => `mail ${i}`))
    for (const response of waiting) response.writeHead(410).end()
    await stop(first)
    expect(errors).toEqual([])
    expect(await states()).toEqual(Array.from({ length: 6 }, () => ['delivered', 1]))
    expect(await second.read(id)).toMatchObject({ enabled: true })
  })

  it('reads what happened while nobody listened', async () => {
    const first = await start()
    const endpoint = await first.endpoint()
    const { id } = await first.hook(endpoint.url, { events: ['message.received'] })
    const off = await first.call('PATCH', `/webhooks/${id}`, { body: { enabled: false } })
    expect(off.body).toMatchObject({ enabled: false, disabled_reason: 'switched_off' })
    // More than are put on their way at a time.
    const subjects = Array.from({ length: 110 }, (_, i) => `mail ${i}`).sort()
    await Promise.all(subjects.map((subject) => first.mail({ subject })))
    const on = await first.call('PATCH', `/webhooks/${id}`, { body: { enabled: true } })
    expect(on.body).toMatchObject({ enabled: true, disabled_reason: null, disabled_at: null })
    await poll(() => endpoint.received.length).toBe(110)
    expect(endpoint.received.map(({ event }) => event.data.subject).sort()).toEqual(subjects)
  })

  it('signs with both secrets for a day after a rotation, and with the new one then', async () => {
    const clock = new JumpClock()
    const service = await start({ clock })
    const endpoint = await service.endpoint()
    const { id, secret: old } = await service.hook(endpoint.url, { events: ['message.received'] })
    const { secret: fresh } = (await service.call('POST', `/webhooks/${id}/rotate`)).body
    expect(fresh).not.toBe(old)
    const verified = (secret: string) => {
      const { body, headers } = endpoint.received.at(-1)!
      try {
        return Boolean(new OfficialWebhook(secret).verify(body, headers as Record<string, string>))
      } catch {
        return false
      }
    }
    await service.mail({})
    await poll(() => endpoint.received.length).toBe(1)
    expect(endpoint.received[0]!.headers['webhook-signature']).toMatch(/^v1,\S+ v1,\S+$/)
    expect([verified(old), verified(fresh)]).toEqual([true, true])
    clock.jump(24 * 3_600_000 + 1)
    await service.mail({})
    await poll(() => endpoint.received.length).toBe(2)
    expect(endpoint.received[1]!.headers['webhook-signature']).toMatch(/^v1,\S+$/)
  })

  it('sends again what was delivered, with the same id, and lists every attempt', async () => {
    const service = await start()
    const endpoint = await service.endpoint(status(200, `taken\u0000\u001b[31m${'é'.repeat(4_000)}`))
    const { id } = await service.hook(endpoint.url, { events: ['message.received'] })
    await service.mail({})
    const delivery = await service.attempted(id, 1)
    expect(delivery).toMatchObject({ status: 'delivered', next_attempt_at: null, webhook_id: id })
    expect(delivery.attempts[0]).toMatchObject({ number: 1, http_status: 200, error: null })
    expect(delivery.attempts[0]!.response_body).toMatch(/^taken\uFFFD\uFFFD\[31mé+$/)
    expect(Buffer.byteLength(delivery.attempts[0]!.response_body!)).toBeLessThanOrEqual(2_048 + 4)
    const again = await service.call('POST', `/webhooks/${id}/deliveries/${delivery.id}/redeliver`)
    expect(again).toMatchObject({ status: 200, body: { id: delivery.id, status: 'pending' } })
    await service.attempted(id, 2)
    const [one, two] = endpoint.received
    expect(two!.headers['webhook-id']).toBe(one!.headers['webhook-id'])
    expect(two!.body).toBe(one!.body)
  })

  it('sends a test event that is in no log', async () => {
    const service = await start()
    const endpoint = await service.endpoint()
    const { id, secret } = await service.hook(endpoint.url, { events: ['message.bounced'] })
    const head = (await service.call('GET', '/events?after=now')).body.head
    const { status: code, body: delivery } = await service.call('POST', `/webhooks/${id}/test`)
    expect([code, delivery.event_type]).toEqual([200, 'webhook.test'])
    await poll(() => endpoint.received.length).toBe(1)
    const { headers, body, event } = endpoint.received[0]!
    expect(event).toMatchObject({ type: 'webhook.test', id: delivery.event_id, data: { webhook_id: id } })
    new OfficialWebhook(secret).verify(body, headers as Record<string, string>)
    expect((await service.call('GET', '/events?after=now')).body.head).toBe(head)
  })

  it('forgets everything with the webhook', async () => {
    const service = await start()
    const endpoint = await service.endpoint(status(500))
    const { id } = await service.hook(endpoint.url)
    await service.mail({})
    await poll(() => endpoint.received.length).toBeGreaterThan(0)
    expect(await service.call('DELETE', `/webhooks/${id}`)).toMatchObject({ status: 204, body: '' })
    expect((await service.call('GET', `/webhooks/${id}`)).status).toBe(404)
    expect((await service.call('GET', `/webhooks/${id}/deliveries`)).status).toBe(404)
    expect((await service.call('GET', '/webhooks')).body).toEqual({ webhooks: [], next_cursor: null })
  })

  it('pages through deliveries while they come', async () => {
    const service = await start()
    const endpoint = await service.endpoint()
    const { id } = await service.hook(endpoint.url, { events: ['message.received'] })
    for (let i = 0; i < 5; i++) await service.mail({})
    await poll(() => endpoint.received.length).toBe(5)
    const before = (await service.deliveries(id)).map((one) => one.id)
    const seen: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const path = `/webhooks/${id}/deliveries?limit=2${cursor && `&cursor=${cursor}`}`
      const { body } = await service.call('GET', path)
      seen.push(...body.deliveries.map((one: { id: string }) => one.id))
      cursor = body.next_cursor
      await service.mail({})
    }
    expect(seen).toEqual(before)
  })
})

describe('two nodes', () => {
  describeDatabases('sharing a database', (openDatabase) => {
    it('deliver each event once when nothing fails', async ({ skip }) => {
      const database = await openDatabase()
      if (database.options.data !== undefined) {
        await database.drop()
        return skip('one process only')
      }
      const nodes = await Promise.all([startHooked(database.options), startHooked(database.options)])
      try {
        const [one, two] = nodes as [Hooked, Hooked]
        const endpoint = await one.endpoint()
        const { id } = await one.hook(endpoint.url, { events: ['message.received'] })
        await two.hook(endpoint.url, { events: ['message.received'] })
        const mails = Array.from({ length: 60 }, (_, i) => (i % 2 ? one : two).mail({ subject: `mail ${i}` }))
        await Promise.all(mails)
        await poll(() => endpoint.received.length).toBeGreaterThanOrEqual(120)
        await poll(
          async () => (await one.call('GET', `/webhooks/${id}/deliveries?status=pending`)).body.deliveries,
        ).toEqual([])
        expect(endpoint.received).toHaveLength(120)
        expect(new Set(endpoint.received.map(({ event }) => event.id)).size).toBe(60)
      } finally {
        for (const node of nodes) await node[Symbol.asyncDispose]()
        await database.drop()
      }
    })
  })
})
