import { routes } from 'restante/protocol'
import { describe, expect, it } from 'vitest'
import { draftBody, draftStatuses } from '../../../../src/protocol/records/draft'
import { seededRandom } from '../../../../src/testing/virtual-clock'
import { describeDatabases } from '../../../support/databases'
import { draftCalls } from '../../../support/draft-calls'
import { startDrafting } from '../../../support/drafting'
import { useService } from '../../../support/use-service'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

describeDatabases('access to drafts', (openDatabase) => {
  const { service: drafting } = useService(openDatabase, startDrafting)
  const { call, draft, whole, made, read, change, send, arrived } = draftCalls(drafting)

  describe('who may', () => {
    it('asks for a claim before anything is written, and lets the rest be read', async () => {
      const key = drafting.keys.unclaimed
      const { id } = await made(whole())
      for (const answer of [
        await call('POST', '/drafts', { key, body: { inbox_id: 'inb_0' } }),
        await change(id, { text: 'x' }, key),
        await send(id, undefined, key),
        await call('DELETE', `/drafts/${id}`, { key }),
      ])
        expect(answer).toMatchObject({ status: 403, body: { error: 'claim_required' } })
      expect((await call('GET', '/drafts', { key })).body).toEqual({ drafts: [], next_cursor: null })
      drafting.clock.jump(8 * dayMs)
      for (const answer of [
        await call('GET', '/drafts', { key }),
        await call('GET', `/drafts/${id}`, { key }),
        await call('POST', '/drafts', { key, body: { inbox_id: 'inb_0' } }),
        await send(id, undefined, key),
      ])
        expect(answer).toMatchObject({ status: 403, body: { error: 'account_expired' } })
    })

    it('needs the scope: reading is not writing', async () => {
      const { id } = await made(whole())
      const key = drafting.keys.read
      expect((await call('GET', `/drafts/${id}`, { key })).status).toBe(200)
      for (const answer of [
        await draft({}, key),
        await change(id, { text: 'x' }, key),
        await send(id, undefined, key),
        await call('DELETE', `/drafts/${id}`, { key }),
      ])
        expect(answer).toMatchObject({ status: 403, body: { error: 'insufficient_scope' } })
    })

    it('tells another account exactly what it tells of a draft that never was', async () => {
      const { id } = await made(whole())
      const never = `${id.slice(0, -7)}0000000`
      const asks = [
        (it: string) => ['GET', `/drafts/${it}`] as const,
        (it: string) => ['GET', `/drafts/${it}?include=content`] as const,
        (it: string) => ['PATCH', `/drafts/${it}`, { body: { text: 'x' } }] as const,
        (it: string) => ['POST', `/drafts/${it}/send`] as const,
        (it: string) => ['DELETE', `/drafts/${it}`] as const,
      ]
      for (const ask of asks) {
        const key = drafting.keys.other
        const [theirs, none] = [ask(id), ask(never)].map(([method, path, options]) =>
          call(method, path, { ...options, key }),
        )
        const [seen, expected] = [await theirs!, await none!]
        expect(seen.status).toBe(404)
        expect({ ...seen.body, message: seen.body.message.replace(id, never) }).toEqual(expected.body)
      }
      expect((await call('GET', '/drafts', { key: drafting.keys.other })).body.drafts).toEqual([])
      const parent = await arrived()
      const reply = { inbox_id: drafting.otherInboxId, reply_to_message_id: parent.id }
      expect((await call('POST', '/drafts', { key: drafting.keys.other, body: reply })).status).toBe(404)
      expect(await read(id)).toMatchObject({ id, status: 'draft' })
    })
  })

  it('answers anything with what the table says, never 500', async () => {
    const random = seededRandom(7)
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!
    const { id } = await made(whole())
    const parent = await arrived()
    const values = [
      null,
      0,
      -1.5,
      '',
      'x',
      '\0',
      '\ud800',
      'a@b.c',
      '"x y"@b.c',
      'Ana <ana@example.com>\r\nBcc: x@y.z',
      'é@ü.de',
      id,
      parent.id,
      '2026-02-30T00:00:00Z',
      '0000-01-01T00:00:00Z',
      '9999-12-31T23:59:59.999999Z',
      true,
      [],
      [null],
      ['a@b.c'],
      [['a@b.c']],
      {},
      [{}],
      [{ filename: '../x\r\n', content_base64: 'aGk=' }],
      [{ filename: 'x', content_base64: '!' }],
      [{ upload_id: id }],
      'x'.repeat(2_001),
      drafting.home.inboxId,
    ]
    const fields = [...Object.keys(draftBody.shape), 'client_id', 'replay', '__proto__']
    const body = () =>
      Object.fromEntries(
        Array.from({ length: 1 + Math.floor(random() * 4) }, () => [pick(fields), pick(values)]),
      )
    const asks = [
      () => draft(body()),
      () => call('POST', '/drafts', { body: body() }),
      () => call('POST', '/drafts', { body: pick(values) ?? 'null' }),
      () => change(id, body()),
      () => send(id, { [pick(['client_id', 'replay'])]: pick(values) }),
      () =>
        call(
          'GET',
          `/drafts?${pick(['status', 'cursor', 'limit', 'inbox_id'])}=${encodeURIComponent(String(pick(values.filter((one) => one !== '\ud800'))))}`,
        ),
      () =>
        call('GET', `/drafts/${encodeURIComponent(pick(['\0', '%', 'é', ' ', 'drf_0', 'x'.repeat(65)]))}`),
    ]
    for (let i = 0; i < 400; i++) {
      const answer = await pick(asks)()
      expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(500)
      if (answer.status >= 400) expect(answer.body.error).toEqual(expect.any(String))
    }
    const { body: listed } = await call('GET', '/drafts?limit=100')
    expect(routes.drafts.list.answer.safeParse(listed).error).toBeUndefined()
    for (const one of listed.drafts) {
      expect(draftStatuses).toContain(one.status)
      const { body: full } = await call('GET', `/drafts/${one.id}?include=content`)
      expect(routes.drafts.get.answer.safeParse(full).error).toBeUndefined()
      if (one.status !== 'sent') expect((await send(one.id)).status).toBeLessThan(500)
    }
  })
})
