import type { ServiceOptions } from 'restante/service'
import { expect, it } from 'vitest'
import { readCalendar } from '../../../src/service/invitations/read-calendar'
import { describeDatabases } from '../../support/databases'
import { createFakeResolver, type FakeName } from '../../support/fake-resolver'
import { startService } from '../../support/service'
import { perBlock, useService } from '../../support/use-service'

interface Sent {
  method?: string
  from?: string
  organizer?: string
  uid?: string
  sequence?: number
  day?: string
  stamp?: string
  more?: string[]
}

/** An invitation to a talk at 10:00 in Berlin. */
const calendarOf = ({ method = 'REQUEST', uid = 'one', sequence = 0, day = '20260707', ...sent }: Sent) =>
  [
    ...['BEGIN:VCALENDAR', 'PRODID:-//x//EN', 'VERSION:2.0', `METHOD:${method}`, 'BEGIN:VEVENT'],
    ...[`UID:${uid}`, `DTSTAMP:${sent.stamp ?? `2026010${1 + sequence}T000000Z`}`, `SEQUENCE:${sequence}`],
    `ORGANIZER;CN=Ana:mailto:${sent.organizer ?? sent.from ?? 'ana@known.com'}`,
    'ATTENDEE;PARTSTAT=NEEDS-ACTION:mailto:agent@restante.localhost',
    ...[`DTSTART;TZID=Europe/Berlin:${day}T100000`, `DTEND;TZID=Europe/Berlin:${day}T103000`],
    ...['SUMMARY:Talk', ...(sent.more ?? []), 'END:VEVENT', 'END:VCALENDAR', ''],
  ].join('\r\n')

