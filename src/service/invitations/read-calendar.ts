import ICAL from 'ical.js'
import type {
  Calendar,
  CalendarAttendee,
  CalendarEvent,
  CalendarMethod,
  CalendarPerson,
  CalendarRecurrence,
  CalendarTime,
} from '../../mail/calendar'
import { truncated, wellFormed } from '../../mail/text/safe-text'
import { meetingLinkIn } from './meeting-link'
import { recurrenceWords } from './recurrence-words'
import { type ResolvedZone, resolveZone } from './time-zones'
import { localMs, localOf } from './zone-times'

/** Maximum bytes of a calendar that is read. */
const maxCalendarBytes = 512 * 1024
const maxLines = 20_000
const maxEvents = 50
const maxAttendees = 200
const maxRules = 4
const maxDates = 500
const maxParameters = 200
/** Ten years: no event is longer. */
const maxLengthMs = 3_660 * 86_400_000
const maxTitle = 500
const maxLine = 1_000
const maxDescription = 4_096

const methods: readonly string[] = ['REQUEST', 'CANCEL', 'REPLY', 'COUNTER', 'REFRESH', 'PUBLISH']

type Zones = ReadonlyMap<string, ICAL.Component>

/** Value of a date or a time in a calendar, and its zone. */
interface Written {
  text: string
  zoneId: string | null
  isDate: boolean
}

const clean = (value: unknown, max: number): string | null => {
  if (typeof value !== 'string') return null
  const text = truncated(wellFormed(value).replace(/\r\n?/g, '\n'), max).trim()
  return text === '' ? null : text
}

const oneLine = (value: unknown, max: number): string | null =>
  clean(typeof value === 'string' ? value.replace(/[\s\p{Cc}]+/gu, ' ') : value, max)

const textOf = (event: ICAL.Component, name: string, max: number) =>
  clean(event.getFirstPropertyValue(name), max)

/** A time of the years 1000 to 9998, which keep four digits in every zone. */
const timePattern = /^(?!0|9999)\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}:\d{2}Z?)?$/

/** Reads the values of a property of dates or times; unreadable ones are left out. */
function writtenTimes(property: ICAL.Property): Written[] {
  const tzid = property.getParameter('tzid')
  const zoneId = typeof tzid === 'string' ? tzid : null
  return (
    (property.toJSON().slice(3) as unknown[])
      .slice(0, maxDates)
      .map((value) => (Array.isArray(value) ? value[0] : value))
      .filter((value): value is string => typeof value === 'string')
      // A day whose property does not say that it is one.
      .map((value) => value.replace(/T::$/, ''))
      .filter((text) => timePattern.test(text))
      .filter((text) => !Number.isNaN(Date.parse(text.length > 10 ? text : `${text}T00:00:00`)))
      .map((text) => ({ text, zoneId, isDate: text.length === 10 }))
  )
}

function zoneOf({ text, zoneId, isDate }: Written, zones: Zones): ResolvedZone | null {
  if (isDate) return null
  const local = text.slice(0, 19)
  if (text.endsWith('Z')) return { name: 'UTC', toMs: localMs }
  return zoneId === null ? null : resolveZone(zoneId, zones, local)
}

const utcText = (ms: number): string => new Date(ms).toISOString()

function timeOf(local: string, zone: ResolvedZone | null): CalendarTime {
  return { local, utc: zone && utcText(zone.toMs(local)), timeZone: zone?.name ?? null }
}

const localText = ({ text, isDate }: Written): string => (isDate ? `${text}T00:00:00` : text.slice(0, 19))

function firstTime(event: ICAL.Component, name: string): Written | null {
  const property = event.getFirstProperty(name)
  return property ? (writtenTimes(property)[0] ?? null) : null
}

/** Returns the length of an event in ms: its DURATION, else a day or nothing (RFC 5545 section 3.6.1). */
function lengthOf(event: ICAL.Component, isDate: boolean): number {
  const duration = event.getFirstPropertyValue('duration')
  if (duration instanceof ICAL.Duration)
    return Math.min(Math.max(0, duration.toSeconds() * 1000), maxLengthMs)
  return isDate ? 86_400_000 : 0
}

