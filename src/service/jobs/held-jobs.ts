import type { Transaction } from 'kysely'
import { now } from '../base/time'
import { changeAccount } from '../log/change'
import type { ChangeContext } from '../log/registry'
import type { Store } from '../store/store'
import type { Database } from '../store/tables/schema'
import { type Job, queueTopic } from './jobs'
import type { JobPorts } from './ports'

/** Queues whose jobs send email. */
const sendingQueues = ['delivery', 'drafts'] as const

/** Holds a leased job while its account may not send: this attempt does not count. */
async function holdJob(tx: Transaction<Database>, job: Job): Promise<void> {
  await tx
    .updateTable('jobs')
    .set({ held: 'account', attempts: job.attempts - 1, lease_token: null, lease_until: null })
    .where('tenant_id', '=', job.tenant_id)
    .where('id', '=', job.id)
    .where('lease_token', '=', job.lease_token)
    .execute()
}

interface Sender {
  suspended_at: string | null
  sending_paused_at: string | null
}

/** Checks whether the account is paused or suspended, so that its sending is held. */
const isHeld = ({ suspended_at, sending_paused_at }: Sender): boolean =>
  suspended_at !== null || sending_paused_at !== null

/**
 * Holds a leased job if its account may not send now, without counting the attempt. @returns Whether it is
 * held.
 */
export async function holdWhilePaused(ports: JobPorts, job: Job): Promise<boolean> {
  const sender = await ports.store.db
    .selectFrom('accounts')
    .select(['suspended_at', 'sending_paused_at'])
    .where('tenant_id', '=', job.tenant_id)
    .executeTakeFirst()
  if (!sender || !isHeld(sender)) return false
  // Checked again under the lock of the account, so that no job is held after the others were released.
  return changeAccount(ports, job.tenant_id, async ({ tx, account }) => {
    if (!isHeld(account)) return false
    await holdJob(tx, job)
    return true
  })
}

/** Releases the account's held jobs, as if they had been queued now. */
export async function releasePausedJobs(change: ChangeContext): Promise<void> {
  const { tx, account, now } = change
  await tx
    .updateTable('jobs')
    .set({ held: null, run_at: now, created_at: now })
    .where('tenant_id', '=', account.tenant_id)
    .where('held', '=', 'account')
    .execute()
  for (const queue of sendingQueues) change.wake(queueTopic(queue))
}

/**
 * Holds the sending jobs of a restored database, whose messages have most likely been sent since, and returns
 * their number. A job that runs now is not stopped, but not tried again either.
 */
export async function holdRestoredJobs(store: Store): Promise<number> {
  const result = await store.write((tx) =>
    tx
      .updateTable('jobs')
      .set({ held: 'restored' })
      .where('queue', 'in', [...sendingQueues])
      .executeTakeFirst(),
  )
  return Number(result.numUpdatedRows)
}

/** Releases the jobs held after a restore, as if they had been queued now, and returns their number. */
export async function releaseRestoredJobs(
  ports: Pick<JobPorts, 'store' | 'signals' | 'clock'>,
): Promise<number> {
  const result = await ports.store.write((tx) =>
    tx
      .updateTable('jobs')
      .set({ held: null, created_at: now(ports) })
      .where('held', '=', 'restored')
      .executeTakeFirst(),
  )
  for (const queue of sendingQueues) ports.signals.publish(queueTopic(queue))
  return Number(result.numUpdatedRows)
}
