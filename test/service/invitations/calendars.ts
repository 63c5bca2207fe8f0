import { expect } from 'vitest'

/**
 * Calendars in the form that programs write them. All are written for this project, after the published
 * documentation of each program; none is copied.
 */
export interface CalendarCase {
  name: string
  /** Lines of the VEVENT without UID and DTSTAMP. */
  event: string[]
  /** Lines before the event, such as VTIMEZONE. */
  zones?: string[]
  method?: string | null
  prodId?: string
  expected: Record<string, unknown>
}

const organizer = 'ORGANIZER;CN=Ana:mailto:ana@example.com'

/** Outlook's definition of a zone with European summer time. */
const vtimezone = (id: string, standard: string, daylight: string, more: string[] = []) => [
  'BEGIN:VTIMEZONE',
  `TZID:${id}`,
  ...more,
  ...['BEGIN:STANDARD', 'DTSTART:16010101T030000', `TZOFFSETFROM:${daylight}`, `TZOFFSETTO:${standard}`],
  ...['RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=10', 'END:STANDARD'],
  ...['BEGIN:DAYLIGHT', 'DTSTART:16010101T020000', `TZOFFSETFROM:${standard}`, `TZOFFSETTO:${daylight}`],
  ...['RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=3', 'END:DAYLIGHT', 'END:VTIMEZONE'],
]

const fixedZone = (id: string, offset: string) => [
  ...['BEGIN:VTIMEZONE', `TZID:${id}`, 'BEGIN:STANDARD', 'DTSTART:16010101T000000'],
  ...[`TZOFFSETFROM:${offset}`, `TZOFFSETTO:${offset}`, 'END:STANDARD', 'END:VTIMEZONE'],
]

const americanZone = (id: string, standard: string, daylight: string) => [
  ...['BEGIN:VTIMEZONE', `TZID:${id}`],
  ...['BEGIN:STANDARD', 'DTSTART:20071104T020000', `TZOFFSETFROM:${daylight}`, `TZOFFSETTO:${standard}`],
  ...['RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=1SU', 'TZNAME:ST', 'END:STANDARD'],
  ...['BEGIN:DAYLIGHT', 'DTSTART:20070311T020000', `TZOFFSETFROM:${standard}`, `TZOFFSETTO:${daylight}`],
  ...['RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=2SU', 'TZNAME:DT', 'END:DAYLIGHT', 'END:VTIMEZONE'],
]

/** Case about the zone of a start: its TZID, local time, UTC time and IANA zone. */
const zoned = (
  name: string,
  id: string,
  local: string,
  utc: string,
  timeZone: string | null,
  zones: string[] = [],
): CalendarCase => ({
  name,
  zones,
  event: [organizer, `DTSTART;TZID=${id}:${local}`, 'DURATION:PT30M', 'SUMMARY:Talk'],
  expected: { utc, timeZone },
})

const recurring = (name: string, rule: string, words: string): CalendarCase => ({
  name,
  event: [organizer, 'DTSTART:20260701T100000Z', 'DTEND:20260701T110000Z', `RRULE:${rule}`],
  expected: { words },
})

