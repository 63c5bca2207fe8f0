import fc from 'fast-check'
import type { ServiceOptions } from 'restante/service'
import { createWorld } from 'restante/testing'
import { beforeAll, expect, it } from 'vitest'
import { describeDatabases } from '../../support/databases'
import { JumpClock } from '../../support/jump-clock'
import { openService } from '../../support/service'
import { perBlock, useService } from '../../support/use-service'

interface Listed {
  id: string
  direction: string
  inbox_id: string
  thread_id: string
  from_addr: string
  from_name: string | null
  to_addrs: string[]
  cc_addrs: string[]
  subject: string
  labels: string[]
  attachments: unknown[]
  created_at: string
}

/** A value of a filter, and which messages it means. */
type Case = [value: string, means: (message: Listed) => boolean]

const none = () => false
const senders = [
  'Ana Quartz <ana@example.com>',
  'Bo <bo@mail.example.com>',
  'Ana <ana@example.com.evil.example>',
  'Zoë <zoe@other.example>',
]
const subjects = ['Late invoice', 'Invoice 4711', 'Lunch', 'The voice of reason']

const senderOf = ({ from_name, from_addr }: Listed) => `${from_name} ${from_addr}`
const recipientsOf = ({ to_addrs, cc_addrs }: Listed) => [...to_addrs, ...cc_addrs]

const fromCases: Case[] = [
  ['ana@example.com', ({ from_addr }) => from_addr === 'ana@example.com'],
  ['Ana@EXAMPLE.com', ({ from_addr }) => from_addr === 'ana@example.com'],
  ['na@example.com', none],
  ['example.com', ({ from_addr }) => /[@.]example\.com$/.test(from_addr)],
  ['@mail.example.com', ({ from_addr }) => from_addr.endsWith('@mail.example.com')],
  ['ana', (message) => /\bana\b/i.test(senderOf(message))],
  ['quartz ana', (message) => senderOf(message).startsWith('Ana Quartz')],
  ['"example ana"', none],
  ['qua*', (message) => senderOf(message).startsWith('Ana Quartz')],
  ['qua', none],
  ['zoe', ({ from_addr }) => from_addr.startsWith('zoe')],
  ['invoice', none],
  ['%', none],
]
const subjectCases: Case[] = [
  ['INVOICE', ({ subject }) => /\binvoice\b/i.test(subject)],
  ['invoice late', ({ subject }) => subject.includes('Late invoice')],
  ['"invoice late"', none],
  ['invoi*', ({ subject }) => /\binvoi/i.test(subject)],
  ['voice', ({ subject }) => /\bvoice\b/i.test(subject)],
  ['ana', none],
]

