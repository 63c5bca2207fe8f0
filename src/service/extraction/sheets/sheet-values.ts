const dayMs = 24 * 60 * 60 * 1000
/** Day 0 of both calendars; that of 1900 counts a 29 February 1900, so it fits from March 1900 on. */
const firstDay = { 1900: Date.UTC(1899, 11, 30), 1904: Date.UTC(1904, 0, 1) } as const
/** 31 December 9999. */
const maxDay = 2_958_465
/** Built-in formats of dates and times (ECMA-376 part 1, section 18.8.30). */
const isBuiltInDate = (id: number): boolean =>
  (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58)

/** Returns whether a number format shows a date or a time. */
export function isDateFormat(id: number, code: string | undefined): boolean {
  if (code === undefined) return isBuiltInDate(id)
  const bare = code
    .slice(0, 255)
    .replace(/"[^"]*"|\\./g, '')
    .replace(/\[(?:\$|[a-z]{3,}|color)[^\]]{0,60}\]/gi, '')
  return /[dmyhs]/i.test(bare) && !/general/i.test(bare)
}

/** Formats the serial number of a day as an ISO date, a date with time, or a time. */
export function isoDate(value: string, calendar: 1900 | 1904): string {
  const days = Number(value)
  if (value.trim() === '' || !Number.isFinite(days) || days < 0 || days > maxDay) return value
  const iso = new Date(firstDay[calendar] + Math.round((days * dayMs) / 1000) * 1000).toISOString()
  if (days < 1) return iso.slice(11, 19)
  return Number.isInteger(days) ? iso.slice(0, 10) : iso.slice(0, 19)
}

/** Returns the number of a column from 0 by its letters, as in `AB12`; null without letters. */
export function columnOf(reference: string): number | null {
  const [letters] = /^[A-Z]{1,3}/i.exec(reference) ?? []
  if (!letters) return null
  return [...letters.toUpperCase()].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
}