const written: CalendarCase[] = [
  {
    name: 'Google: UTC, a link to Meet, a folded attendee',
    prodId: '-//Google Inc//Google Calendar 70.9054//EN',
    event: [
      'DTSTART:20260331T120000Z',
      'DTEND:20260331T123000Z',
      organizer,
      'ATTENDEE;CUTYPE=INDIVIDUAL;ROLE=REQ-PARTICIPANT;PARTSTAT=NEEDS-ACTION;RSVP=',
      ' TRUE;CN=agent@example.org;X-NUM-GUESTS=0:mailto:agent@example.org',
      'X-GOOGLE-CONFERENCE:https://meet.google.com/abc-defg-hij',
      'LOCATION:',
      'SEQUENCE:0',
      'STATUS:CONFIRMED',
      'SUMMARY:Intro\\, and more',
    ],
    expected: {
      method: 'REQUEST',
      title: 'Intro, and more',
      utc: '2026-03-31T12:00:00.000Z',
      organizer: 'ana@example.com',
      attendees: ['agent@example.org needs-action'],
      meetingLink: 'https://meet.google.com/abc-defg-hij',
      location: null,
    },
  },
  {
    name: 'Google: a calendar as organizer',
    event: [
      'DTSTART;VALUE=DATE:20260401',
      'DTEND;VALUE=DATE:20260403',
      'SUMMARY:Trip',
      'ORGANIZER;CN=Team:mailto:c_12ab@group.calendar.google.com',
    ],
    expected: {
      allDay: true,
      local: '2026-04-01T00:00:00',
      utc: null,
      organizer: 'c_12ab@group.calendar.google.com',
    },
  },
  {
    name: 'Outlook: quoted Windows name, Teams link',
    prodId: 'Microsoft Exchange Server 2010',
    zones: vtimezone('W. Europe Standard Time', '+0100', '+0200'),
    event: [
      'ORGANIZER;CN="Doe, Ana":MAILTO:Ana@Example.com',
      'ATTENDEE;ROLE=OPT-PARTICIPANT;PARTSTAT=ACCEPTED;RSVP=TRUE;CN=Bo:MAILTO:bo@example.org',
      'DESCRIPTION;LANGUAGE=en-US:Join\\nhttps://teams.microsoft.com/l/meetup-join/19%3a1\\n',
      'SUMMARY;LANGUAGE=en-US:Review',
      'DTSTART;TZID="W. Europe Standard Time":20260706T100000',
      'DTEND;TZID="W. Europe Standard Time":20260706T110000',
      'SEQUENCE:3',
      'LOCATION;LANGUAGE=en-US:Microsoft Teams Meeting',
    ],
    expected: {
      utc: '2026-07-06T08:00:00.000Z',
      timeZone: 'Europe/Berlin',
      organizer: 'ana@example.com',
      attendees: ['bo@example.org accepted'],
      sequence: 3,
      meetingLink: 'https://teams.microsoft.com/l/meetup-join/19%3a1',
    },
  },
  {
    name: 'Outlook desktop: a counter-proposal with a comment',
    method: 'COUNTER',
    event: [
      organizer,
      'ATTENDEE;PARTSTAT=TENTATIVE:MAILTO:bo@example.org',
      'COMMENT:Later?',
      'DTSTART:20260706T150000Z',
      'DTEND:20260706T160000Z',
      'SUMMARY:New Time Proposed: Review',
    ],
    expected: { method: 'COUNTER', attendees: ['bo@example.org tentative'], comment: 'Later?' },
  },
  {
    name: 'Apple: address in EMAIL, a moved occurrence',
    prodId: '-//Apple Inc.//macOS 15.1//EN',
    event: [
      'ORGANIZER;CN="Ana";EMAIL="ana@example.com":/aMTA/principal/',
      'SUMMARY:Sync',
      'RECURRENCE-ID;TZID=Europe/Paris:20261020T090000',
      'DTSTART;TZID=Europe/Paris:20261021T140000',
      'DTEND;TZID=Europe/Paris:20261021T150000',
    ],
    expected: {
      organizer: 'ana@example.com',
      recurrenceId: '2026-10-20T07:00:00Z',
      utc: '2026-10-21T12:00:00.000Z',
    },
  },
  {
    name: 'Fastmail: an answer',
    prodId: '-//CyrusIMAP.org/Cyrus 3.11//EN',
    method: 'REPLY',
    event: [
      organizer,
      'DTSTART;TZID=Australia/Melbourne:20260115T090000',
      'DURATION:PT45M',
      'ATTENDEE;PARTSTAT=DECLINED;X-DTSTAMP=20260110T000000Z:mailto:bo@example.org',
      'SUMMARY:Standup',
    ],
    expected: { method: 'REPLY', attendees: ['bo@example.org declined'], utc: '2026-01-14T22:00:00.000Z' },
  },
  {
    name: 'Zoom: published, link in the location',
    method: null,
    event: [
      'DTSTART;TZID=America/New_York:20260310T090000',
      'DTEND;TZID=America/New_York:20260310T100000',
      'SUMMARY:Zoom Meeting',
      'LOCATION:https://us02web.zoom.us/j/123?pwd=a',
    ],
    expected: {
      method: 'PUBLISH',
      organizer: null,
      utc: '2026-03-10T13:00:00.000Z',
      meetingLink: 'https://us02web.zoom.us/j/123?pwd=a',
    },
  },
  {
    name: 'Calendly: cancelled',
    method: 'CANCEL',
    event: [
      'ORGANIZER;SENT-BY="mailto:bot@calendly.com":mailto:ana@example.com',
      'STATUS:CANCELLED',
      'SEQUENCE:2',
      'DTSTART:20260310T090000Z',
      'DTEND:20260310T100000Z',
      'SUMMARY:Canceled: Call',
    ],
    expected: { method: 'CANCEL', isCancelled: true, sentBy: 'bot@calendly.com', sequence: 2 },
  },
  {
    name: 'floating time',
    event: ['DTSTART:20260310T090000', 'SUMMARY:Lunch'],
    expected: { utc: null, timeZone: null, local: '2026-03-10T09:00:00', endLocal: '2026-03-10T09:00:00' },
  },
  {
    name: 'a day without end lasts a day',
    event: ['DTSTART;VALUE=DATE:20260310'],
    expected: { allDay: true, endLocal: '2026-03-11T00:00:00', title: '' },
  },
  {
    name: 'an end before the start is no end',
    event: ['DTSTART:20260310T090000Z', 'DTEND:20260310T080000Z', 'DURATION:PT1H'],
    expected: { endLocal: '2026-03-10T10:00:00' },
  },
  {
    name: 'refresh',
    method: 'REFRESH',
    event: [organizer, 'DTSTART:20260310T090000Z'],
    expected: { method: 'REFRESH' },
  },
  {
    name: 'a link that pretends to be of a meeting',
    event: ['DTSTART:20260310T090000Z', 'LOCATION:https://zoom.us.example.net/j/1'],
    expected: { meetingLink: null },
  },
]

