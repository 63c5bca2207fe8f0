import ICAL from 'ical.js'
import { windowsZones } from './windows-zones'
import { isZone, localMs, offsetAt, zonedMs } from './zone-times'

/** A zone of a calendar, as it converts a local time. */
export interface ResolvedZone {
  /** IANA name; null if the definition fits no zone. */
  name: string | null
  /** Converts a local time to ms. */
  toMs(local: string): number
}

/** Rules of a VTIMEZONE that may be expanded: more frequent ones only cost time. */
const isBounded = (zone: ICAL.Component): boolean =>
  zone
    .getAllSubcomponents()
    .flatMap((part) => part.getAllProperties('rrule'))
    .every((rule) => /(?:^|;)FREQ=YEARLY(?:;|$)/i.test(String(rule.getFirstValue())))

const maxObservances = 200

/** Returns the offset that a VTIMEZONE defines for a local time, in ms. */
function definedOffset(zone: ICAL.Timezone, local: string): number {
  return zone.utcOffset(ICAL.Time.fromDateTimeString(local)) * 1000
}

function timezoneOf(component: ICAL.Component): ICAL.Timezone | null {
  if (component.getAllSubcomponents().length > maxObservances || !isBounded(component)) return null
  try {
    const zone = new ICAL.Timezone(component)
    definedOffset(zone, '2026-01-01T00:00:00')
    return zone
  } catch {
    return null
  }
}

const minutesOf = (sign: string, hours: string, minutes = '0'): number =>
  (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes))

/** Reads names that state their offset, such as `GMT+0100` and `(UTC+05:30) Chennai`; null for others. */
function statedOffset(name: string): number | null {
  const found = /^\(?(?:GMT|UTC)\s?([+-])(\d{1,2})(?::?([0-5]\d))?(?:\)|$)/i.exec(name)
  if (!found) return /^\(?(?:GMT|UTC|Z)\)?$/i.test(name) ? 0 : null
  const minutes = minutesOf(found[1]!, found[2]!, found[3])
  return Math.abs(minutes) <= 14 * 60 ? minutes * 60_000 : null
}

/** Finds an IANA name in a zone name: alone, behind a vendor's prefix, or by its Windows name. */
function ianaNameOf(name: string): string | null {
  const trimmed = name.trim().replace(/^"|"$/g, '').slice(0, 200)
  if (/^UTC$/i.test(trimmed)) return 'UTC'
  const windows = windowsZones.get(trimmed.toLowerCase())
  if (windows) return windows
  const parts = trimmed.split('/').filter((part) => part !== '')
  for (let from = 0; from < Math.min(parts.length, 8); from++) {
    const tail = parts.slice(from).join('/')
    if (isIana(tail)) return tail
  }
  return null
}

/** Abbreviations such as `EST` name an offset here and a zone elsewhere: the definition decides. */
const isIana = (name: string): boolean => (name.includes('/') || /^UTC$/i.test(name)) && isZone(name)

/** Zones that a definition is compared with, those with most people first. */
const candidates = [
  ...['Europe/Berlin', 'America/New_York', 'America/Los_Angeles', 'America/Chicago', 'Europe/London'],
  ...['America/Denver', 'Asia/Tokyo', 'Asia/Calcutta', 'Asia/Shanghai', 'Australia/Sydney', 'Europe/Kiev'],
  ...windowsZones.values(),
]

/** Finds the zone that has the offsets of a definition in the year around a time, every two weeks. */
function matchingZone(zone: ICAL.Timezone, local: string): string | null {
  const start = localMs(local)
  const samples = Array.from({ length: 27 }, (_, i) => start + (i - 13) * 14 * 86_400_000)
  const offsets = samples.map((ms) => definedOffset(zone, new Date(ms).toISOString().slice(0, 19)))
  const fits = (name: string) => samples.every((ms, i) => offsetAt(name, ms - offsets[i]!) === offsets[i])
  return candidates.find(fits) ?? null
}

const named = (name: string): ResolvedZone => ({ name, toMs: (local) => zonedMs(local, name) })

/**
 * Resolves the TZID of a time: by its name, by the location or the offsets of its definition, or by an offset
 * in its name. Null if nothing defines it.
 */
export function resolveZone(
  id: string,
  definitions: ReadonlyMap<string, ICAL.Component>,
  local: string,
): ResolvedZone | null {
  const known = ianaNameOf(id)
  if (known) return named(known)
  const definition = definitions.get(id)
  const location = definition?.getFirstPropertyValue('x-lic-location')
  const located = typeof location === 'string' ? ianaNameOf(location) : null
  if (located) return named(located)
  const zone = definition && timezoneOf(definition)
  if (zone) {
    const match = matchingZone(zone, local)
    return match ? named(match) : { name: null, toMs: (time) => localMs(time) - definedOffset(zone, time) }
  }
  const offset = statedOffset(id)
  return offset === null
    ? null
    : { name: offset === 0 ? 'UTC' : null, toMs: (time) => localMs(time) - offset }
}
