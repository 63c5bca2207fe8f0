import { type Change, changeAccount } from './change'
import type { Core } from './context'
import { holdJob, type Job, queueTopic, sendingQueues } from './jobs'

interface Sender {
  suspended_at: string | null
  sending_paused_at: string | null
}

/** Nothing of a paused or suspended account leaves; it waits for better times. */
const isHeld = ({ suspended_at, sending_paused_at }: Sender): boolean =>
  suspended_at !== null || sending_paused_at !== null

/** Puts a leased job aside where its account may not send now. Its attempts are not counted meanwhile. */
export async function holdWhilePaused(core: Core, job: Job): Promise<boolean> {
  const sender = await core.store.db
    .selectFrom('accounts')
    .select(['suspended_at', 'sending_paused_at'])
    .where('tenant_id', '=', job.tenant_id)
    .executeTakeFirst()
  if (!sender || !isHeld(sender)) return false
  // Decided anew behind the lock of the account, so that no job is put aside after the others were released.
  return changeAccount(core, job.tenant_id, async ({ tx, account }) => {
    if (!isHeld(account)) return false
    await holdJob(tx, job)
    return true
  })
}

/** Runs what was put aside, as if it had been queued now. */
export async function releasePausedJobs(change: Change): Promise<void> {
  const { tx, account, now } = change
  await tx
    .updateTable('jobs')
    .set({ held: null, run_at: now, created_at: now })
    .where('tenant_id', '=', account.tenant_id)
    .where('held', '=', 'account')
    .execute()
  for (const queue of sendingQueues) change.wake(queueTopic(queue))
}