describeDatabases('messages narrowed by filters', (openDatabase) => {
  const clock = new JumpClock()
  const { service } = useService(
    openDatabase,
    (options: ServiceOptions) => openService(options, { clock }),
    perBlock,
  )
  let all: Listed[]
  let cases: Record<string, Case[]>

  const list = async (query: Record<string, string>) => {
    const { status, body } = await service.call('GET', `/messages?${new URLSearchParams(query)}`)
    expect(status, JSON.stringify(body)).toBe(200)
    return body as { messages: Listed[]; next_cursor: string | null }
  }
  const label = async (name: string, messages: Listed[]) => {
    const { id } = (await service.call('POST', '/labels', { body: { name } })).body
    for (const message of messages)
      await service.call('POST', `/labels/${id}/assign`, { body: { message_id: message.id } })
    return id as string
  }

  beforeAll(async () => {
    const second = (await service.call('POST', '/inboxes', { body: {} })).body
    for (let i = 0; i < 16; i++) {
      await service.mail({
        from: senders[i % 4]!,
        to: i % 3 ? service.home.address : second.address,
        ...(i % 5 === 0 && { cc: 'Cy <cy@cc.example>' }),
        subject: subjects[(i >> 2) % 4]!,
        text: 'ana@example.com wrote of an invoice',
        ...(i % 4 === 1 && { attachments: [{ filename: 'a.txt', content: 'abc' }] }),
      })
      clock.jump(60_000)
    }
    const received = (await list({ limit: '100' })).messages
    for (const parent of received.slice(0, 3))
      await service.call('POST', `/messages/${parent.id}/reply`, { body: { text: 'thanks' } })
    const red = await label('Red', [received[0]!, received[5]!, received[11]!])
    await label('of none', [])
    all = (await list({ limit: '100' })).messages
    const middle = all[9]!.created_at
    const { events } = (await service.call('GET', '/events?after=0&limit=500')).body
    const reported = events.filter((event: { type: string }) =>
      /^message\.(received|queued)$/.test(event.type),
    )
    const places = new Map<string, number>(
      reported.map(({ seq, data }: { seq: number; data: Listed }) => [data.id, seq]),
    )
    const place = ({ id }: Listed) => places.get(id)!
    cases = {
      from: fromCases,
      subject: subjectCases,
      to: [
        [second.address, (message) => message.to_addrs.includes(second.address)],
        ['cy@cc.example', (message) => message.cc_addrs.includes('cy@cc.example')],
        ['CC.example', (message) => message.cc_addrs.includes('cy@cc.example')],
        ['ana', (message) => recipientsOf(message).some((address) => address.startsWith('ana@'))],
        ['cy@cc.example.org', none],
      ],
      label: [
        ['red', ({ labels }) => labels.includes('Red')],
        [red, ({ labels }) => labels.includes('Red')],
        ['of none', none],
        ['of nobody', none],
      ],
      has_attachment: [
        ['true', ({ attachments }) => attachments.length > 0],
        ['false', ({ attachments }) => attachments.length === 0],
      ],
      direction: [
        ['inbound', ({ direction }) => direction === 'inbound'],
        ['outbound', ({ direction }) => direction === 'outbound'],
      ],
      inbox_id: [
        [second.id, ({ inbox_id }) => inbox_id === second.id],
        ['inb_none', none],
      ],
      thread_id: [
        [all[0]!.thread_id, ({ thread_id }) => thread_id === all[0]!.thread_id],
        ['thr_none', none],
      ],
      after: [
        [middle, ({ created_at }) => created_at >= middle],
        ['2999-01-01T00:00:00.000Z', none],
      ],
      before: [
        [middle, ({ created_at }) => created_at < middle],
        ['1999-01-01T00:00:00.000Z', none],
      ],
      after_seq: [
        [String(place(all[9]!)), (message) => place(message) > place(all[9]!)],
        ['0', () => true],
      ],
      to_seq: [
        [String(place(all[9]!)), (message) => place(message) <= place(all[9]!)],
        ['0', none],
      ],
    }
  })

  async function expectMeant(chosen: Record<string, Case>, order: string, limit: number) {
    const wanted = all.filter((message) => Object.values(chosen).every(([, means]) => means(message)))
    if (order === 'asc') wanted.reverse()
    const query = Object.fromEntries(Object.entries(chosen).map(([name, [value]]) => [name, value]))
    const found: Listed[] = []
    let cursor: string | null = null
    do {
      const page = await list({ ...query, order, limit: String(limit), ...(cursor && { cursor }) })
      expect(page.messages.length).toBeLessThanOrEqual(limit)
      found.push(...page.messages)
      cursor = page.next_cursor
    } while (cursor !== null)
    expect(
      found.map((message) => message.id),
      JSON.stringify(query),
    ).toEqual(wanted.map((message) => message.id))
    return wanted.length
  }

  it('are all that the filter means, for each filter, and no others', async () => {
    for (const [name, values] of Object.entries(cases)) {
      let found = 0
      for (const value of values) found += await expectMeant({ [name]: value }, 'desc', 100)
      expect(found, name).toBeGreaterThan(0)
    }
  })

  it('are all that several filters mean together, in pages, in both orders', async () => {
    const some = Object.fromEntries(
      Object.entries(cases).map(([name, values]) => [name, fc.constantFrom(...values)]),
    )
    const chosen = fc.record(some, { requiredKeys: [] }).map((filters) =>
      // More than three leave nothing to be found.
      Object.fromEntries(Object.entries(filters as Record<string, Case>).slice(0, 3)),
    )
    await fc.assert(
      fc.asyncProperty(
        chosen,
        fc.constantFrom('asc', 'desc'),
        fc.integer({ min: 1, max: 5 }),
        async (...args) => {
          await expectMeant(...args)
        },
      ),
      { numRuns: 60 },
    )
  })

  it('are found by the label a message has now', async () => {
    const ids = async () => (await list({ label: 'moving' })).messages.map((message) => message.id)
    const id = await label('moving', [all[3]!, all[1]!])
    expect(await ids()).toEqual([all[1]!.id, all[3]!.id])
    await service.call('POST', `/labels/${id}/unassign`, { body: { message_id: all[1]!.id } })
    expect(await ids()).toEqual([all[3]!.id])
    await service.call('DELETE', `/labels/${id}`)
    expect(await ids()).toEqual([])
  })
})

it('messages of one moment are all found by its time', async () => {
  await using world = await createWorld()
  const { address, client } = await world.open()
  for (let i = 0; i < 8; i++) await world.person('ana@example.com').write({ to: address, text: `${i}` })
  const moment = world.clock.now()
  for (const query of [{ after: moment }, { before: moment + 1 }] as const) {
    const times = Object.entries(query).map(([name, timeMs]) => [name, new Date(timeMs).toISOString()])
    const { messages } = await client.messages.list({ ...Object.fromEntries(times), order: 'asc' })
    expect(messages.map(({ preview }) => preview)).toEqual(['0', '1', '2', '3', '4', '5', '6', '7'])
  }
})
