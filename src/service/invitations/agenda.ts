import type { CalendarEvent, CalendarMethod } from '../../mail/calendar'

/** One event in one message, with the proof of its sender. */
export interface Version {
  method: CalendarMethod
  event: CalendarEvent
  direction: 'inbound' | 'outbound'
  /** Address in From, lower case. */
  from: string
  /** Whether the domain of {@link from} is proven, or this service sent it. */
  isProven: boolean
  messageId: string
  /** Position of the message in the log: the order of arrival. */
  arrived: number
}

/** State of an event, or of one changed occurrence of it. */
interface EventState {
  /** Version that counts; a cancellation if nothing else is known. */
  version: Version
  isCancelled: boolean
  /** Answer of the inbox, in lower case. */
  answer: string
}

/** State of all versions with one UID. */
export interface UidState {
  /** By recurrence id; the event itself has the empty one. */
  events: Map<string, EventState>
  /** Versions whose sender may not change the event. */
  unproven: Version[]
  /** Those that are newer than the version which counts. */
  pending: Version[]
}

/** Domains whose addresses belong to strangers: one of them must not change the event of another. */
const sharedDomains =
  /^(?:gmail\.com|googlemail\.com|(?:outlook|hotmail|live|msn)\.[a-z.]{2,6}|yahoo\.[a-z.]{2,6}|ymail\.com|aol\.com|icloud\.com|me\.com|mac\.com|gmx\.[a-z]{2,3}|web\.de|proton(?:mail)?\.(?:com|me)|pm\.me|fastmail\.(?:com|fm)|mail\.ru|yandex\.[a-z]{2,3}|qq\.com|163\.com|zoho\.com)$/

const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1)

/**
 * Compares versions by SEQUENCE, then DTSTAMP (RFC 5546 section 2.1.5). Their content decides last, so that
 * the order of arrival never does.
 */
function compare(a: Version, b: Version): number {
  if (a.event.sequence !== b.event.sequence) return a.event.sequence - b.event.sequence
  const [first, second] = [a.event.stamp ?? '', b.event.stamp ?? '']
  if (first !== second) return first < second ? -1 : 1
  const [left, right] = [JSON.stringify(a.event), JSON.stringify(b.event)]
  return left === right ? 0 : left < right ? -1 : 1
}

const latest = (versions: readonly Version[]): Version | undefined =>
  versions.reduce<Version | undefined>(
    (best, one) => (!best || compare(one, best) > 0 ? one : best),
    undefined,
  )

/**
 * Returns whether the proven sender is the organizer, or acts for the organizer. The sender writes SENT-BY,
 * so it counts only within one domain, whose addresses do not belong to strangers.
 */
export function isOrganizerProven({ isProven, from, event: { organizer } }: Version): boolean {
  if (!isProven || organizer === null) return false
  if (organizer.address === from) return true
  const domain = domainOf(from)
  return organizer.sentBy === from && domainOf(organizer.address) === domain && !sharedDomains.test(domain)
}

/**
 * Returns whether the sender of a version may change the event that another version began. Inboxes of several
 * accounts may share the domain of the service.
 */
function mayChange(first: Version, one: Version, own: string): boolean {
  if (one === first || first.direction === 'outbound') return one.direction === first.direction
  if (one.direction === 'outbound' || !first.isProven) return isSameContent(first, one)
  if (!one.isProven || domainOf(one.from) !== domainOf(first.from)) return false
  const domain = domainOf(one.from)
  if (!sharedDomains.test(domain) && domain !== domainOf(own)) return true
  const { organizer } = first.event
  return [first.from, organizer?.address, organizer?.sentBy].includes(one.from)
}

const isSameContent = (a: Version, b: Version): boolean => JSON.stringify(a.event) === JSON.stringify(b.event)

const isInvitation = ({ method }: Version): boolean => method === 'REQUEST' || method === 'PUBLISH'

/** Returns whether a version changes the event itself. */
const isShaping = (one: Version): boolean => isInvitation(one) || one.method === 'CANCEL'

/** Returns whether a version is an answer that the inbox sent. */
export const isSentAnswer = ({ method, direction }: Version): boolean =>
  direction === 'outbound' && (method === 'REPLY' || method === 'COUNTER')

/** Returns the first version that arrived with a proof, or else the first that arrived. */
function firstOf(versions: readonly Version[]): Version | undefined {
  const inOrder = [...versions].sort((a, b) => a.arrived - b.arrived)
  return inOrder.find(({ isProven }) => isProven) ?? inOrder[0]
}

/** Returns whether an answer is later by DTSTAMP; by version and content if both have the same. */
function isLater(one: Version, other: Version): boolean {
  const [first, second] = [one.event.stamp ?? '', other.event.stamp ?? '']
  return first === second ? compare(one, other) > 0 : first > second
}

function answerOf(versions: readonly Version[], version: Version, own: string): string {
  const isOwn = ({ address }: { address: string }) => address === own
  const replies = versions.filter((one) => isSentAnswer(one) && one.event.attendees.some(isOwn))
  const newest = replies.reduce<Version | undefined>(
    (best, one) => (!best || isLater(one, best) ? one : best),
    undefined,
  )
  // An answer to an older version does not count for a new time.
  if (newest && newest.event.sequence >= version.event.sequence)
    return newest.event.attendees.find(isOwn)!.status
  const stated = version.event.attendees.find(isOwn)?.status
  return (isOrganizerProven(version) && stated) || 'needs-action'
}

/** Returns whether a new version of the whole event replaces a changed occurrence. */
const isReplaced = (changed: Version, whole: Version): boolean =>
  changed.event.sequence < whole.event.sequence && (changed.event.stamp ?? '') < (whole.event.stamp ?? '')

/**
 * Computes the state of an event from all its versions. Their order and repetitions make no difference; only
 * among senders of different domains the first with a proof owns the event.
 *
 * @param own address of the inbox, lower case
 */
export function stateOf(versions: readonly Version[], own: string): UidState {
  // A calendar that was forwarded from here makes the inbox no organizer.
  const isOurs = (one: Version) => one.direction === 'inbound' || one.event.organizer?.address === own
  const shaping = versions.filter((one) => isShaping(one) && isOurs(one))
  const first = firstOf(shaping)
  const events = new Map<string, EventState>()
  if (!first) return { events, unproven: [], pending: [] }
  const allowed = shaping.filter((one) => mayChange(first, one, own))
  for (const id of new Set(allowed.map(({ event }) => event.recurrenceId ?? ''))) {
    const about = allowed.filter(({ event }) => (event.recurrenceId ?? '') === id)
    const invited = latest(about.filter(isInvitation))
    const cancelled = latest(about.filter((one) => !isInvitation(one)))
    const version = (invited ?? cancelled)!
    const isCancelled = version.event.isCancelled || (cancelled ? compare(cancelled, version) >= 0 : false)
    const replies = versions.filter(({ event }) => (event.recurrenceId ?? '') === id)
    events.set(id, { version, isCancelled, answer: answerOf(replies, version, own) })
  }
  const whole = events.get('')
  if (whole)
    for (const [id, { version }] of events)
      if (id !== '' && isReplaced(version, whole.version)) events.delete(id)
  const unproven = shaping.filter((one) => !mayChange(first, one, own))
  const pending = unproven.filter((one) => {
    const known = events.get(one.event.recurrenceId ?? '')
    return !known || compare(one, known.version) > 0
  })
  return { events, unproven, pending }
}
