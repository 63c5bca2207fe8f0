import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { CalendarEvent, CalendarMethod } from '../../../src/mail/calendar'
import { stateOf, type Version } from '../../../src/service/invitations/agenda'
import { readCalendar } from '../../../src/service/invitations/read-calendar'
import { calendarText } from './calendars'

const own = 'agent@example.org'

function eventOf(
  sequence: number,
  stamp: number,
  hour: number,
  recurrence: string,
  status: string,
): CalendarEvent {
  const event = [
    'ORGANIZER:mailto:ana@example.com',
    `ATTENDEE;PARTSTAT=${status}:mailto:${own}`,
    `SEQUENCE:${sequence}`,
    `DTSTART:2026070${hour}T100000Z`,
    ...(recurrence ? [`RECURRENCE-ID:${recurrence}`] : []),
  ]
  const text = calendarText({ name: '', event, expected: {} })
  const read = readCalendar(new TextEncoder().encode(text))!.events[0]!
  return { ...read, stamp: new Date(Date.UTC(2026, 0, 1 + stamp)).toISOString() }
}

/** A message of the organizer, or an answer of the inbox. */
const message = fc
  .record({
    method: fc.constantFrom<CalendarMethod>('REQUEST', 'REQUEST', 'CANCEL', 'REPLY'),
    sequence: fc.nat(3),
    stamp: fc.nat(5),
    hour: fc.integer({ min: 1, max: 4 }),
    recurrence: fc.constantFrom('', '', '20260714T100000Z'),
    status: fc.constantFrom('ACCEPTED', 'DECLINED'),
  })
  .map(({ method, sequence, stamp, hour, recurrence, status }): Omit<Version, 'arrived'> => {
    const isReply = method === 'REPLY'
    const event = eventOf(sequence, stamp, hour, recurrence, status)
    const direction = isReply ? 'outbound' : 'inbound'
    return { method, event, direction, from: 'ana@example.com', isProven: true, messageId: '' }
  })

/** What an agenda shows: nothing of the order of arrival. */
const shown = (messages: readonly Omit<Version, 'arrived'>[]) => {
  const versions = messages.map((one, arrived) => ({ ...one, arrived }))
  const { events, pending } = stateOf(versions, own)
  const states = [...events].map(([id, { version, isCancelled, answer }]) => ({
    ...{ id, isCancelled, answer, event: version.event },
  }))
  return { states: states.sort((a, b) => (a.id < b.id ? -1 : 1)), pending: pending.length }
}

test('any order and repetition of messages ends in the same agenda', () => {
  const drawn = fc.array(message, { maxLength: 8 }).chain((messages) =>
    fc.record({
      messages: fc.constant(messages),
      others: fc.shuffledSubarray([...messages, ...messages], { minLength: messages.length * 2 }),
    }),
  )
  fc.assert(
    fc.property(drawn, ({ messages, others }) => {
      expect(shown(others)).toEqual(shown(messages))
    }),
    { numRuns: 300 },
  )
})
