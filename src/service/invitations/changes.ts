import type { CalendarEvent } from '../../mail/calendar'

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

/** Writes a local time in words, such as `Tuesday 2026-03-31 12:00`. */
function timeWords({ start, allDay }: CalendarEvent): string {
  const day = weekdays[new Date(`${start.local}Z`).getUTCDay()]
  const date = start.local.slice(0, 10)
  const zone = start.timeZone === null ? '' : ` (${start.timeZone})`
  return allDay ? `${day} ${date}` : `${day} ${date} ${start.local.slice(11, 16)}${zone}`
}

const lengthOf = ({ start, end }: CalendarEvent): number =>
  Math.round((Date.parse(end.utc ?? `${end.local}Z`) - Date.parse(start.utc ?? `${start.local}Z`)) / 60_000)

const quoted = (text: string | null): string => (text === null || text === '' ? 'nothing' : `"${text}"`)

/**
 * Describes the differences between two versions of an event, the time first. It quotes no text of the earlier
 * one, whose message may be erased.
 */
export function changesBetween(before: CalendarEvent, after: CalendarEvent): string[] {
  const changes: string[] = []
  const [old, now] = [timeWords(before), timeWords(after)]
  if (old !== now) changes.push(`moved from ${old} to ${now}`)
  const [oldLength, newLength] = [lengthOf(before), lengthOf(after)]
  if (oldLength !== newLength) changes.push(`length changed from ${oldLength} to ${newLength} minutes`)
  if (before.title !== after.title) changes.push(`title changed to ${quoted(after.title)}`)
  if (before.location !== after.location) changes.push(`location changed to ${quoted(after.location)}`)
  if (before.meetingLink !== after.meetingLink) changes.push('meeting link changed')
  if ((before.recurrence?.words ?? null) !== (after.recurrence?.words ?? null))
    changes.push(
      `repetition changed from ${before.recurrence?.words ?? 'none'} to ${after.recurrence?.words ?? 'none'}`,
    )
  if (before.description !== after.description) changes.push('description changed')
  return changes
}