const berlin = vtimezone('Custom', '+0100', '+0200')

const zones: CalendarCase[] = [
  zoned('IANA, summer', 'Europe/Berlin', '20260701T100000', '2026-07-01T08:00:00.000Z', 'Europe/Berlin'),
  zoned('IANA, winter', 'Europe/Berlin', '20261201T100000', '2026-12-01T09:00:00.000Z', 'Europe/Berlin'),
  zoned('skipped hour', 'Europe/Berlin', '20260329T023000', '2026-03-29T01:30:00.000Z', 'Europe/Berlin'),
  zoned(
    'hour that occurs twice',
    'Europe/Berlin',
    '20261025T023000',
    '2026-10-25T00:30:00.000Z',
    'Europe/Berlin',
  ),
  zoned(
    'skipped hour in New York',
    'America/New_York',
    '20260308T023000',
    '2026-03-08T07:30:00.000Z',
    'America/New_York',
  ),
  zoned(
    'twice in New York',
    'America/New_York',
    '20261101T013000',
    '2026-11-01T05:30:00.000Z',
    'America/New_York',
  ),
  zoned(
    'Windows name',
    'Pacific Standard Time',
    '20260701T100000',
    '2026-07-01T17:00:00.000Z',
    'America/Los_Angeles',
  ),
  zoned(
    'Windows name, other case',
    'india standard time',
    '20260701T100000',
    '2026-07-01T04:30:00.000Z',
    'Asia/Calcutta',
  ),
  zoned(
    'Windows name with a dot',
    'E. South America Standard Time',
    '20260701T100000',
    '2026-07-01T13:00:00.000Z',
    'America/Sao_Paulo',
  ),
  zoned(
    'Mozilla prefix',
    '/mozilla.org/20050126_1/Europe/Paris',
    '20260701T100000',
    '2026-07-01T08:00:00.000Z',
    'Europe/Paris',
  ),
  zoned(
    'libical prefix',
    '/freeassociation.sourceforge.net/Asia/Tokyo',
    '20260701T100000',
    '2026-07-01T01:00:00.000Z',
    'Asia/Tokyo',
  ),
  zoned(
    'half hour of Lord Howe',
    'Australia/Lord_Howe',
    '20260115T100000',
    '2026-01-14T23:00:00.000Z',
    'Australia/Lord_Howe',
  ),
  zoned(
    'three quarters',
    'Nepal Standard Time',
    '20260115T100000',
    '2026-01-15T04:15:00.000Z',
    'Asia/Katmandu',
  ),
  zoned(
    'custom name with European rules',
    'Custom',
    '20260701T100000',
    '2026-07-01T08:00:00.000Z',
    'Europe/Berlin',
    berlin,
  ),
  zoned(
    'custom name, winter',
    'Custom',
    '20261215T100000',
    '2026-12-15T09:00:00.000Z',
    'Europe/Berlin',
    berlin,
  ),
  zoned(
    'display name of Outlook',
    '"(UTC+01:00) Amsterdam, Berlin, Bern"',
    '20260701T100000',
    '2026-07-01T08:00:00.000Z',
    'Europe/Berlin',
    vtimezone('(UTC+01:00) Amsterdam, Berlin, Bern', '+0100', '+0200'),
  ),
  zoned(
    'custom name with American rules',
    'Eastern',
    '20260701T100000',
    '2026-07-01T14:00:00.000Z',
    'America/New_York',
    americanZone('Eastern', '-0500', '-0400'),
  ),
  zoned(
    'X-LIC-LOCATION',
    'Mine',
    '20260701T100000',
    '2026-07-01T08:00:00.000Z',
    'Europe/Vienna',
    vtimezone('Mine', '+0100', '+0200', ['X-LIC-LOCATION:Europe/Vienna']),
  ),
  zoned('offset in the name', 'GMT+0530', '20260701T100000', '2026-07-01T04:30:00.000Z', null),
  zoned('UTC by name', 'UTC', '20260701T100000', '2026-07-01T10:00:00.000Z', 'UTC'),
  zoned(
    'fixed offset that no zone has',
    'Odd',
    '20260701T100000',
    '2026-07-01T09:47:00.000Z',
    null,
    fixedZone('Odd', '+0013'),
  ),
  zoned(
    'abbreviation is decided by its definition',
    'EST',
    '20260701T100000',
    '2026-07-01T14:00:00.000Z',
    'America/New_York',
    americanZone('EST', '-0500', '-0400'),
  ),
  zoned('half hour of India', 'Asia/Kolkata', '20260701T100000', '2026-07-01T04:30:00.000Z', 'Asia/Kolkata'),
  zoned(
    'the south has summer in January',
    'AUS Eastern Standard Time',
    '20260115T100000',
    '2026-01-14T23:00:00.000Z',
    'Australia/Sydney',
  ),
  zoned(
    'the other side of the date line',
    'Pacific/Kiritimati',
    '20260701T100000',
    '2026-06-30T20:00:00.000Z',
    'Pacific/Kiritimati',
  ),
  zoned(
    'the week in which only America has changed its clocks',
    'Eastern Standard Time',
    '20260310T090000',
    '2026-03-10T13:00:00.000Z',
    'America/New_York',
  ),
  zoned(
    'a zone without summer time',
    'US Mountain Standard Time',
    '20260701T090000',
    '2026-07-01T16:00:00.000Z',
    'America/Phoenix',
  ),
  zoned('London in winter', 'Europe/London', '20261201T090000', '2026-12-01T09:00:00.000Z', 'Europe/London'),
  zoned(
    'a display name of New York',
    '"(UTC-05:00) Eastern Time (US & Canada)"',
    '20260701T100000',
    '2026-07-01T14:00:00.000Z',
    'America/New_York',
    americanZone('(UTC-05:00) Eastern Time (US & Canada)', '-0500', '-0400'),
  ),
]

