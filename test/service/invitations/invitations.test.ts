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
  /** Parameters of ORGANIZER. */
  parameters?: string
  /** Lines of the times, in place of those of `day`. */
  times?: string[]
  /** Inbox that it is sent to. */
  to?: string
  more?: string[]
}

/** An invitation to a talk at 10:00 in Berlin. */
const calendarOf = ({ method = 'REQUEST', uid = 'one', sequence = 0, day = '20260707', ...sent }: Sent) =>
  [
    ...['BEGIN:VCALENDAR', 'PRODID:-//x//EN', 'VERSION:2.0', `METHOD:${method}`, 'BEGIN:VEVENT'],
    ...[`UID:${uid}`, `DTSTAMP:${sent.stamp ?? `2026010${1 + sequence}T000000Z`}`, `SEQUENCE:${sequence}`],
    `ORGANIZER;CN=Ana${sent.parameters ?? ''}:mailto:${sent.organizer ?? sent.from ?? 'ana@known.com'}`,
    'ATTENDEE;PARTSTAT=NEEDS-ACTION:mailto:agent@restante.localhost',
    ...(sent.times ?? [`DTSTART;TZID=Europe/Berlin:${day}T100000`, `DTEND;TZID=Europe/Berlin:${day}T103000`]),
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
      ...{ from, subject: 'Talk', text: 'Shall we?', ...(sent.to && { to: sent.to }) },
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
      expect((await answer(id, { answer: 'accepted' })).body.error).toBe('no_invitation')
    }
    const { invitation } = await receive({ uid: 'held', sequence: 1 })
    expect(invitation).toMatchObject({ pending: false, cancelled: false })
  })

  it('are not answered to somebody else who proves an event of the same id', async () => {
    // Nothing proves the invitation; Eve knows its id, and proves her own.
    const { id, invitation } = await receive({ uid: 'seen', from: 'ana@unknown.example' })
    expect(invitation).toMatchObject({ organizer_proven: false, pending: false })
    const own = { from: 'eve@eve.com', uid: 'seen', sequence: 5 }
    expect((await receive(own)).invitation).toMatchObject({ organizer_proven: true })
    const { body } = await answer(id, { answer: 'accepted', comment: 'Words for Ana.' })
    expect(body.error).toBe('no_invitation')
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
    expect((await answer(id, { answer: 'accepted' })).body.error).toBe('no_invitation')
    const cancelled = await receive({ uid: 'gone', method: 'CANCEL' })
    expect((await answer(cancelled.id, { answer: 'accepted' })).body.error).toBe('no_invitation')
  })

  it('tell a key that cannot read only that there is nothing to answer', async () => {
    await service.mail({ text: 'Hi' })
    const [{ id: plain }] = (await service.call('GET', '/messages?direction=inbound&limit=1')).body.messages
    const { id: cancelled } = await receive({ uid: 'blind', method: 'CANCEL' })
    const key = { account_id: service.home.tenantId, name: 'blind', scopes: ['send' as const] }
    const { api_key } = await service.service.keys.create(key)
    const refusals = await Promise.all(
      [plain, cancelled].map(async (id) => {
        const path = `/messages/${id}/invitation/answer`
        const { status, body } = await service.call('POST', path, {
          key: api_key,
          body: { answer: 'accepted' },
        })
        return [status, body.error, body.message, body.details]
      }),
    )
    expect(refusals[0]).toEqual([409, 'no_invitation', expect.any(String), undefined])
    expect(refusals[1]).toEqual(refusals[0])
  })

  it('without a zone are read in that of the inbox', async () => {
    const { inboxId } = service.home
    expect((await service.call('GET', `/inboxes/${inboxId}`)).body.time_zone).toBe('UTC')
    const change = (time_zone: string) =>
      service.call('PATCH', `/inboxes/${inboxId}`, { body: { time_zone } })
    expect((await change('Mars/Olympus')).body.error).toBe('invalid_request')
    expect((await change('+02:00')).body.error).toBe('invalid_request')
    expect((await change('America/New_York')).body.time_zone).toBe('America/New_York')
    const floating = ['DTSTART:20260707T100000', 'DTEND:20260707T103000', 'RRULE:FREQ=WEEKLY;COUNT=2']
    const { invitation } = await receive({ uid: 'floating', times: floating })
    expect(invitation).toMatchObject({
      ...{ floating: true, time_zone: null, local_start: '2026-07-07T10:00:00' },
      ...{ start: '2026-07-07T14:00:00.000Z', end: '2026-07-07T14:30:00.000Z' },
      next: [{ start: '2026-07-07T14:00:00.000Z' }, { start: '2026-07-14T14:00:00.000Z' }],
    })
    const day = ['DTSTART;VALUE=DATE:20260707', 'DTEND;VALUE=DATE:20260708']
    expect((await receive({ uid: 'day', times: day })).invitation).toMatchObject({
      ...{ all_day: true, start: '2026-07-07T04:00:00.000Z', end: '2026-07-08T04:00:00.000Z' },
    })
    await change('UTC')
  })

  it('quote no text of an earlier version', async () => {
    const { id } = await receive({ uid: 'secret', more: ['LOCATION:Secret room'] })
    const { invitation } = await receive({ uid: 'secret', sequence: 1, more: ['LOCATION:Hall'] })
    await service.call('DELETE', `/messages/${id}`)
    expect(invitation.changes).toEqual(['location changed to "Hall"'])
  })

  it('are not proven by a stranger who claims to be sent by the organizer', async () => {
    const sentBy = (from: string, organizer: string) =>
      receive({ uid: `by ${from}`, from, organizer, parameters: `;SENT-BY="mailto:${from}"` })
    expect((await sentBy('eve@eve.com', 'ana@known.com')).invitation.organizer_proven).toBe(false)
    expect((await sentBy('eve@gmail.com', 'ana@gmail.com')).invitation.organizer_proven).toBe(false)
    expect((await sentBy('assistant@known.com', 'ana@known.com')).invitation.organizer_proven).toBe(true)
  })

  it('become a suggestion instead of an answer where the caller wants that', async () => {
    const { id } = await receive({ uid: 'suggested' })
    const before = (await service.call('GET', '/messages?direction=outbound&limit=1')).body.messages[0]?.id
    const { status, body } = await answer(id, { answer: 'accepted', comment: 'Yes.', as_draft: true })
    expect([status, body.suggestion, body.status]).toEqual([202, true, 'draft'])
    const after = (await service.call('GET', '/messages?direction=outbound&limit=1')).body.messages[0]?.id
    expect(after).toBe(before)
    const sent = await service.call('POST', `/drafts/${body.id}/send`, { body: {} })
    const { raw, calendar } = await sentCalendar(sent.body.id)
    expect(raw).toMatch(/multipart\/alternative/)
    expect(calendar).toMatchObject({ method: 'REPLY', events: [{ comment: 'Yes.' }] })
  })

  it('are answered by each inbox that got them', async () => {
    const { body: second } = await service.call('POST', '/inboxes', { body: { local_part: 'second' } })
    const { id } = await receive({ uid: 'both' })
    const other = await receive({ uid: 'both', to: second.address })
    expect(other.inbox_id).toBe(second.id)
    const answers = [await answer(id, { answer: 'accepted' }), await answer(other.id, { answer: 'accepted' })]
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(2)
    const attendees = await Promise.all(
      answers.map(
        async ({ body }) => (await sentCalendar(body.id)).calendar.events[0]!.attendees[0]!.address,
      ),
    )
    expect(attendees).toEqual(['agent@restante.localhost', second.address])
  })

  it('of an occurrence are found by its time, in whatever zone that is written', async () => {
    const changed = ['RECURRENCE-ID;TZID=Europe/Berlin:20260714T100000']
    await receive({ uid: 'series', more: changed })
    const { invitation } = await receive({
      ...{ uid: 'series', method: 'CANCEL', sequence: 1, more: ['RECURRENCE-ID:20260714T080000Z'] },
    })
    expect(invitation).toMatchObject({ cancelled: true, recurrence_id: '2026-07-14T08:00:00Z' })
    expect((await receive({ uid: 'series', more: changed })).invitation.cancelled).toBe(true)
  })

  it('are no answers, so that two agents do not answer each other', async () => {
    for (const method of ['REPLY', 'COUNTER', 'REFRESH']) {
      const { id } = await receive({ uid: `answer ${method}`, method })
      expect((await answer(id, { answer: 'accepted' })).body.error).toBe('no_invitation')
    }
  })

  it('stay known however many messages that nothing proves name them', async () => {
    const { id } = await receive({ uid: 'flooded' })
    for (let sequence = 1; sequence <= 12; sequence++)
      await receive({ uid: 'flooded', from: 'eve@unknown.example', sequence, method: 'CANCEL' })
    expect((await answer(id, { answer: 'accepted' })).status).toBe(200)
  })

  it('are erased with their message', async () => {
    const { id } = await receive({ uid: 'erased' })
    await service.call('DELETE', `/messages/${id}`)
    expect((await receive({ uid: 'erased', sequence: 1, day: '20260710' })).invitation.changes).toEqual([])
  })
})
