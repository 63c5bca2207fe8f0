import { defaultUnattendedAfter, type InboxRow } from '../accounts/account-inboxes'
import type { Scope } from '../accounts/keys'
import { durationMs } from '../base/durations'
import { refuse } from '../base/refuse'
import type { StoredSender } from '../base/sender'
import { timeOf } from '../base/time'
import { inboxRowIn } from '../inboxes/inboxes'
import { cancelJob, insertJobs, queueTopic } from '../jobs/jobs'
import { audit } from '../log/audit'
import type { ChangeContext } from '../log/registry'
import type { MessagePorts } from '../messages/ports'
import { holdOf, type StoredHold, type ThreadRow } from '../messages/records'
import { saveThread } from '../messages/thread-refresh'

/** Data of the job that ends a hold. */
export interface HoldJob {
  threadId: string
}

/** A hold that somebody asks for. */
interface WantedHold extends Pick<StoredHold, 'by' | 'reason' | 'until'> {
  /** Time at which it is reported unless an operator opens the thread before; ISO 8601. */
  watchAt?: string
  /** Who asks for it, if not the holder. */
  actor?: StoredSender
}

const isSame = (before: StoredHold, { by, reason, until }: WantedHold): boolean =>
  before.reason === reason && before.until === until && before.by.kind === by.kind && before.by.id === by.id

/** Cancels the jobs of a hold. */
async function cancelJobs({ tx, account }: ChangeContext, hold: StoredHold | null): Promise<void> {
  for (const id of [hold?.job_id, hold?.watch_job_id]) if (id) await cancelJob(tx, account.tenant_id, id)
}

/** Inserts a job of the queue `holds` for a thread; returns its id, or null without a time. */
export async function schedule(
  ports: Pick<MessagePorts, 'clock'>,
  change: ChangeContext,
  { id: threadId }: ThreadRow,
  at: string | null,
): Promise<string | null> {
  if (at === null) return null
  const work: HoldJob = { threadId }
  const [jobId] = await insertJobs(ports, change.tx, change.account.tenant_id, 'holds', [work], at)
  change.wake(queueTopic('holds'))
  return jobId!
}

/**
 * Holds a thread for people. A held thread keeps the start of its hold; the rest is replaced. Without a
 * difference it stays as it is, without an event.
 */
export async function holdThread(
  ports: Pick<MessagePorts, 'clock'>,
  change: ChangeContext,
  thread: ThreadRow,
  wanted: WantedHold,
): Promise<ThreadRow> {
  const before = holdOf(thread)
  if (before && isSame(before, wanted)) return thread
  const { by, reason, until, watchAt = null, actor = by } = wanted
  await cancelJobs(change, before)
  const job_id = await schedule(ports, change, thread, until)
  const watch_job_id = await schedule(ports, change, thread, watchAt)
  const since = before?.since ?? change.now
  const hold: StoredHold = { ...before, by, reason, since, until, job_id, watch_job_id }
  const held = await saveThread(change, { ...thread, hold: JSON.stringify(hold) }, 'thread.held')
  await audit(change, { action: 'thread.held', by: actor, target: thread.id, details: { until } })
  if (!before) await change.tell('held', { threadId: thread.id })
  return held
}

/** Holds a thread that no person holds yet until it is released, and watches that an operator opens it. */
export async function holdForPeople(
  ports: Pick<MessagePorts, 'clock'>,
  scope: Scope,
  change: ChangeContext,
  thread: ThreadRow,
  { by, reason }: Pick<StoredHold, 'by' | 'reason'>,
): Promise<ThreadRow> {
  if (holdOf(thread)) return thread
  const { unattended_after } = await inboxRowIn(change.tx, scope, thread.inbox_id)
  const watchAt = timeOf(Date.parse(change.now) + durationMs(unattended_after ?? defaultUnattendedAfter))
  return holdThread(ports, change, thread, { by, reason, until: null, watchAt })
}

/**
 * Releases a thread; one that nobody holds stays as it is.
 *
 * @param by Who releases it; null if its time has come.
 */
export async function releaseThread(
  change: ChangeContext,
  thread: ThreadRow,
  by: StoredSender | null,
): Promise<ThreadRow> {
  const before = holdOf(thread)
  if (!before) return thread
  await cancelJobs(change, before)
  const free = { ...thread, hold: null, released_seq: change.nextSeq }
  const released = await saveThread(change, free, 'thread.released')
  await audit(change, { action: 'thread.released', by, target: thread.id })
  await change.tell('released', { threadId: thread.id })
  return released
}

/** Changes facts of a hold that no record shows, and so without an event. */
export async function noteHold(
  { tx }: ChangeContext,
  { tenant_id, id, hold }: ThreadRow,
  facts: Pick<StoredHold, 'text_sent' | 'watch_job_id'>,
): Promise<void> {
  if (hold === null) return
  await tx
    .updateTable('threads')
    .set({ hold: JSON.stringify({ ...JSON.parse(hold), ...facts }) })
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', id)
    .execute()
}

/** Authors of a message that is about to be sent. */
interface Authors {
  sentBy: StoredSender | null
  approvedBy?: StoredSender | null | undefined
  /** True if it is the text that an operator prepared for a thread that is handed over. */
  isPrepared?: boolean | undefined
}

const remedy = 'Leave the message to them: a consumer gets it again afterwards, unless somebody answers it.'

/**
 * Requires that agents may send from an inbox, unless a person sends or approved it.
 *
 * @throws ServiceError `thread_held`
 */
export function requireAgentOn(
  { id, agent }: Pick<InboxRow, 'id' | 'agent'>,
  { sentBy, approvedBy }: Authors,
): void {
  if (agent !== 'off' || approvedBy || (sentBy?.kind !== 'key' && sentBy?.kind !== 'consumer')) return
  throw refuse(
    'thread_held',
    `Agents are switched off in the inbox ${id}, so nothing was sent. An operator switches them on (PATCH /inboxes/${id} with agent: "answers").`,
    { reason: 'agent_off', inbox_id: id },
  )
}

/** @throws ServiceError `thread_held` */
function requireNoTyping({ id, typing_job_id }: Pick<ThreadRow, 'id' | 'typing_job_id'>): void {
  if (typing_job_id === null) return
  throw refuse('thread_held', `A person is writing in this thread, so nothing was sent. ${remedy}`, {
    reason: 'typing',
    thread_id: id,
  })
}

/**
 * Requires that a message may be sent in a thread: only people write in a held one.
 *
 * @throws ServiceError `thread_held`
 */
export function requireNotHeld(
  thread: Pick<ThreadRow, 'id' | 'hold' | 'typing_job_id'> | undefined,
  { sentBy, approvedBy, isPrepared }: Authors,
): void {
  if (!thread || approvedBy || sentBy?.kind === 'operator') return
  const hold = holdOf(thread)
  if (!hold) return requireNoTyping(thread)
  if (isPrepared && !hold.text_sent) return
  const end = hold.until === null ? 'until it is released' : `until ${hold.until} at the latest`
  throw refuse('thread_held', `A person holds this thread ${end}, so nothing was sent. ${remedy}`, {
    reason: 'held',
    thread_id: thread.id,
    until: hold.until,
  })
}