const recurrences: CalendarCase[] = [
  recurring('weekly', 'FREQ=WEEKLY;BYDAY=MO,FR;INTERVAL=2', 'every 2 weeks on Monday and Friday'),
  recurring('weekdays', 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;COUNT=10', 'every week on weekdays, 10 times'),
  recurring('last Friday', 'FREQ=MONTHLY;BYDAY=-1FR', 'every month on the last Friday'),
  recurring(
    'second Tuesday',
    'FREQ=MONTHLY;BYDAY=2TU;UNTIL=20261231T000000Z',
    'every month on the 2nd Tuesday, until 2026-12-31',
  ),
  recurring('position', 'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1', 'every month on the last weekday'),
  recurring('day of month', 'FREQ=MONTHLY;BYMONTHDAY=1,15', 'every month on the 1st and 15th day'),
  recurring('yearly', 'FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=31', 'every year on the 31st day in March'),
  recurring('daily', 'FREQ=DAILY', 'every day'),
  recurring('a number of days', 'FREQ=DAILY;INTERVAL=3;COUNT=4', 'every 3 days, 4 times'),
  recurring('the last day of the month', 'FREQ=MONTHLY;BYMONTHDAY=-1', 'every month on the last day'),
]

const odd: CalendarCase[] = [
  {
    name: 'a day that does not say that it is one',
    event: [organizer, 'DTSTART:20260401', 'SUMMARY:Trip'],
    expected: { allDay: true, local: '2026-04-01T00:00:00', endLocal: '2026-04-02T00:00:00', utc: null },
  },
  {
    name: 'days that do not say that they are',
    event: [organizer, 'DTSTART:20260401', 'DTEND:20260404', 'SUMMARY:Trip'],
    expected: { allDay: true, endLocal: '2026-04-04T00:00:00' },
  },
  {
    name: 'a length beyond all calendars',
    event: [organizer, 'DTSTART:20260401T100000Z', 'DURATION:P999999999999999999W'],
    expected: { utc: '2026-04-01T10:00:00.000Z' },
  },
  {
    name: 'a negative length',
    event: [organizer, 'DTSTART:20260401T100000Z', 'DURATION:-PT1H'],
    expected: { endLocal: '2026-04-01T10:00:00' },
  },
  {
    name: 'a start and an end in different zones',
    event: [
      organizer,
      'DTSTART;TZID=Europe/Berlin:20260401T100000',
      'DTEND;TZID=America/New_York:20260401T060000',
    ],
    expected: {
      utc: '2026-04-01T08:00:00.000Z',
      end: expect.objectContaining({ utc: '2026-04-01T10:00:00.000Z' }),
    },
  },
  {
    name: 'a method in lower case',
    method: 'cancel',
    event: [organizer, 'DTSTART:20260401T100000Z'],
    expected: { method: 'CANCEL' },
  },
  {
    name: 'an unknown method',
    method: 'ADD',
    event: [organizer, 'DTSTART:20260401T100000Z'],
    expected: { method: 'PUBLISH' },
  },
  {
    name: 'an organizer without an address',
    event: ['ORGANIZER;CN=Ana:invalid:nomail', 'DTSTART:20260401T100000Z'],
    expected: { organizer: null },
  },
  {
    name: 'a sequence that is no number',
    event: [organizer, 'SEQUENCE:many', 'DTSTART:20260401T100000Z'],
    expected: { sequence: 0 },
  },
]

export const calendarCases: readonly CalendarCase[] = [...written, ...zones, ...recurrences, ...odd]

/** Writes the calendar of a case. */
export function calendarText({
  event,
  zones: parts = [],
  method = 'REQUEST',
  prodId = '-//x//EN',
}: CalendarCase) {
  const head = ['BEGIN:VCALENDAR', `PRODID:${prodId}`, 'VERSION:2.0', ...(method ? [`METHOD:${method}`] : [])]
  const body = ['BEGIN:VEVENT', 'UID:1@example.com', 'DTSTAMP:20260101T000000Z', ...event, 'END:VEVENT']
  return [...head, ...parts, ...body, 'END:VCALENDAR', ''].join('\r\n')
}
