import type { CalendarEvent } from '../../mail/calendar'
import type { InvitationAnswer } from '../../protocol/records/invitation'
import { accountRow, requireSending } from '../accounts/account'
import type { Scope } from '../accounts/keys'
import { refuse } from '../base/refuse'
import { sha256 } from '../base/secrets'
import { now } from '../base/time'
import { inboxRow } from '../inboxes/inboxes'
import { isOrganizerProven, isSentAnswer, stateOf, type Version } from '../invitations/agenda'
import { eventOfMessage, versionsOf } from '../invitations/store'
import { answerCalendar } from '../invitations/write-calendar'
import { messageRow } from '../messages/messages'
import type { OutboundPorts } from './delivery/ports'
import { submit } from './send'
import { requireAnswerable } from './submit/loop-guard'
import { ownAddresses, readRecipients, replyRecipients } from './submit/recipients'
import { idempotencyKeyOf, type SendAnswer, sentAs } from './submit/sends'

/** Request to answer the invitation in a message. */
type AnswerRequest = InvitationAnswer & { id: string }

const words: Record<InvitationAnswer['answer'], string> = {
  ...{ accepted: 'Accepted', declined: 'Declined', tentative: 'Tentative' },
  proposed: 'New time proposed',
}

/** Version that an answer is about, and the answers that the inbox sent before. */
interface Answerable {
  version: Version
  /** Answers to this event or occurrence, oldest first. */
  answers: Version[]
}

const refuseAnswer = (problem: string) => refuse('no_invitation', problem)

/** @throws ServiceError `no_invitation` for an event that cannot be answered */
function answerableOf(
  versions: readonly Version[],
  event: CalendarEvent,
  messageId: string,
  own: string,
): Answerable {
  const { events, unproven } = stateOf(versions, own)
  const id = event.recurrenceId ?? ''
  const state = events.get(id)
  // The event may be of somebody else who knows its UID: the answer would go to them.
  if (unproven.some((one) => one.messageId === messageId))
    throw refuseAnswer(
      'Nothing proves that this message comes from the organizer of the event: ask the organizer.',
    )
  if (!state) throw refuseAnswer('The message has no invitation that can be answered.')
  if (state.isCancelled) throw refuseAnswer('The event was cancelled.')
  if (state.version.direction === 'outbound') throw refuseAnswer('The inbox is the organizer of this event.')
  const isAnswer = (one: Version) => isSentAnswer(one) && (one.event.recurrenceId ?? '') === id
  const byStamp = (a: Version, b: Version) => ((a.event.stamp ?? '') < (b.event.stamp ?? '') ? -1 : 1)
  return { version: state.version, answers: versions.filter(isAnswer).sort(byStamp) }
}

/** Returns the time of an answer: a second after the last one, since calendars keep the latest. */
function stampAfter(answers: readonly Version[], nowMs: number): string {
  const last = Date.parse(answers.at(-1)?.event.stamp ?? '')
  const ms = Number.isNaN(last) ? nowMs : Math.max(nowMs, last + 1_000)
  return new Date(Math.floor(ms / 1_000) * 1_000).toISOString()
}

const statusOf = ({ answer }: AnswerRequest): string => (answer === 'proposed' ? 'tentative' : answer)

/** Returns whether an answer to this version says the same as the last one that was sent. */
function isRepeated(request: AnswerRequest, { version, answers }: Answerable): boolean {
  const last = answers.at(-1)
  if (!last || last.event.sequence !== version.event.sequence) return false
  if (request.answer !== 'proposed')
    return last.method === 'REPLY' && last.event.attendees[0]?.status === statusOf(request)
  const { start, end } = last.event
  const isSame = (utc: string | null, time: string) => utc !== null && Date.parse(utc) === Date.parse(time)
  return last.method === 'COUNTER' && isSame(start.utc, request.start!) && isSame(end.utc, request.end!)
}