function endOf(event: ICAL.Component, start: Written, zone: ResolvedZone | null, zones: Zones): CalendarTime {
  const end = firstTime(event, 'dtend')
  const first = timeOf(localText(start), zone)
  const read = end && end.isDate === start.isDate ? timeOf(localText(end), zoneOf(end, zones)) : null
  const startMs = first.utc ?? first.local
  if (read && (read.utc === null) === (first.utc === null) && (read.utc ?? read.local) >= startMs) return read
  const length = lengthOf(event, start.isDate)
  return timeOf(localOf(localMs(first.local) + length), zone)
}

const addressOf = (value: unknown): string | null => {
  if (typeof value !== 'string') return null
  const address = value
    .trim()
    .replace(/^mailto:/i, '')
    .trim()
    .toLowerCase()
  return /^[^\s<>",;:]{1,64}@[^\s<>",;:@]{1,255}$/.test(address) ? wellFormed(address) : null
}

const parameter = (property: ICAL.Property, name: string): string | null => {
  const value = property.getParameter(name)
  return (Array.isArray(value) ? value[0] : value) ?? null
}

function personOf(property: ICAL.Property | null): CalendarPerson | null {
  if (!property) return null
  const address = addressOf(property.getFirstValue()) ?? addressOf(parameter(property, 'email'))
  if (!address) return null
  const name = oneLine(parameter(property, 'cn'), 200)
  return { address, name, sentBy: addressOf(parameter(property, 'sent-by')) }
}

function attendeeOf(property: ICAL.Property): CalendarAttendee[] {
  const person = personOf(property)
  if (!person) return []
  const status = (parameter(property, 'partstat') ?? 'needs-action').toLowerCase()
  const optional = /^(?:opt|non)-participant$/i.test(parameter(property, 'role') ?? '')
  return [{ ...person, status: /^[a-z-]{1,30}$/.test(status) ? status : 'needs-action', optional }]
}

function recurrenceOf(event: ICAL.Component): CalendarRecurrence | null {
  const rules = event
    .getAllProperties('rrule')
    .slice(0, maxRules)
    .map((one) => String(one.getFirstValue()).slice(0, 500))
  const datesOf = (name: string) =>
    event
      .getAllProperties(name)
      .slice(0, maxDates)
      .flatMap((one) => writtenTimes(one).map(localText))
      .slice(0, maxDates)
  const [added, removed] = [datesOf('rdate'), datesOf('exdate')]
  if (rules.length === 0 && added.length === 0) return null
  const words = rules.length > 0 ? rules.map(recurrenceWords).join(', and ') : 'on several dates'
  return { rules, added, removed, words }
}

/** Places where programs store the address of an online meeting, the surest first. */
const linkFields = [
  ...['x-google-conference', 'x-microsoft-skypeteamsmeetingurl', 'x-microsoft-onlinemeetingexternallink'],
  ...['conference', 'url', 'location', 'description'],
]

function sequenceOf(event: ICAL.Component): number {
  const value = Number(event.getFirstPropertyValue('sequence') ?? 0)
  return Number.isSafeInteger(value) && value > 0 ? Math.min(value, 2 ** 31) : 0
}

function stampOf(event: ICAL.Component): string | null {
  const stamp = firstTime(event, 'dtstamp')
  return stamp && !stamp.isDate ? utcText(localMs(stamp.text.slice(0, 19))) : null
}

/** Returns the id of an occurrence: in UTC if its zone is known, so that all spellings of it are equal. */
function recurrenceIdOf(time: Written, zones: Zones): string {
  const local = localText(time)
  const zone = time.isDate ? null : zoneOf(time, zones)
  return zone ? `${utcText(zone.toMs(local)).slice(0, 19)}Z` : local
}

