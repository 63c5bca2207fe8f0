import type { CalendarEvent, CalendarPerson, CalendarTime } from '../../mail/calendar'

/** Answer to an invitation (RFC 5546 sections 3.2.3 and 3.2.7). */
export interface CalendarAnswer {
  method: 'REPLY' | 'COUNTER'
  /** `ACCEPTED`, `DECLINED` or `TENTATIVE`. */
  status: string
  attendee: { address: string; name: string | null }
  /** ISO 8601 in UTC. */
  stamp: string
  comment?: string | undefined
  /** Proposed times, ISO 8601 in UTC, for a counter-proposal. */
  proposed?: { start: string; end: string } | undefined
}

const maxLineBytes = 75

/** Folds a line so that no part has more than 75 bytes, without dividing a character (RFC 5545 section 3.1). */
function folded(line: string): string {
  const parts: string[] = []
  let [start, at, bytes] = [0, 0, 0]
  for (const char of line) {
    const size = Buffer.byteLength(char)
    if (bytes + size > maxLineBytes) {
      parts.push(line.slice(start, at))
      start = at
      bytes = 1
    }
    at += char.length
    bytes += size
  }
  return [...parts, line.slice(start)].join('\r\n ')
}

const textValue = (text: string): string =>
  text
    .replace(/[\\;,]/g, '\\$&')
    .replace(/\r\n?|\n/g, '\\n')
    .replace(/\p{Cc}/gu, ' ')

/** Writes a parameter value in quotes, which cannot hold quotes themselves. */
const quoted = (text: string): string => `"${text.replace(/["\p{Cc}]/gu, "'")}"`

const nameOf = ({ name }: Pick<CalendarPerson, 'name'>): string => (name ? `;CN=${quoted(name)}` : '')

const basic = (time: string): string => time.replace(/\.\d+/, '').replace(/[-:]/g, '')

/** Writes a property of a time: a day, a floating time, or a time in UTC, which needs no zone definition. */
function timeLine(name: string, { local, utc }: CalendarTime, allDay: boolean): string {
  if (allDay) return `${name};VALUE=DATE:${basic(local.slice(0, 10))}`
  return `${name}:${basic(utc ?? local)}`
}

function recurrenceLine({ recurrenceId, allDay }: CalendarEvent): string[] {
  if (recurrenceId === null) return []
  const utc = recurrenceId.endsWith('Z') ? recurrenceId : null
  return [timeLine('RECURRENCE-ID', { local: recurrenceId.slice(0, 19), utc, timeZone: null }, allDay)]
}

function timesOf({ start, end, allDay }: CalendarEvent, proposed: CalendarAnswer['proposed']): string[] {
  if (!proposed) return [timeLine('DTSTART', start, allDay), timeLine('DTEND', end, allDay)]
  return [`DTSTART:${basic(proposed.start)}`, `DTEND:${basic(proposed.end)}`]
}

/** Writes the calendar of an answer to an event. */
export function answerCalendar(event: CalendarEvent, answer: CalendarAnswer): string {
  const { method, status, attendee, stamp, comment, proposed } = answer
  const { organizer } = event
  const lines = [
    ...['BEGIN:VCALENDAR', 'PRODID:-//Restante//Invitations//EN', 'VERSION:2.0', `METHOD:${method}`],
    ...[
      'BEGIN:VEVENT',
      `UID:${textValue(event.uid)}`,
      `SEQUENCE:${event.sequence}`,
      `DTSTAMP:${basic(stamp)}`,
    ],
    ...(organizer ? [`ORGANIZER${nameOf(organizer)}:mailto:${organizer.address}`] : []),
    `ATTENDEE;PARTSTAT=${status}${nameOf(attendee)}:mailto:${attendee.address}`,
    ...recurrenceLine(event),
    ...timesOf(event, proposed),
    ...(event.title === '' ? [] : [`SUMMARY:${textValue(event.title)}`]),
    ...(comment ? [`COMMENT:${textValue(comment)}`] : []),
    ...['END:VEVENT', 'END:VCALENDAR', ''],
  ]
  return lines.map(folded).join('\r\n')
}
