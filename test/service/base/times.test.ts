import { afterAll, beforeAll, expect, it } from 'vitest'
import { openService } from '../../support/service'

/** One moment in several zones. */
const same = [
  '2031-01-31T12:00:00.000Z',
  '2031-01-31T12:00:00Z',
  '2031-01-31T12:00:00+00:00',
  '2031-01-31T12:00:00.000000+00:00',
  '2031-01-31T14:00:00+02:00',
  '2031-01-31T06:30:00.5-05:30',
]
const asAnswered = (time: string) =>
  time.includes('.5') ? '2031-01-31T12:00:00.500Z' : '2031-01-31T12:00:00.000Z'

let service: Awaited<ReturnType<typeof openService>>
beforeAll(async () => {
  service = await openService()
})
afterAll(() => service[Symbol.asyncDispose]())
const call = (method: string, path: string, body?: object) =>
  service.call(method, path, { ...(body && { body }) })

it.each(same)('a mail is scheduled at %s, and answers say so in UTC', async (scheduled_at) => {
  const mail = { to: ['bo@example.com'], text: 'later', scheduled_at }
  const sent = await call('POST', '/messages', mail)
  expect([sent.status, sent.body.scheduled_at]).toEqual([202, asAnswered(scheduled_at)])
  const { body: draft } = await call('POST', '/drafts', { inbox_id: service.home.inboxId, ...mail })
  expect(draft.scheduled_at).toBe(asAnswered(scheduled_at))
  const other = await call('PATCH', `/drafts/${draft.id}`, { scheduled_at: '2031-03-01T00:00:00-01:00' })
  expect(other.body.scheduled_at).toBe('2031-03-01T01:00:00.000Z')
})

it('a list is narrowed by times of any zone, with the + as it is typed or encoded', async () => {
  await service.mail({ subject: 'now' })
  const { created_at } = (await call('GET', '/messages?direction=inbound')).body.messages[0]
  const at = Date.parse(created_at)
  const inZone = (ms: number) => new Date(ms + 2 * 3_600_000).toISOString().replace('Z', '+02:00')
  const found = async (query: string) =>
    (await call('GET', `/messages?direction=inbound&${query}`)).body.messages.length
  for (const written of [inZone, (ms: number) => encodeURIComponent(inZone(ms))]) {
    expect(await found(`after=${written(at)}`)).toBe(1)
    expect(await found(`after=${written(at + 1)}`)).toBe(0)
    expect(await found(`before=${written(at)}`)).toBe(0)
    expect(await found(`before=${written(at + 1)}`)).toBe(1)
  }
})

it('a consumer begins at a time of any zone', async () => {
  await service.mail({ subject: 'past' })
  const handedOut = async (name: string, from: string) => {
    expect((await call('POST', '/consumers', { name, from })).status).toBe(201)
    return (await call('POST', `/consumers/${name}/lease`, { max: 10 })).body.deliveries.length
  }
  expect(await handedOut('tomorrow', '2031-01-31T14:00:00+02:00')).toBe(0)
  expect(await handedOut('before', '2001-01-31T14:00:00+02:00')).toBeGreaterThan(0)
})

it.each([
  ['without a zone', '2031-01-31T12:00:00'],
  ['that is a date', '2031-01-31'],
  ['that is not in the calendar', '2031-02-30T12:00:00Z'],
  ['before the year 0', '0000-01-01T00:00:00+01:00'],
  ['after the year 9999', '9999-12-31T23:59:59-01:00'],
  ['in words', 'tomorrow'],
])('a time %s is refused in words', async (_what, time) => {
  const refused = (field: string) => ({
    status: 400,
    body: { error: 'invalid_request', message: expect.stringMatching(new RegExp(`${field}: must be `)) },
  })
  const mail = { to: ['bo@example.com'], text: 'later', scheduled_at: time }
  expect(await call('POST', '/messages', mail)).toMatchObject(refused('scheduled_at'))
  // As in `q`, a date is a day in UTC there.
  const searched = await call('GET', `/messages?after=${time}`)
  expect(searched).toMatchObject(time === '2031-01-31' ? { status: 200 } : refused('after'))
  expect((await call('POST', '/consumers', { name: 'never', from: time })).status).toBe(400)
})
