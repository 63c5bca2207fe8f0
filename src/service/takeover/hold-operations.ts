import { isServiceError } from '../../protocol/errors/error'
import type { HoldBody, Thread } from '../../protocol/records/thread'
import type { Scope } from '../accounts/keys'
import { refuse } from '../base/refuse'
import { finishJob, type Job } from '../jobs/jobs'
import { changeAccount } from '../log/change'
import type { ChangeContext } from '../log/registry'
import type { MessagePorts } from '../messages/ports'
import { holdOf, type StoredHold, type ThreadRow } from '../messages/records'
import { saveThread } from '../messages/thread-refresh'
import { findThread } from '../messages/threads'
import { openSnoozed } from './assignments'
import { actorOf, changeThread } from './change-thread'
import { type HoldJob, holdThread, releaseThread } from './holds'
import { followTyping } from './presence'

/**
 * Holds a thread for people.
 *
 * @throws ServiceError `not_found`, `claim_required`; `invalid_request` if `until` is not in the future
 */
export async function hold(
  ports: MessagePorts,
  scope: Scope,
  { id, reason, until = null }: { id: string } & HoldBody,
): Promise<Thread> {
  return changeThread(ports, scope, id, (change, thread) => {
    if (until !== null && until <= change.now)
      throw refuse(
        'invalid_request',
        `A hold until ${until} would end at once: give a time in the future, or leave until out to hold the thread until it is released.`,
        [{ field: 'until', problem: 'is not in the future' }],
      )
    return holdThread(ports, change, thread, {
      by: actorOf(scope),
      reason: reason ?? null,
      until,
    })
  })
}

/** Releases a thread to its agents. @throws ServiceError `not_found`, `claim_required` */
export const release = (ports: MessagePorts, scope: Scope, id: string): Promise<Thread> =>
  changeThread(ports, scope, id, (change, thread) => releaseThread(change, thread, actorOf(scope)))

/** Reports a handed-over thread that no operator has opened. */
async function reportUnattended(change: ChangeContext, thread: ThreadRow, hold: StoredHold): Promise<void> {
  const reported = JSON.stringify({ ...hold, watch_job_id: null })
  await saveThread(change, { ...thread, hold: reported }, 'thread.unattended')
}

/**
 * Ends a hold, typing or a snooze at its time, or reports a hold that nobody attends to: the work of the queue `holds`.
 * A job that the thread no longer names is void.
 */
export async function runHoldJob(ports: MessagePorts, job: Job): Promise<void> {
  const { threadId } = JSON.parse(job.data) as HoldJob
  await changeAccount(ports, job.tenant_id, async (change) => {
    if (!(await finishJob(change.tx, job))) return
    const thread = await findThread(change.tx, job.tenant_id, threadId)
    const hold = thread && holdOf(thread)
    if (hold?.job_id === job.id) await releaseThread(change, thread!, null)
    else if (hold?.watch_job_id === job.id) await reportUnattended(change, thread!, hold)
    else if (thread?.snooze_job_id === job.id) await openSnoozed(change, thread)
    else if (thread?.typing_job_id === job.id) await followTyping(ports, change, thread)
  }).catch((error: unknown) => {
    // The account was erased meanwhile, with its jobs.
    if (!isServiceError(error, 'account_not_found')) throw error
  })
}
