const formats = new Map<string, Intl.DateTimeFormat | null>()
const maxFormats = 600

function formatOf(timeZone: string): Intl.DateTimeFormat | null {
  const known = formats.get(timeZone)
  if (known !== undefined) return known
  if (formats.size >= maxFormats) formats.clear()
  const made = createFormat(timeZone)
  formats.set(timeZone, made)
  return made
}

function createFormat(timeZone: string): Intl.DateTimeFormat | null {
  // Only a name: newer runtimes also accept offsets, others do not.
  if (!/^[A-Za-z][\w+/-]{0,60}$/.test(timeZone)) return null
  try {
    return new Intl.DateTimeFormat('en-US', {
      ...{ timeZone, hourCycle: 'h23', era: 'short' },
      ...{ year: 'numeric', month: 'numeric', day: 'numeric' },
      ...{ hour: 'numeric', minute: 'numeric', second: 'numeric' },
    })
  } catch {
    return null
  }
}

/** Returns whether the runtime knows an IANA zone. */
export const isZone = (timeZone: string): boolean => formatOf(timeZone) !== null

/** Returns the offset of a known zone from UTC at a time, in ms. */
export function offsetAt(timeZone: string, timeMs: number): number {
  const parts = formatOf(timeZone)!.formatToParts(timeMs)
  const of = (type: string) => Number(parts.find((part) => part.type === type)!.value)
  const whole = Math.floor(timeMs / 1000) * 1000
  return Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second')) - whole
}

/** Returns a local time, such as `2026-03-31T12:00:00`, as if it were in UTC, in ms. */
export const localMs = (local: string): number => Date.parse(`${local}Z`)

/** Writes the reverse of {@link localMs}. */
export const localOf = (ms: number): string => new Date(ms).toISOString().slice(0, 19)

/**
 * Converts a local time to ms. A time that a change of clocks skips is read with the offset before the
 * change, and a time that occurs twice is the first (RFC 5545 section 3.3.5).
 */
export function zonedMs(local: string, timeZone: string): number {
  const asUtc = localMs(local)
  const before = offsetAt(timeZone, asUtc - 86_400_000)
  const after = offsetAt(timeZone, asUtc + 86_400_000)
  if (offsetAt(timeZone, asUtc - before) === before) return asUtc - before
  return offsetAt(timeZone, asUtc - after) === after ? asUtc - after : asUtc - before
}
