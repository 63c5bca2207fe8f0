import { expect, test } from 'vitest'
import type { CalendarSeries } from '../../../src/mail/calendar'
import { expandSeries } from '../../../src/service/invitations/expand'
import { readCalendar } from '../../../src/service/invitations/read-calendar'
import { calendarCases, calendarText } from './calendars'

const bytesOf = (text: string) => new TextEncoder().encode(text)

/** The fields of the first event that cases are about, by the names that they use. */
function fieldsOf(text: string): Record<string, unknown> | null {
  const calendar = readCalendar(bytesOf(text))
  if (!calendar) return null
  const event = calendar.events[0]!
  return {
    ...event,
    method: calendar.method,
    ...event.start,
    endLocal: event.end.local,
    organizer: event.organizer?.address ?? null,
    sentBy: event.organizer?.sentBy,
    attendees: event.attendees.map(({ address, status }) => `${address} ${status}`),
    words: event.recurrence?.words,
  }
}

test.for(calendarCases)('reads $name', (one) => {
  expect(fieldsOf(calendarText(one))).toMatchObject(one.expected)
  // Programs differ in line ends.
  expect(fieldsOf(calendarText(one).replaceAll('\r\n', '\n'))).toMatchObject(one.expected)
})

test.for([
  ['nothing', ''],
  ['no calendar', 'hello'],
  ['no event', 'BEGIN:VCALENDAR\r\nEND:VCALENDAR'],
  [
    'an event without UID',
    'BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nDTSTART:20260101T000000Z\r\nEND:VEVENT\r\nEND:VCALENDAR',
  ],
  ['an open component', 'BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:1'],
  ['too many lines', `BEGIN:VCALENDAR\r\n${'X:1\r\n'.repeat(30_000)}END:VCALENDAR`],
  ['too many bytes', `BEGIN:VCALENDAR\r\nX-A:${'a'.repeat(600_000)}\r\nEND:VCALENDAR`],
] as const)('reads no calendar in %s', ([, text]) => {
  expect(readCalendar(bytesOf(text))).toBeNull()
})

const series = (start: string, rule: string, more: string[] = []): CalendarSeries => {
  const event = [`DTSTART;TZID=Europe/Berlin:${start}`, 'DURATION:PT1H', `RRULE:${rule}`, ...more]
  return readCalendar(bytesOf(calendarText({ name: '', event, expected: {} })))!.events[0]!
}
const window = (after: string, before: string, limit = 100) => ({ after, before, timeZone: 'UTC', limit })
const startsOf = (one: CalendarSeries, after: string, before: string, limit?: number) =>
  expandSeries(one, window(after, before, limit)).map(({ start }) => start)

test('a series keeps its local time when the clocks change', () => {
  const weekly = series('20260316T100000', 'FREQ=WEEKLY;COUNT=4')
  expect(startsOf(weekly, '2026-01-01T00:00:00.000Z', '2027-01-01T00:00:00.000Z')).toEqual([
    '2026-03-16T09:00:00.000Z',
    '2026-03-23T09:00:00.000Z',
    '2026-03-30T08:00:00.000Z',
    '2026-04-06T08:00:00.000Z',
  ])
})

test('a series ends with UNTIL, and leaves out EXDATE', () => {
  const some = series('20260316T100000', 'FREQ=DAILY;UNTIL=20260319T090000Z', [
    'EXDATE;TZID=Europe/Berlin:20260317T100000',
  ])
  expect(startsOf(some, '2026-01-01T00:00:00.000Z', '2027-01-01T00:00:00.000Z')).toEqual([
    '2026-03-16T09:00:00.000Z',
    '2026-03-18T09:00:00.000Z',
    '2026-03-19T09:00:00.000Z',
  ])
})

test('only what overlaps the period is returned', () => {
  const endless = series('20200101T100000', 'FREQ=DAILY')
  expect(startsOf(endless, '2026-07-01T08:30:00.000Z', '2026-07-02T08:00:00.000Z')).toEqual([
    '2026-07-01T08:00:00.000Z',
  ])
  expect(startsOf(endless, '2026-07-01T00:00:00.000Z', '2027-07-01T00:00:00.000Z', 2)).toHaveLength(2)
})

test('a rule that repeats within a day gives its first time only', () => {
  const often = series('20260101T100000', 'FREQ=SECONDLY')
  expect(startsOf(often, '2026-01-01T00:00:00.000Z', '2027-01-01T00:00:00.000Z')).toHaveLength(1)
})