function eventOf(event: ICAL.Component, zones: Zones): CalendarEvent | null {
  const uid = textOf(event, 'uid', maxLine)
  const start = firstTime(event, 'dtstart') ?? firstTime(event, 'recurrence-id')
  if (!uid) return null
  const changed = firstTime(event, 'recurrence-id')
  const begin = start ?? { text: '1970-01-01', zoneId: null, isDate: true }
  const zone = zoneOf(begin, zones)
  const attendees = event.getAllProperties('attendee')
  const links = linkFields.map((name) => event.getFirstPropertyValue(name))
  return {
    uid,
    recurrenceId: changed && recurrenceIdOf(changed, zones),
    sequence: sequenceOf(event),
    stamp: stampOf(event),
    isCancelled: /^cancelled$/i.test(String(event.getFirstPropertyValue('status') ?? '')),
    organizer: personOf(event.getFirstProperty('organizer')),
    attendees: attendees.slice(0, maxAttendees).flatMap(attendeeOf),
    attendeeCount: attendees.length,
    title: oneLine(event.getFirstPropertyValue('summary'), maxTitle) ?? '',
    start: timeOf(localText(begin), zone),
    end: endOf(event, begin, zone, zones),
    allDay: begin.isDate,
    recurrence: changed ? null : recurrenceOf(event),
    location: oneLine(event.getFirstPropertyValue('location'), maxLine),
    meetingLink: meetingLinkIn(links.filter((link) => typeof link === 'string')),
    description: textOf(event, 'description', maxDescription),
    comment: textOf(event, 'comment', maxDescription),
  }
}

function componentsOf(text: string): ICAL.Component | null {
  const parsed = ICAL.parse(text) as unknown[]
  // Several calendars in one file: the first is read.
  const first = typeof parsed[0] === 'string' ? parsed : parsed[0]
  const component = new ICAL.Component(first as ConstructorParameters<typeof ICAL.Component>[0])
  return component.name === 'vcalendar' ? component : null
}

function zonesOf(calendar: ICAL.Component): Zones {
  const zones = new Map<string, ICAL.Component>()
  for (const zone of calendar.getAllSubcomponents('vtimezone').slice(0, maxEvents)) {
    const id = zone.getFirstPropertyValue('tzid')
    if (typeof id === 'string') zones.set(id, zone)
  }
  return zones
}

const parameterStart = /;[A-Za-z][\w-]{0,60}=/g

/**
 * Unfolds the lines and removes what stops a strict parser: a mark at the start, and lines that are empty or
 * have no name. Also removes properties of very many parameters, whose parsing takes the square of their number.
 */
function readableLines(text: string): string | null {
  const lines = text.replace(/^\ufeff/, '').split(/\r\n|\n|\r/)
  if (lines.length > maxLines) return null
  return lines
    .filter((line) => /^[ \t]./.test(line) || /^[A-Za-z][\w-]*[;:]/.test(line))
    .join('\n')
    .replace(/\n[ \t]/g, '')
    .split('\n')
    .filter((line) => (line.match(parameterStart)?.length ?? 0) <= maxParameters)
    .join('\r\n')
}

/**
 * Reads a calendar (RFC 5545). It may take long for a hostile one, so it runs only in threads with a limit of
 * time.
 *
 * @param declared method in the content type of the part, for a calendar without METHOD
 * @returns null if it has no readable event
 */
export function readCalendar(
  bytes: Uint8Array,
  declared: string | null = null,
): Omit<Calendar, 'next'> | null {
  if (bytes.length > maxCalendarBytes) return null
  try {
    const text = readableLines(new TextDecoder().decode(bytes))
    const calendar = text && componentsOf(text)
    if (!calendar) return null
    const zones = zonesOf(calendar)
    const read = calendar
      .getAllSubcomponents('vevent')
      .slice(0, maxEvents)
      .flatMap((event) => eventOf(event, zones) ?? [])
    if (read.length === 0) return null
    const method = String(calendar.getFirstPropertyValue('method') ?? declared ?? 'PUBLISH').toUpperCase()
    const events = [...read].sort((a, b) => Number(a.recurrenceId !== null) - Number(b.recurrenceId !== null))
    return { method: (methods.includes(method) ? method : 'PUBLISH') as CalendarMethod, events }
  } catch {
    return null
  }
}
