import type { Kysely } from 'kysely'
import type { Calendar, CalendarEvent, CalendarOccurrence, CalendarTime } from '../../mail/calendar'
import type { Invitation } from '../../protocol/records/invitation'
import { defaultTimeZone } from '../accounts/account-inboxes'
import { sha256 } from '../base/secrets'
import type { ChangeContext } from '../log/registry'
import type { InvitationVersionTable } from '../store/tables/invitation-tables'
import type { Database } from '../store/tables/schema'
import { isOrganizerProven, stateOf, type Version } from './agenda'
import { changesBetween } from './changes'
import { zonedMs } from './zone-times'

/** Message with a calendar, before it is stored. */
export interface InvitingMessage {
  id: string
  inboxId: string
  direction: 'inbound' | 'outbound'
  /** Address in From. */
  from: string
  isProven: boolean
  arrivedSeq: number
  calendar: Calendar
}

/** Versions of one UID that are read: the newest. Unproven ones must not displace proven ones. */
const maxVersions = { proven: 200, unproven: 10 }
/** Events of one message that are stored. */
const maxEvents = 5
const maxListed = 50
const maxUid = 255

/** Returns the UID as it is stored: a long one by its hash. */
const storedUid = (uid: string): string => (uid.length > maxUid ? `sha256:${sha256(uid)}` : uid)

/** Inbox that events belong to. */
interface OwnInbox {
  /** Lower case. */
  address: string
  /** IANA zone of floating times and of days. */
  timeZone: string
}

const unknownInbox: OwnInbox = { address: '', timeZone: defaultTimeZone }

/** Returns a time in UTC; a floating one and a day in the zone of the inbox. */
const utcOf = ({ utc, local }: CalendarTime, timeZone: string): string =>
  utc ?? new Date(zonedMs(local, timeZone)).toISOString()

/** Reads the versions of an event, as they arrived. */
export async function versionsOf(
  db: Kysely<Database>,
  tenantId: string,
  inboxId: string,
  uid: string,
): Promise<Version[]> {
  const newest = (isProven: boolean) =>
    db
      .selectFrom('invitation_versions')
      .select(['version', 'arrived_seq', 'position'])
      .where('tenant_id', '=', tenantId)
      .where('inbox_id', '=', inboxId)
      .where('uid', '=', storedUid(uid))
      .where('is_proven', '=', isProven ? 1 : 0)
      .orderBy('arrived_seq', 'desc')
      .orderBy('position', 'desc')
      .limit(isProven ? maxVersions.proven : maxVersions.unproven)
      .execute()
  const rows = [...(await newest(true)), ...(await newest(false))]
  rows.sort((a, b) => a.arrived_seq - b.arrived_seq || a.position - b.position)
  return rows.map(({ version }) => JSON.parse(version))
}

/** Reads the first event in the calendar of a message; null if it has none. */
export async function eventOfMessage(
  db: Kysely<Database>,
  tenantId: string,
  messageId: string,
): Promise<CalendarEvent | null> {
  const row = await db
    .selectFrom('invitation_versions')
    .select('version')
    .where('tenant_id', '=', tenantId)
    .where('message_id', '=', messageId)
    .where('position', '=', 0)
    .executeTakeFirst()
  return row ? (JSON.parse(row.version) as Version).event : null
}

/** Returns the events of a calendar that are stored: each event, and each occurrence, once. */
function storedEvents({ events }: Calendar): CalendarEvent[] {
  const seen = new Map<string, CalendarEvent>()
  for (const event of events) {
    const key = JSON.stringify([event.uid, event.recurrenceId])
    if (!seen.has(key)) seen.set(key, event)
  }
  return [...seen.values()].slice(0, maxEvents)
}

const versionOf = (message: InvitingMessage, event: CalendarEvent): Version => ({
  ...{ method: message.calendar.method, event, direction: message.direction },
  ...{ from: message.from.toLowerCase(), isProven: message.isProven },
  ...{ messageId: message.id, arrived: message.arrivedSeq },
})

/** Returns the times of an occurrence, which was expanded in UTC. */
function inZone({ start }: CalendarEvent, one: CalendarOccurrence, timeZone: string) {
  if (start.utc !== null) return { start: one.start, end: one.end }
  const inIts = (time: string) => utcOf({ utc: null, local: time.slice(0, 19), timeZone: null }, timeZone)
  return { start: inIts(one.start), end: inIts(one.end) }
}

