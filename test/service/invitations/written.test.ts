import { spawnSync } from 'node:child_process'
import ICAL from 'ical.js'
import { expect, test } from 'vitest'
import { readCalendar } from '../../../src/service/invitations/read-calendar'
import { answerCalendar } from '../../../src/service/invitations/write-calendar'
import { calendarCases, calendarText } from './calendars'

const python = '/usr/bin/python3'
const isMissing = spawnSync(python, ['-c', 'import icalendar']).status !== 0

const attendee = { address: 'agent@example.org', name: 'Agent, "the" first; ünïcode' }
const common = { attendee, stamp: '2026-01-02T03:04:05.000Z' }
const proposed = { start: '2026-07-08T12:00:00.000Z', end: '2026-07-08T12:30:00.000Z' }

/** An answer and a proposal for the event of each case. */
const written = calendarCases.flatMap((one) => {
  const [event] = readCalendar(new TextEncoder().encode(calendarText(one)))!.events
  return [
    answerCalendar(event!, {
      ...common,
      method: 'REPLY',
      status: 'ACCEPTED',
      comment: 'Yes;\nsee, you: '.repeat(20),
    }),
    answerCalendar(event!, { ...common, method: 'COUNTER', status: 'TENTATIVE', proposed }),
  ]
})

/** A line for each calendar: method, UID, answer, address, start in seconds or as a day. */
const program = `
import json, sys, datetime
from icalendar import Calendar
for text in json.load(sys.stdin):
    calendar = Calendar.from_ical(text)
    [event] = calendar.walk('VEVENT')
    attendee, start = event['ATTENDEE'], event['DTSTART'].dt
    is_zoned = isinstance(start, datetime.datetime) and start.tzinfo is not None
    print(json.dumps([
        str(calendar['METHOD']), str(event['UID']), attendee.params['PARTSTAT'], str(attendee),
        start.strftime('%Y-%m-%dT%H:%M:%S') + ('Z' if is_zoned else ''), int(event['SEQUENCE']),
        str(event.get('COMMENT', '')),
    ]))
`

const expectedOf = (text: string) => {
  const calendar = new ICAL.Component(ICAL.parse(text))
  const event = calendar.getFirstSubcomponent('vevent')!
  const person = event.getFirstProperty('attendee')!
  const start = String(event.getFirstPropertyValue('dtstart'))
  return [
    ...[calendar.getFirstPropertyValue('method'), event.getFirstPropertyValue('uid')],
    ...[person.getParameter('partstat'), person.getFirstValue()],
    start.length === 10 ? `${start}T00:00:00` : start,
    ...[event.getFirstPropertyValue('sequence'), event.getFirstPropertyValue('comment') ?? ''],
  ]
}

test('answers are read by ical.js as they are meant', () => {
  for (const text of written) {
    expect(text.split('\r\n').every((line) => Buffer.byteLength(line) <= 75)).toBe(true)
    const [method, uid, status, address] = expectedOf(text)
    const statusOf = { REPLY: 'ACCEPTED', COUNTER: 'TENTATIVE' }[String(method)]
    expect([uid, status, address]).toEqual(['1@example.com', statusOf, 'mailto:agent@example.org'])
  }
})

test.skipIf(isMissing)('answers are read alike by python3-icalendar (a Debian package)', () => {
  const { stdout, stderr } = spawnSync(python, ['-c', program], {
    input: JSON.stringify(written),
    encoding: 'utf8',
  })
  expect(stderr).toBe('')
  const read = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(read).toEqual(written.map(expectedOf))
})
