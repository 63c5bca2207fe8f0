import type { PresenceBody, Present } from '../../protocol/records/desk/presence'
import type { Scope } from '../accounts/keys'
import type { StoredSender } from '../base/sender'
import { minuteMs, timeOf } from '../base/time'
import { cancelJob, insertJobs, queueTopic } from '../jobs/jobs'
import { changeAccount } from '../log/change'
import type { ChangeContext } from '../log/registry'
import type { MessagePorts } from '../messages/ports'
import { holdOf, type ThreadRow } from '../messages/records'
import { threadRowIn } from '../messages/threads'
import { type HoldJob, noteHold } from './holds'

/** Time for which one signal counts. */
const lastsMs = 2 * minuteMs

const selectPresent = ({ tx, account, now }: ChangeContext, { id }: ThreadRow) =>
  tx
    .selectFrom('presence')
    .where('tenant_id', '=', account.tenant_id)
    .where('thread_id', '=', id)
    .where('until', '>', now)

/** Stores what an operator does in a thread now. */
async function store(
  { tx, account, now }: ChangeContext,
  { id: thread_id }: ThreadRow,
  { id, name }: StoredSender,
  state: PresenceBody['state'],
): Promise<void> {
  const operator_id = id ?? ''
  await tx
    .deleteFrom('presence')
    .where('tenant_id', '=', account.tenant_id)
    .where('thread_id', '=', thread_id)
    .where(({ or, eb }) =>
      or([eb('until', '<=', now), ...(state === 'gone' ? [eb('operator_id', '=', operator_id)] : [])]),
    )
    .execute()
  if (state === 'gone') return
  const until = timeOf(Date.parse(now) + lastsMs)
  await tx
    .insertInto('presence')
    .values({ tenant_id: account.tenant_id, thread_id, operator_id, name, state, since: now, until })
    .onConflict((conflict) =>
      conflict.columns(['tenant_id', 'thread_id', 'operator_id']).doUpdateSet({ state, until }),
    )
    .execute()
}

async function setTypingJob(
  { tx }: ChangeContext,
  { tenant_id, id }: ThreadRow,
  typing_job_id: string | null,
) {
  await tx
    .updateTable('threads')
    .set({ typing_job_id })
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', id)
    .execute()
}

/** Keeps agents out of a thread while operators write in it, without an event. */
export async function followTyping(
  ports: Pick<MessagePorts, 'clock'>,
  change: ChangeContext,
  thread: ThreadRow,
): Promise<void> {
  const { tenant_id, id: threadId, typing_job_id: before } = thread
  const row = await selectPresent(change, thread)
    .where('state', '=', 'writing')
    .select(({ fn }) => fn.max('until').as('until'))
    .executeTakeFirst()
  const until = row?.until ?? null
  if (before !== null) await cancelJob(change.tx, tenant_id, before)
  if (until === null) {
    if (before === null) return
    await setTypingJob(change, thread, null)
    return change.tell('released', { threadId })
  }
  const work: HoldJob = { threadId }
  const [jobId] = await insertJobs(ports, change.tx, tenant_id, 'holds', [work], until)
  change.wake(queueTopic('holds'))
  await setTypingJob(change, thread, jobId!)
  if (before === null) await change.tell('held', { threadId })
}

/** Notes that an operator opened a thread, so that nobody need be called to it. */
async function noteOpened(change: ChangeContext, thread: ThreadRow): Promise<void> {
  const watchJobId = holdOf(thread)?.watch_job_id
  if (!watchJobId) return
  await cancelJob(change.tx, thread.tenant_id, watchJobId)
  await noteHold(change, thread, { watch_job_id: null })
}

/**
 * Notes what an operator does in a thread, for two minutes, and returns the other operators there. While one
 * of them writes, agents neither get its messages nor send in it.
 *
 * @throws ServiceError `not_found`
 */
export const notePresence = (
  ports: MessagePorts,
  scope: Scope,
  operator: StoredSender,
  { id, state }: PresenceBody & { id: string },
): Promise<{ present: Present[] }> =>
  changeAccount(ports, scope.tenantId, async (change) => {
    const thread = await threadRowIn(change.tx, scope, id)
    await store(change, thread, operator, state)
    if (state !== 'gone') await noteOpened(change, thread)
    if (state === 'writing' || thread.typing_job_id !== null) await followTyping(ports, change, thread)
    const others = await selectPresent(change, thread)
      .select(['operator_id', 'name', 'state', 'since'])
      .where('operator_id', '!=', operator.id ?? '')
      .orderBy('since')
      .execute()
    return { present: others }
  })
