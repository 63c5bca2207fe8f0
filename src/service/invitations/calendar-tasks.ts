import type {
  Calendar,
  CalendarEvent,
  CalendarOccurrence,
  CalendarSeries,
  CalendarWindow,
} from '../../mail/calendar'
import { readAttachments } from '../../mail/parse'
import type { ParsedMail } from '../../mail/parsed-mail'
import { calendarIndexOf } from './calendar-part'
import { expandSeries } from './expand'
import { readCalendar } from './read-calendar'

/** Reads the calendar in an attachment of a message; null if there is none. Never throws. */
export async function calendarAt(raw: Uint8Array, index: number): Promise<Calendar | null> {
  const [file] = await readAttachments(raw, [index])
  if (!file) return null
  const method = /;\s?method="?([A-Za-z]{1,20})/i.exec(file.fullType)?.[1] ?? null
  const calendar = readCalendar(file.content, method)
  return calendar && { ...calendar, next: nextOf(calendar.events[0]!) }
}

/** Years in which the next occurrences are searched. */
const years = 5

/** Returns the first occurrences of an event after it was sent. */
function nextOf(event: CalendarEvent): CalendarOccurrence[] {
  if (!event.recurrence) return []
  const after = event.stamp ?? event.start.utc ?? `${event.start.local}.000Z`
  const before = new Date(Date.parse(after) + years * 366 * 86_400_000).toISOString()
  return occurrencesOf([event], { after, before, timeZone: 'UTC', limit: 3 })[0]!
}

/**
 * Adds the calendar in a message to what was read of it. Only for threads with a limit of time, and for tests.
 */
export async function withCalendar(mail: ParsedMail, raw: Uint8Array): Promise<ParsedMail> {
  const index = calendarIndexOf(mail)
  const calendar = index === null ? null : await calendarAt(raw, index)
  return calendar ? { ...mail, calendar } : mail
}

/** Expands each series; one that cannot be expanded has its first time only. */
export const occurrencesOf = (
  series: readonly CalendarSeries[],
  window: CalendarWindow,
): CalendarOccurrence[][] =>
  series.map((one) => {
    try {
      return expandSeries(one, window)
    } catch {
      return expandSeries({ ...one, recurrence: null }, window)
    }
  })
