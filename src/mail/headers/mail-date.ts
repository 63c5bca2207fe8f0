import { own } from '../../protocol/own'
import { hourMs, minuteMs } from '../../protocol/time/clock'

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
/** Form of RFC 5322, which nearly all programs use. */
const plain =
  /^(?:[a-z]{3}, )?(\d{1,2}) ([a-z]{3}) (\d{4}) (\d\d):(\d\d):(\d\d) ([+-])(\d\d)(\d\d)(?: \([a-z]{1,9}\))?$/i
const date = /(\d{1,2})[ -]+([a-z]{3})[a-z]*[ -]+(\d{2,4})[ ,]+(\d{1,2})[:.](\d{2})(?:[:.](\d{2}))?(.*)$/i
const asctimePattern = /([a-z]{3}) +(\d{1,2}) +(\d{1,2}):(\d{2}):(\d{2}) +(?:([a-z]{1,5}) +)?(\d{4})/i
/** Form of the United States, with am and pm. */
const americanPattern = /^(\d{1,2})\/(\d{1,2})\/(\d{4}),? +(\d{1,2}):(\d{2})(?::(\d{2}))?( ?[ap]\.?m\.?.*)$/i
const yearFirst = /^(?:[a-z]{3,9},? )?(\d{4})[/.](\d{1,2})[/.](\d{1,2}) +(\d{1,2}):(\d{2})(?::(\d{2}))?(.*)$/i
const monthFirst =
  /^(?:[a-z]{3,9},? )?([a-z]{3})[a-z]*\.? (\d{1,2}),? (\d{4}),?(?: at)? (\d{1,2}):(\d{2})(?::(\d{2}))?(.*)$/i
const halfPattern = /^\s?([ap])\.?m\b\.?/i
const iso = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?$/i
const obsoleteZones: Record<string, number> = {
  est: -5,
  edt: -4,
  cst: -6,
  cdt: -5,
  mst: -7,
  mdt: -6,
  pst: -8,
  pdt: -7,
}

/**
 * Parses the Date header (RFC 5322 §3.3, obsolete forms of §4.3, `asctime` and ISO 8601 as well).
 *
 * @returns ISO 8601 in UTC with milliseconds, or null if it is no date between 1970 and 9999. A missing zone
 * counts as UTC.
 */
export function parseMailDate(value: string): string | null {
  const text = value.slice(0, 120).replace(/\s+/g, ' ').trim()
  const time = plainTime(text) ?? rfcTime(text) ?? asctime(text) ?? isoTime(text) ?? otherTime(text)
  if (time === null || !(time >= 0 && time < 253_402_300_800_000)) return null
  return new Date(time).toISOString()
}

function plainTime(text: string): number | null {
  const match = plain.exec(text)
  if (!match) return null
  const numbers = [match[1], match[4], match[5], match[6]].map(Number)
  const minutes = (Number(match[8]) * 60 + Number(match[9])) * (match[7] === '-' ? -1 : 1)
  return utc(Number(match[3]), match[2]!, numbers, minutes * minuteMs)
}

function rfcTime(text: string): number | null {
  const match = date.exec(text)
  if (!match) return null
  const [, day, month, year, hour, minute, second, zone] = match
  return utc(
    Number(year),
    String(month),
    [day, hourOf(hour, zone), minute, second ?? 0].map(Number),
    zoneMs(zone),
  )
}

function otherTime(text: string): number | null {
  const [, ...american] = americanPattern.exec(text) ?? []
  const [, year, month, day, ...rest] = yearFirst.exec(text) ?? []
  const named = monthFirst.exec(text)
  const found =
    american.length > 0
      ? [american[2], american[0], american[1], ...american.slice(3)]
      : [year, month, day, ...rest]
  const [y, m, d, hour, minute, second, zone] = named
    ? [named[3], named[1], named[2], ...named.slice(4)]
    : found
  if (y === undefined) return null
  const name = named ? String(m) : (months[Number(m) - 1] ?? '')
  return utc(Number(y), name, [d, hourOf(hour, zone), minute, second ?? 0].map(Number), zoneMs(zone))
}

/** Returns the hour of the day, from one with am or pm. */
function hourOf(hour: string | undefined, behind = ''): number {
  const half = halfPattern.exec(behind)?.[1]?.toLowerCase()
  const number = Number(hour)
  if (!half || number > 12) return number
  return (number % 12) + (half === 'p' ? 12 : 0)
}

function asctime(text: string): number | null {
  const match = asctimePattern.exec(text)
  if (!match) return null
  const [, month, day, hour, minute, second, zone, year] = match
  return utc(Number(year), String(month), [day, hourOf(hour, zone), minute, second].map(Number), zoneMs(zone))
}

function isoTime(text: string): number | null {
  const match = iso.exec(text)
  if (!match) return null
  const time = Date.parse(match[3] ? text : `${text}Z`)
  return Number.isNaN(time) ? null : time
}

function utc(year: number, monthName: string, numbers: number[], offsetMs: number): number | null {
  const [day = 0, hour = 0, minute = 0, second = 0] = numbers
  const month = months.indexOf(monthName.slice(0, 3).toLowerCase())
  if (month < 0 || day < 1 || day > 31 || hour > 24 || minute > 59 || second > 60) return null
  return Date.UTC(fullYear(year), month, day, hour, minute, second) - offsetMs
}

// RFC 5322 §4.3: two digits below 50 are this century; any other two or three digits add 1900.
function fullYear(year: number): number {
  if (year >= 1000) return year
  return year < 50 ? year + 2000 : year + 1900
}

function zoneMs(zone = ''): number {
  const numeric = /([+-])(\d{1,2}?):?(\d{2})(?!\d)/.exec(zone) ?? /([+-])(\d{1,2})()(?![\d:])/.exec(zone)
  if (numeric) {
    const minutes = Number(numeric[2]) * 60 + Number(numeric[3])
    return (numeric[1] === '-' ? -minutes : minutes) * minuteMs
  }
  const name = /[a-z]{3}/i.exec(zone.replace(halfPattern, ''))?.[0].toLowerCase() ?? ''
  return (own(obsoleteZones, name) ?? 0) * hourMs
}
