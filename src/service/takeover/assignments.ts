import type { AssignBody, SnoozeBody } from '../../protocol/records/desk/assignment'
import type { Thread } from '../../protocol/records/thread'
import type { Scope } from '../accounts/keys'
import { nameOfOperator } from '../accounts/operators'
import { notFound, refuse } from '../base/refuse'
import type { StoredSender } from '../base/sender'
import { cancelJob } from '../jobs/jobs'
import { audit } from '../log/audit'
import type { ChangeContext, Registry } from '../log/registry'
import { relabelThread } from '../messages/label-assign'
import type { MessagePorts } from '../messages/ports'
import { holdOf, openStatus, type ThreadRow } from '../messages/records'
import { saveThread } from '../messages/thread-refresh'
import { findThread } from '../messages/threads'
import { actorOf, changeThread } from './change-thread'
import { holdThread, releaseThread, schedule } from './holds'

type Asked = NonNullable<AssignBody['assignee']>

/** Finds an operator of the account. @throws ServiceError `not_found` */
async function operatorIn({ tx, account }: ChangeContext, scope: Scope, id: string): Promise<StoredSender> {
  const own = scope.sender?.kind === 'operator' ? scope.sender : null
  if (id === 'me' && own) return own
  const row = await tx
    .selectFrom('account_operators')
    .innerJoin('operators', 'operators.id', 'account_operators.operator_id')
    .select(['operators.id', 'operators.name', 'operators.email'])
    .where('account_operators.tenant_id', '=', account.tenant_id)
    .where('operators.id', '=', id)
    .executeTakeFirst()
  if (!row) throw notFound('operator', id)
  return { kind: 'operator', id: row.id, name: nameOfOperator(row) }
}

/** Finds a consumer of the account. @throws ServiceError `not_found` */
async function consumerIn(
  { tx, account }: ChangeContext,
  { inboxId }: Scope,
  name: string,
): Promise<StoredSender> {
  let query = tx
    .selectFrom('consumers')
    .select('name')
    .where('tenant_id', '=', account.tenant_id)
    .where('name', '=', name)
  if (inboxId !== null) query = query.where('inbox_id', '=', inboxId)
  const row = await query.executeTakeFirst()
  if (!row) throw notFound('consumer', name)
  return { kind: 'consumer', id: name, name }
}

const assigneeIn = (change: ChangeContext, scope: Scope, { kind, id }: Asked): Promise<StoredSender> =>
  kind === 'operator' ? operatorIn(change, scope, id) : consumerIn(change, scope, id)

/** Returns the columns of an assignee. */
const columnsOf = (assignee: StoredSender | null): Pick<ThreadRow, 'assignee' | 'assignee_name'> => ({
  assignee: assignee && `${assignee.kind}:${assignee.id}`,
  assignee_name: assignee?.kind === 'operator' ? assignee.name : null,
})

/** Holds a thread for its operator, or releases it to its consumer. */
function followAssignee(
  ports: MessagePorts,
  scope: Scope,
  change: ChangeContext,
  thread: ThreadRow,
  assignee: StoredSender | null,
): Promise<ThreadRow> | ThreadRow {
  if (!assignee) return thread
  const actor = actorOf(scope)
  if (assignee.kind === 'consumer') return releaseThread(change, thread, actor)
  const reason = holdOf(thread)?.reason ?? 'Assigned to an operator.'
  return holdThread(ports, change, thread, { by: assignee, reason, until: null, actor })
}

/**
 * Assigns a thread. An operator holds it, a consumer releases it.
 *
 * @throws ServiceError `not_found`, also for an unknown assignee, `claim_required`
 */
export const assign = (
  ports: MessagePorts,
  scope: Scope,
  { id, assignee: asked }: AssignBody & { id: string },
): Promise<Thread> =>
  changeThread(ports, scope, id, async (change, thread) => {
    const assignee = asked && (await assigneeIn(change, scope, asked))
    const assigned = { ...thread, ...columnsOf(assignee) }
    const isSame = thread.assignee === assigned.assignee
    if (!isSame)
      await audit(change, {
        ...{ action: 'thread.assigned', by: actorOf(scope), target: thread.id },
        details: { assignee },
      })
    const followed = await followAssignee(ports, scope, change, assigned, assignee)
    return followed === assigned && !isSame ? saveThread(change, assigned) : followed
  })