describeDatabases('invitations', (openDatabase) => {
  const names: Record<string, FakeName> = {
    'known.com': { txt: [['v=spf1 ip4:127.0.0.1 -all']] },
    '_dmarc.known.com': { txt: [['v=DMARC1; p=reject']] },
    'gmail.com': { txt: [['v=spf1 ip4:127.0.0.1 -all']] },
    '_dmarc.gmail.com': { txt: [['v=DMARC1; p=reject']] },
    'eve.com': { txt: [['v=spf1 ip4:127.0.0.1 -all']] },
    '_dmarc.eve.com': { txt: [['v=DMARC1; p=reject']] },
  }
  const resolver = createFakeResolver(names)
  const begin = (options: ServiceOptions) => startService(options, { resolver })
  const { service } = useService(openDatabase, begin, perBlock)

  /** Brings an invitation in. Returns the message as read. */
  const receive = async (sent: Sent) => {
    const { from = 'ana@known.com', method = 'REQUEST' } = sent
    await service.mail({
      ...{ from, subject: 'Talk', text: 'Shall we?' },
      alternatives: [
        { contentType: `text/calendar; charset=utf-8; method=${method}`, content: calendarOf(sent) },
      ],
    })
    const [{ id }] = (await service.call('GET', '/messages?direction=inbound&limit=1')).body.messages
    return (await service.call('GET', `/messages/${id}`)).body
  }
  const answer = (id: string, body: object) =>
    service.call('POST', `/messages/${id}/invitation/answer`, { body })
  /** The calendar in a sent message, and the types of its parts. */
  const sentCalendar = async (id: string) => {
    const raw = String((await service.call('GET', `/messages/${id}/raw`)).body)
    const { attachments } = (await service.call('GET', `/messages/${id}`)).body
    const found = attachments.find((one: { content_type: string }) => one.content_type === 'text/calendar')
    const { content_base64 } = (await service.call('GET', `/attachments/${found.id}`)).body
    return { raw, calendar: readCalendar(Buffer.from(content_base64, 'base64'))! }
  }

  it('are read with the message', async () => {
    const { invitation } = await receive({ uid: 'read' })
    expect(invitation).toMatchObject({
      ...{ method: 'REQUEST', uid: 'read', title: 'Talk', answer: 'needs-action', pending: false },
      ...{ start: '2026-07-07T08:00:00.000Z', end: '2026-07-07T08:30:00.000Z', time_zone: 'Europe/Berlin' },
      ...{ organizer: { address: 'ana@known.com', name: 'Ana' }, organizer_proven: true, changes: [] },
    })
  })

  it('are null for other messages', async () => {
    await service.mail({ text: 'Hi' })
    const [{ invitation }] = (await service.call('GET', '/messages?limit=1')).body.messages
    expect(invitation).toBeNull()
  })

  it('show the changes of an update', async () => {
    await receive({ uid: 'moved' })
    const { invitation } = await receive({ uid: 'moved', sequence: 1, day: '20260708' })
    expect(invitation).toMatchObject({
      pending: false,
      changes: [
        'moved from Tuesday 2026-07-07 10:00 (Europe/Berlin) to Wednesday 2026-07-08 10:00 (Europe/Berlin)',
      ],
    })
  })

  it('are cancelled, also before the invitation arrives', async () => {
    const before = await receive({ uid: 'late', method: 'CANCEL', sequence: 1 })
    expect(before.invitation).toMatchObject({ method: 'CANCEL', cancelled: true })
    expect((await receive({ uid: 'late' })).invitation).toMatchObject({ cancelled: true })
  })

  it('are changed by nobody but the proven sender', async () => {
    await receive({ uid: 'held' })
    const forged = { uid: 'held', organizer: 'ana@known.com', sequence: 5, day: '20260709' }
    for (const from of ['eve@eve.com', 'eve@unknown.example']) {
      const { id, invitation } = await receive({ ...forged, from, method: 'CANCEL' })
      expect(invitation).toMatchObject({ organizer_proven: false, pending: true, cancelled: false })
      expect((await answer(id, { answer: 'accepted' })).body.error).toBe('invalid_request')
    }
    const { invitation } = await receive({ uid: 'held', sequence: 1 })
    expect(invitation).toMatchObject({ pending: false, cancelled: false })
  })

  it('of a shared domain are changed by the same address only', async () => {
    const from = 'ana@gmail.com'
    await receive({ uid: 'shared', from })
    const other = { uid: 'shared', organizer: from, sequence: 1, method: 'CANCEL' }
    expect((await receive({ ...other, from: 'eve@gmail.com' })).invitation).toMatchObject({ pending: true })
    expect((await receive({ ...other, from })).invitation).toMatchObject({ pending: false, cancelled: true })
  })

  it('are answered as calendars process it, once for each version', async () => {
    const { id, thread_id } = await receive({ uid: 'answered' })
    const first = await answer(id, { answer: 'accepted' })
    expect([first.status, first.body.thread_id]).toEqual([200, thread_id])
    const { raw, calendar } = await sentCalendar(first.body.id)
    expect(raw).toMatch(/multipart\/alternative/)
    expect(raw).toMatch(/Content-Type: text\/calendar; charset=utf-8; method=REPLY/i)
    expect(calendar).toMatchObject({
      method: 'REPLY',
      events: [
        {
          uid: 'answered',
          sequence: 0,
          attendees: [{ address: 'agent@restante.localhost', status: 'accepted' }],
        },
      ],
    })
    const sent = (await service.call('GET', `/messages/${first.body.id}`)).body
    expect([sent.subject, sent.to_addrs]).toEqual(['Accepted: Talk', ['ana@known.com']])
    const again = await answer(id, { answer: 'accepted' })
    expect(again.body).toMatchObject({ id: first.body.id, idempotent: true })
    const changed = await answer(id, { answer: 'declined', comment: 'Sorry, no.' })
    const declined = (await sentCalendar(changed.body.id)).calendar.events[0]!
    expect(declined).toMatchObject({ comment: 'Sorry, no.', attendees: [{ status: 'declined' }] })
    expect(declined.stamp! > calendar.events[0]!.stamp!).toBe(true)
    const back = await answer(id, { answer: 'accepted' })
    expect([first.body.id, changed.body.id]).not.toContain(back.body.id)
    expect((await receive({ uid: 'answered' })).invitation.answer).toBe('accepted')
    expect((await receive({ uid: 'answered', sequence: 1 })).invitation.answer).toBe('needs-action')
  })

  it('are answered once by requests at the same time', async () => {
    const { id } = await receive({ uid: 'together' })
    const answers = await Promise.all([1, 2, 3].map(() => answer(id, { answer: 'tentative' })))
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
  })

  it('are countered with another time', async () => {
    const { id } = await receive({ uid: 'counter' })
    const times = { start: '2026-07-07T14:00:00+02:00', end: '2026-07-07T14:30:00+02:00' }
    const { body } = await answer(id, { answer: 'proposed', ...times })
    const { raw, calendar } = await sentCalendar(body.id)
    expect(raw).toMatch(/method=COUNTER/i)
    expect(calendar.events[0]!.start.utc).toBe('2026-07-07T12:00:00.000Z')
    expect((await answer(id, { answer: 'proposed' })).body.error).toBe('invalid_request')
    expect((await answer(id, { answer: 'accepted', ...times })).body.error).toBe('invalid_request')
  })

  it('of an unproven organizer are answered to the sender', async () => {
    const { id } = await receive({ uid: 'victim', from: 'eve@eve.com', organizer: 'victim@example.net' })
    const { body } = await answer(id, { answer: 'declined' })
    expect((await service.call('GET', `/messages/${body.id}`)).body.to_addrs).toEqual(['eve@eve.com'])
  })

  it('cannot be answered if there is none, or it was cancelled', async () => {
    await service.mail({ text: 'Hi' })
    const [{ id }] = (await service.call('GET', '/messages?direction=inbound&limit=1')).body.messages
    expect((await answer(id, { answer: 'accepted' })).body.error).toBe('invalid_request')
    const cancelled = await receive({ uid: 'gone', method: 'CANCEL' })
    expect((await answer(cancelled.id, { answer: 'accepted' })).body.error).toBe('invalid_request')
  })

  it('are erased with their message', async () => {
    const { id } = await receive({ uid: 'erased' })
    await service.call('DELETE', `/messages/${id}`)
    expect((await receive({ uid: 'erased', sequence: 1, day: '20260710' })).invitation.changes).toEqual([])
  })
})
