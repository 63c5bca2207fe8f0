/** Methods of iTIP that email carries (RFC 5546 section 1.4). */
export type CalendarMethod = 'REQUEST' | 'CANCEL' | 'REPLY' | 'COUNTER' | 'REFRESH' | 'PUBLISH'

/** Person in an event. */
export interface CalendarPerson {
  /** Lower case, without `mailto:`. */
  address: string
  name: string | null
  /** Address of the person who acts for this one (SENT-BY); null for none. */
  sentBy: string | null
}

/** Invited person with the answer that the calendar states. */
export interface CalendarAttendee extends CalendarPerson {
  /** `needs-action`, `accepted`, `declined`, `tentative` or `delegated`, in lower case. */
  status: string
  optional: boolean
}

/** Time in a calendar. */
export interface CalendarTime {
  /** Time on the clock of its zone: `2026-03-31T12:00:00`; of a day its start. */
  local: string
  /** ISO 8601 in UTC; null if it is floating, or a day. */
  utc: string | null
  /** IANA zone; null if it is floating, a day, or in a zone without an IANA name. */
  timeZone: string | null
}

/** Repetition of an event, with all that its expansion needs. */
export interface CalendarRecurrence {
  /** RRULE values (RFC 5545 section 3.3.10), at most 4. */
  rules: string[]
  /** Local times that RDATE adds, and that EXDATE removes. */
  added: string[]
  removed: string[]
  /** The rules in English words. */
  words: string
}

/** One VEVENT. */
export interface CalendarEvent {
  uid: string
  /** Original local time of a changed occurrence, or of its UTC time if that has no zone; null for the event. */
  recurrenceId: string | null
  sequence: number
  /** ISO 8601; null if missing. */
  stamp: string | null
  isCancelled: boolean
  organizer: CalendarPerson | null
  /** At most 200. */
  attendees: CalendarAttendee[]
  attendeeCount: number
  title: string
  start: CalendarTime
  end: CalendarTime
  allDay: boolean
  recurrence: CalendarRecurrence | null
  location: string | null
  /** HTTPS address of the online meeting. */
  meetingLink: string | null
  description: string | null
  /** Comment of a reply or a counter-proposal. */
  comment: string | null
}

/** The calendar in a message. */
export interface Calendar {
  method: CalendarMethod
  /** At most 50. The event itself comes before its changed occurrences. */
  events: CalendarEvent[]
  /** Up to three occurrences of the first event after its DTSTAMP; empty if it does not repeat. */
  next: CalendarOccurrence[]
}

/** Event to expand: its times and its repetition. */
export type CalendarSeries = Pick<CalendarEvent, 'start' | 'end' | 'allDay' | 'recurrence'>

/** One occurrence of an event. */
export interface CalendarOccurrence {
  /** Original start, as {@link CalendarEvent.recurrenceId} writes it. */
  local: string
  /** ISO 8601 in UTC. */
  start: string
  end: string
}

/** Period, and the number of occurrences of each series that are wanted in it. */
export interface CalendarWindow {
  /** ISO 8601 in UTC. */
  after: string
  before: string
  /** IANA zone of floating times and of days. */
  timeZone: string
  limit: number
}