/** Cancels the job that would end the snooze of a thread. */
async function cancelSnooze({ tx }: ChangeContext, { tenant_id, snooze_job_id }: ThreadRow): Promise<void> {
  if (snooze_job_id !== null) await cancelJob(tx, tenant_id, snooze_job_id)
}

/** Stores that a thread is closed, and ends its hold. */
async function setClosed(
  change: ChangeContext,
  thread: ThreadRow,
  by: StoredSender | null,
): Promise<ThreadRow> {
  await cancelSnooze(change, thread)
  const closed: ThreadRow = { ...thread, ...openStatus, status: 'closed' }
  await audit(change, { action: 'thread.closed', by, target: thread.id })
  const released = await releaseThread(change, closed, by)
  return released === closed ? saveThread(change, closed) : released
}

/**
 * Closes a thread: its messages are archived, and its hold ends. If a person closes it, consumers do not get
 * the messages that wait in it.
 *
 * @throws ServiceError `not_found`, `claim_required`
 */
export const close = (ports: MessagePorts, scope: Scope, id: string): Promise<Thread> =>
  changeThread(ports, scope, id, async (change, thread) => {
    if (thread.status === 'closed') return thread
    const by = actorOf(scope)
    const closed = await setClosed(change, thread, by)
    const archived = await relabelThread(change, closed, 'archived', true)
    if (by.kind === 'operator') await change.tell('closed', { threadId: thread.id })
    return archived
  })

/** Stores that a thread is open. */
async function setOpen(
  change: ChangeContext,
  thread: ThreadRow,
  by: StoredSender | null,
): Promise<ThreadRow> {
  await cancelSnooze(change, thread)
  await audit(change, { action: 'thread.reopened', by, target: thread.id })
  return saveThread(change, { ...thread, ...openStatus })
}

/** Opens a closed or snoozed thread. @throws ServiceError `not_found`, `claim_required` */
export const reopen = (ports: MessagePorts, scope: Scope, id: string): Promise<Thread> =>
  changeThread(ports, scope, id, async (change, thread) => {
    if (thread.status === 'open') return thread
    return relabelThread(change, await setOpen(change, thread, actorOf(scope)), 'archived', false)
  })

/** Opens a thread whose snooze is over. */
export async function openSnoozed(change: ChangeContext, thread: ThreadRow): Promise<void> {
  await setOpen(change, { ...thread, snooze_job_id: null }, null)
}

/**
 * Snoozes a thread.
 *
 * @throws ServiceError `not_found`, `claim_required`; `invalid_request` if `until` is not in the future
 */
export const snooze = (
  ports: MessagePorts,
  scope: Scope,
  { id, until }: SnoozeBody & { id: string },
): Promise<Thread> =>
  changeThread(ports, scope, id, async (change, thread) => {
    if (until <= change.now)
      throw refuse(
        'invalid_request',
        `A snooze until ${until} would end at once: give a time in the future.`,
        [{ field: 'until', problem: 'is not in the future' }],
      )
    await cancelSnooze(change, thread)
    const snooze_job_id = await schedule(ports, change, thread, until)
    const by = actorOf(scope)
    await audit(change, { action: 'thread.snoozed', by, target: thread.id, details: { until } })
    const snoozed: ThreadRow = { ...thread, status: 'snoozed', snoozed_until: until, snooze_job_id }
    return relabelThread(change, await saveThread(change, snoozed), 'archived', false)
  })

/** Follows the label `archived` of the newest message of a thread: with it the thread is closed. */
async function followArchived(
  change: ChangeContext,
  { message, isArchived }: { message: { id: string; thread_id: string }; isArchived: boolean },
): Promise<void> {
  const thread = await findThread(change.tx, change.account.tenant_id, message.thread_id)
  if (thread?.last_message_id !== message.id || (thread.status === 'closed') === isArchived) return
  // Archiving decides nothing about a conversation that a person holds.
  if (isArchived && !holdOf(thread)) await setClosed(change, thread, null)
  else if (thread.status === 'closed') await setOpen(change, thread, null)
}

/** Registers the handler of labels, by which threads are closed. */
export function joinTakeover(registry: Registry): void {
  registry.on('labelled', async (change, { message, before, after }) => {
    const isArchived = after.includes('archived')
    if (before.includes('archived') !== isArchived) await followArchived(change, { message, isArchived })
  })
}