/** Writes an invitation in the wire format, from the versions that were known before the message. */
function invitationRecord(
  message: InvitingMessage,
  known: readonly Version[],
  { address: own, timeZone }: OwnInbox,
): Invitation {
  const { method, events, next } = message.calendar
  const event = events[0]!
  const version = versionOf(message, event)
  const id = event.recurrenceId ?? ''
  const before = stateOf(known, own).events.get(id)
  const after = stateOf([...known, version], own)
  const pending = after.pending.includes(version)
  const { organizer, attendees, start, end } = event
  return {
    ...{ method, uid: event.uid, recurrence_id: event.recurrenceId, sequence: event.sequence },
    title: event.title,
    organizer: organizer && { address: organizer.address, name: organizer.name },
    organizer_proven: isOrganizerProven(version),
    attendees: attendees
      .slice(0, maxListed)
      .map(({ address, name, status, optional }) => ({ address, name, status, optional })),
    attendee_count: event.attendeeCount,
    answer: after.events.get(id)?.answer ?? 'needs-action',
    ...{ start: utcOf(start, timeZone), end: utcOf(end, timeZone), all_day: event.allDay },
    floating: start.utc === null && !event.allDay,
    ...{ time_zone: start.timeZone, local_start: start.local, local_end: end.local },
    recurrence: event.recurrence?.words ?? null,
    next: next.map((one) => inZone(event, one, timeZone)),
    ...{ location: event.location, meeting_link: event.meetingLink },
    ...{ description: event.description, comment: event.comment },
    cancelled: !pending && (after.events.get(id)?.isCancelled ?? method === 'CANCEL'),
    pending,
    changes: before && method === 'REQUEST' ? changesBetween(before.version.event, event) : [],
  }
}

const keyOf = (inboxId: string, uid: string): string => `${inboxId} ${uid}`

/** Messages with a calendar, as far as they are known before they are added. */
type Arriving = Pick<InvitingMessage, 'inboxId'> & { calendar: Calendar }

async function ownInboxesOf(
  { tx, account }: ChangeContext,
  inboxIds: readonly string[],
): Promise<Map<string, OwnInbox>> {
  if (inboxIds.length === 0) return new Map()
  const rows = await tx
    .selectFrom('inboxes')
    .select(['id', 'address', 'time_zone'])
    .where('tenant_id', '=', account.tenant_id)
    .where('id', 'in', inboxIds)
    .execute()
  return new Map(
    rows.map(({ id, address, time_zone }) => [
      id,
      { address: address.toLowerCase(), timeZone: time_zone ?? defaultTimeZone },
    ]),
  )
}

/** Versions of the events that some messages are about. It grows with these messages. */
export class InvitationIndex {
  readonly #change: ChangeContext
  readonly #known: ReadonlyMap<string, Version[]>
  readonly #inboxes: ReadonlyMap<string, OwnInbox>
  readonly #rows: InvitationVersionTable[] = []

  private constructor(
    change: ChangeContext,
    known: ReadonlyMap<string, Version[]>,
    inboxes: ReadonlyMap<string, OwnInbox>,
  ) {
    this.#change = change
    this.#known = known
    this.#inboxes = inboxes
  }

  static async load(change: ChangeContext, arriving: readonly Arriving[]): Promise<InvitationIndex> {
    const known = new Map<string, Version[]>()
    const { tx, account } = change
    for (const { inboxId, calendar } of arriving)
      for (const uid of new Set(storedEvents(calendar).map((event) => event.uid)))
        if (!known.has(keyOf(inboxId, uid)))
          known.set(keyOf(inboxId, uid), await versionsOf(tx, account.tenant_id, inboxId, uid))
    const inboxIds = [...new Set(arriving.map(({ inboxId }) => inboxId))]
    return new InvitationIndex(change, known, await ownInboxesOf(change, inboxIds))
  }

  /** Adds the events of a message. Returns its invitation in the wire format. */
  add(message: InvitingMessage): Invitation {
    const { tenant_id } = this.#change.account
    const { id, inboxId, arrivedSeq, calendar } = message
    const knownOf = (event: CalendarEvent) => this.#known.get(keyOf(inboxId, event.uid)) ?? []
    const own = this.#inboxes.get(inboxId) ?? unknownInbox
    const record = invitationRecord(message, knownOf(calendar.events[0]!), own)
    for (const [position, event] of storedEvents(calendar).entries()) {
      const version = versionOf(message, event)
      knownOf(event).push(version)
      this.#rows.push({
        ...{ tenant_id, message_id: id, position, inbox_id: inboxId },
        ...{ uid: storedUid(event.uid), arrived_seq: arrivedSeq },
        is_proven: message.isProven ? 1 : 0,
        start_at: utcOf(event.start, 'UTC'),
        end_at: event.recurrence ? null : utcOf(event.end, 'UTC'),
        version: JSON.stringify(version),
      })
    }
    return record
  }

  async save(): Promise<void> {
    if (this.#rows.length === 0) return
    await this.#change.tx.insertInto('invitation_versions').values(this.#rows).execute()
  }
}
