import type { Event } from 'restante/protocol'
import { expect, test } from 'vitest'
import { Cache } from '../../../src/mailbox/cache/cache'
import { createSingleFlight } from '../../../src/mailbox/cache/reader'
import { until } from '../support/fake-clock'
import { openFake } from '../support/open'
import { messageRecord } from '../support/records'

const ids = (messages: readonly { id: string }[]) => messages.map(({ id }) => id)

test('S2: a thread is read once, and follows the log from then on', async () => {
  const { mailbox, service, seen } = await openFake()
  for (let count = 0; count < 5; count += 1) service.receive()
  await until(() => seen.length === 5)
  const message = await mailbox.messages.get('msg_2')
  const [thread, same] = await Promise.all([message.thread(), mailbox.threads.get('thr_1')])
  expect(ids(thread.messages)).toEqual(['msg_1', 'msg_2', 'msg_3', 'msg_4', 'msg_5'])
  expect(ids(same.messages)).toEqual(ids(thread.messages))
  expect(thread).toMatchObject({ subject: 'Hello', participants: ['ana@example.com', 'a@mail.example'] })
  const pages = () => service.requests.filter(({ path }) => path === '/v1/messages').length
  expect(pages()).toBe(3)
  service.receive()
  await until(() => seen.length === 6)
  expect(ids((await message.thread()).messages)).toHaveLength(6)
  expect(pages()).toBe(3)
  await mailbox.close()
})

test('S2: what arrives while a thread is being read is in it', async () => {
  const { mailbox, service, seen } = await openFake()
  service.receive()
  await until(() => seen.length === 1)
  service.override = async ({ path }) => {
    if (path !== '/v1/messages') return undefined
    const answer = Response.json({
      messages: [...service.messages.values()],
      mode_used: 'keyword',
      next_cursor: null,
    })
    service.receive()
    await until(() => seen.length === 2)
    return answer
  }
  expect(ids((await mailbox.threads.get('thr_1')).messages)).toEqual(['msg_1', 'msg_2'])
  await mailbox.close()
})

test('bodies are read once however many ask, and originals and files come as bytes', async () => {
  const { mailbox, service, seen } = await openFake()
  const attachment = { id: 'att_1', filename: 'a.txt', content_type: 'text/plain', size: 4 }
  service.receive({ attachments: [{ ...attachment, inline: false, content_id: null }] })
  await until(() => seen.length === 1)
  const message = await mailbox.messages.get('msg_1')
  const bodies = await Promise.all([message.body(), message.body()])
  expect(bodies).toEqual([bodies[0], { text: 'text of msg_1', html: null }])
  await message.body()
  expect(service.requests.filter(({ path }) => path === '/v1/messages/msg_1')).toHaveLength(1)
  expect(new TextDecoder().decode(await message.raw())).toBe('raw of msg_1')
  expect(new TextDecoder().decode(await message.attachments[0]?.content())).toBe('file')
  expect(message).toMatchObject({
    from: { address: 'ana@example.com', name: 'Ana' },
    text: 'Hello there',
    verified: true,
    receivedAt: new Date('2026-01-31T12:00:00.000Z'),
  })
  await mailbox.close()
})

test('lists come from the service, page by page', async () => {
  const { mailbox, service } = await openFake()
  for (let count = 0; count < 3; count += 1) service.receive()
  const page = await mailbox.messages.list({ inbox: 'a@mail.example', after: new Date(0), order: 'asc' })
  expect(ids(page.items)).toEqual(['msg_1', 'msg_2'])
  const rest = await mailbox.messages.list({ order: 'asc', cursor: page.nextCursor ?? '' })
  expect(rest).toMatchObject({ items: [{ id: 'msg_3' }], nextCursor: null })
  expect(service.requests.at(-2)?.query.get('inbox_id')).toBe('inb_a')
  expect((await mailbox.threads.list()).items[0]?.subject).toBe('Hello')
  await expect(mailbox.messages.get('msg_9')).rejects.toMatchObject({ code: 'not_found', status: 404 })
  await mailbox.close()
})

const event = (type: string, data: Record<string, unknown>): Event => ({
  id: 'evt',
  type,
  seq: Number(data.seq ?? 1),
  inbox_id: 'inb_a',
  created_at: '2026-01-31T12:00:00.000Z',
  data,
})

test('the cache ignores what is older than what it holds, and events that it does not know', () => {
  const cache = new Cache()
  cache.apply(event('message.sent', messageRecord({ seq: 5, delivery_status: 'sent' })))
  cache.apply(event('message.queued', messageRecord({ seq: 4, delivery_status: 'queued' })))
  cache.apply(event('message.teleported', { id: 'msg_1', seq: 6 }))
  expect(cache.put('message', messageRecord({ seq: 3 })).seq).toBe(5)
  expect(cache.get('message', 'msg_1')).toMatchObject({ seq: 5, delivery_status: 'sent' })
})

test('S7: the cache holds no more than its bytes', () => {
  const cache = new Cache({ maxBytes: 100_000 })
  for (let at = 1; at <= 1_000; at += 1) cache.put('message', messageRecord({ id: `msg_${at}`, seq: at }))
  const held = Array.from({ length: 1_000 }, (_, at) => cache.get('message', `msg_${at + 1}`)).filter(Boolean)
  expect(held.length).toBeLessThan(60)
  expect(cache.get('message', 'msg_1000')).toBeDefined()
})

test('S7: what a sender makes large counts: recipients, attachments, header fields', () => {
  const large = 'x'.repeat(100)
  const many = Array.from({ length: 500 }, (_, at) => `${large}${at}@example.com`)
  const fields = [
    ...[{ to_addrs: many }, { cc_addrs: many }, { references: many }],
    { attachments: many.map((filename) => ({ filename })) },
  ]
  for (const field of fields) {
    const cache = new Cache({ maxBytes: 1_000_000 })
    for (let at = 1; at <= 20; at += 1)
      cache.put('message', messageRecord({ id: `msg_${at}`, seq: at, ...(field as object) }))
    const held = Array.from({ length: 20 }, (_, at) => cache.get('message', `msg_${at + 1}`)).filter(Boolean)
    expect(held.length).toBeLessThan(10)
  }
})

test('nothing is kept of inboxes that the log is not read for', () => {
  const cache = new Cache({ inboxId: 'inb_a' })
  cache.put('message', messageRecord({ inbox_id: 'inb_b' }))
  expect(cache.get('message', 'msg_1')).toBeUndefined()
})

test('a read is shared by all who ask for it, and goes on where one of them aborts', async () => {
  const share = createSingleFlight()
  const controller = new AbortController()
  let runs = 0
  let land: (value: string) => void = () => {}
  const run = () => {
    runs += 1
    return new Promise<string>((resolve) => {
      land = resolve
    })
  }
  const leaving = share('key', run, controller.signal)
  const staying = share('key', run)
  controller.abort('left')
  await expect(leaving).rejects.toBe('left')
  land('landed')
  expect(await staying).toBe('landed')
  expect(runs).toBe(1)
  await expect(share('key', run, controller.signal)).rejects.toBe('left')
  expect(runs).toBe(1)
})