function calendarFile(
  request: AnswerRequest,
  { version, answers }: Answerable,
  inbox: { address: string; name: string | null },
  nowMs: number,
) {
  const method = request.answer === 'proposed' ? 'COUNTER' : 'REPLY'
  const { start, end, comment } = request
  const text = answerCalendar(version.event, {
    ...{ method, status: statusOf(request).toUpperCase(), attendee: inbox, comment },
    stamp: stampAfter(answers, nowMs),
    proposed: start === undefined || end === undefined ? undefined : { start, end },
  })
  const content_base64 = Buffer.from(text).toString('base64')
  return { filename: 'invite.ics', content_type: `text/calendar; method=${method}`, content_base64 }
}

/** Returns a name for this answer after the earlier ones, so that a repeated request sends nothing. */
function clientIdOf(request: AnswerRequest, { version, answers }: Answerable, inboxId: string): string {
  const { answer, start, end } = request
  const { uid, recurrenceId, sequence, stamp } = version.event
  const said = [inboxId, uid, recurrenceId, sequence, stamp, answer, start, end, answers.length]
  return `invitation:${sha256(JSON.stringify(said))}`
}

/**
 * Answers the invitation in a message, in its thread. The same answer to the same version is sent once.
 *
 * @throws ServiceError `no_invitation` if there is nothing to answer, and those of a reply
 */
export async function answerInvitation(
  ports: OutboundPorts,
  scope: Scope,
  request: AnswerRequest,
): Promise<SendAnswer> {
  const parent = await messageRow(ports, scope, request.id)
  const inbox = await inboxRow(ports, scope, parent.inbox_id)
  const own = inbox.address.toLowerCase()
  const event = await eventOfMessage(ports.store.db, scope.tenantId, parent.id)
  if (!event) {
    requireSending(await accountRow(ports, scope.tenantId), now(ports))
    throw refuseAnswer('The message has no invitation.')
  }
  const versions = await versionsOf(ports.store.db, scope.tenantId, inbox.id, event.uid)
  const answerable = answerableOf(versions, event, parent.id, own)
  const last = answerable.answers.at(-1)
  const repeated =
    isRepeated(request, answerable) && (await sentAs(ports.store.db, scope.tenantId, last!.messageId))
  if (repeated) return repeated
  // Calendars send invitations automatically.
  if (parent.unanswerable !== 'automatic') requireAnswerable(parent)
  const file = calendarFile(request, answerable, inbox, ports.clock.now())
  const content = {
    ...{
      text: request.comment,
      attachments: [file],
      consumer: request.consumer,
      when_held: request.when_held,
      as_draft: request.as_draft,
    },
    ...{
      client_id: clientIdOf(request, answerable, inbox.id),
      replay: 'first_wins' as const,
      release_on_discard: true,
    },
  }
  const key = idempotencyKeyOf('invitation', content, scope)
  return submit(ports, scope, content, key, async () => ({
    inbox,
    recipients: await answerRecipients(ports, parent, answerable.version, inbox.address),
    subject: `${words[request.answer]}: ${answerable.version.event.title}`.trim(),
    parent,
    isAutomatic: true,
    write: async ({ text, html }) => ({ text, html, files: [] }),
  }))
}

/** Answers go to a proven organizer, else to the sender: an invitation must not make us write to a stranger. */
async function answerRecipients(
  ports: OutboundPorts,
  parent: Parameters<typeof ownAddresses>[1] & Parameters<typeof replyRecipients>[0],
  version: Version,
  address: string,
) {
  const { organizer } = version.event
  if (organizer && isOrganizerProven(version))
    return readRecipients({ to: [organizer.address], cc: [], bcc: [] })
  const own = await ownAddresses(ports.store.db, parent)
  const { leftOut: _leftOut, ...recipients } = replyRecipients(
    parent,
    address,
    false,
    { cc: [], bcc: [] },
    own,
  )
  return recipients
}
