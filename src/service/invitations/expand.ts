import ICAL from 'ical.js'
import type { CalendarOccurrence, CalendarSeries, CalendarTime, CalendarWindow } from '../../mail/calendar'
import { ruleParts } from './recurrence-words'
import { localMs, localOf, zonedMs } from './zone-times'

/** Occurrences that one series is followed for: a daily one for 54 years. */
const maxSteps = 20_000
const dayMs = 86_400_000

/** Returns a function that converts local times of an event to ms. */
function toMsOf({ local, utc, timeZone }: CalendarTime, zone: string): (local: string) => number {
  if (timeZone !== null) return (one) => zonedMs(one, timeZone)
  if (utc === null) return (one) => zonedMs(one, zone)
  const offset = localMs(local) - Date.parse(utc)
  return (one) => localMs(one) - offset
}

/** Rules that repeat within a day are not expanded: no meeting does. */
const isExpanded = (rule: string): boolean =>
  ['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'].includes(ruleParts(rule).FREQ ?? '')

/** An UNTIL in UTC becomes local, since rules are followed in local time. */
function localRule(rule: string, start: CalendarTime): ICAL.Recur {
  const recur = ICAL.Recur.fromString(rule)
  if (recur.until && start.utc && String(recur.until).endsWith('Z')) {
    const offset = localMs(start.local) - Date.parse(start.utc)
    // A change of clocks moves it by an hour at most, and no rule has two occurrences in two hours.
    const until = Date.parse(String(recur.until)) + offset + 3_600_000
    recur.until = ICAL.Time.fromDateTimeString(localOf(until))
  }
  return recur
}

function* startsOf({ start, recurrence }: CalendarSeries, untilLocal: string): Generator<string> {
  yield start.local
  for (const added of recurrence?.added ?? []) yield added
  for (const rule of (recurrence?.rules ?? []).filter(isExpanded)) {
    const iterator = localRule(rule, start).iterator(ICAL.Time.fromDateTimeString(start.local))
    for (let step = 0; step < maxSteps; step++) {
      const next = iterator.next()
      if (!next) break
      const local = `${next.toString().slice(0, 10)}T${start.local.slice(11)}`
      const text = next.isDate ? local : next.toString().slice(0, 19)
      if (text > untilLocal) break
      yield text
    }
  }
}

/**
 * Returns the occurrences of a series that overlap a period, in order. Only for threads with a limit of time.
 */
export function expandSeries(series: CalendarSeries, window: CalendarWindow): CalendarOccurrence[] {
  const startMs = toMsOf(series.start, window.timeZone)
  const endMs = toMsOf(series.end, window.timeZone)
  const lengthMs = Math.max(0, endMs(series.end.local) - startMs(series.start.local))
  const [after, before] = [Date.parse(window.after), Date.parse(window.before)]
  const removed = new Set(series.recurrence?.removed)
  const found = new Map<string, CalendarOccurrence>()
  const fromLocal = localOf(after - lengthMs - 2 * dayMs)
  for (const local of startsOf(series, localOf(before + 2 * dayMs))) {
    if (removed.has(local) || local < fromLocal || found.has(local)) continue
    const start = startMs(local)
    const end = start + lengthMs
    if (start >= before || (end <= after && start < after)) continue
    const times = { start: new Date(start).toISOString(), end: new Date(end).toISOString() }
    found.set(local, { local, ...times })
    if (found.size >= window.limit * 4) break
  }
  return [...found.values()].sort((a, b) => (a.start < b.start ? -1 : 1)).slice(0, window.limit)
}
