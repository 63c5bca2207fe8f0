import { type Selectable, sql, type Transaction } from 'kysely'
import type { Database, JobTable } from '../store/schema'
import { type Core, now, timeOf } from './context'
import { newId, randomDigitsOf } from './ids'

export type Job = Selectable<JobTable>
export type Queue = 'delivery' | 'drafts' | 'uploads' | 'domains' | 'erase'

/** Topic that is woken when a queue has something to do. */
export const queueTopic = (queue: Queue): string => `queue:${queue}`

/** Puts work on a queue in the transaction of what it is for, to be run at a time; the ids are those of the jobs. */
export async function insertJobs(
  core: Pick<Core, 'clock'>,
  tx: Transaction<Database>,
  tenantId: string,
  queue: Queue,
  data: object[],
  runAt = now(core),
): Promise<string[]> {
  const rows = data.map((one) => ({
    tenant_id: tenantId,
    id: newId('job', core.clock.now()),
    queue,
    run_at: runAt,
    lease_token: null,
    lease_until: null,
    created_at: now(core),
    data: JSON.stringify(one),
  }))
  if (rows.length > 0) await tx.insertInto('jobs').values(rows).execute()
  return rows.map((row) => row.id)
}

/** Takes a job away, whoever holds it. */
export async function cancelJob(tx: Transaction<Database>, tenantId: string, id: string): Promise<void> {
  await tx.deleteFrom('jobs').where('tenant_id', '=', tenantId).where('id', '=', id).execute()
}

/** Takes due jobs for `leaseMs`; nobody else gets them meanwhile. A holder that dies loses them by the clock. */
export async function leaseJobs(core: Core, queue: Queue, limit: number, leaseMs: number): Promise<Job[]> {
  const time = now(core)
  const lease = { lease_token: randomDigitsOf(12), lease_until: timeOf(core.clock.now() + leaseMs) }
  return core.store.write(async (tx) => {
    let due = tx
      .selectFrom('jobs')
      .select('id')
      .where('queue', '=', queue)
      .where('run_at', '<=', time)
      .where((or) => or.or([or('lease_until', 'is', null), or('lease_until', '<=', time)]))
      .orderBy('run_at')
      .limit(limit)
    if (core.store.dialect === 'postgres') due = due.forUpdate().skipLocked()
    const ids = (await due.execute()).map((row) => row.id)
    if (ids.length === 0) return []
    return tx
      .updateTable('jobs')
      .set((job) => ({ ...lease, attempts: job('attempts', '+', 1) }))
      .where('id', 'in', ids)
      .returningAll()
      .execute()
  })
}

/** Holds a job for longer. False where the lease was lost. */
export async function extendLease(core: Core, job: Job, leaseMs: number): Promise<boolean> {
  const result = await core.store.write((tx) =>
    tx
      .updateTable('jobs')
      .set({ lease_until: timeOf(core.clock.now() + leaseMs) })
      .where('tenant_id', '=', job.tenant_id)
      .where('id', '=', job.id)
      .where('lease_token', '=', job.lease_token)
      .executeTakeFirst(),
  )
  return Number(result.numUpdatedRows) === 1
}

/** Removes a job with what its work changed. False where the lease was lost: then nothing may be changed. */
export async function finishJob(tx: Transaction<Database>, job: Job): Promise<boolean> {
  const result = await tx
    .deleteFrom('jobs')
    .where('tenant_id', '=', job.tenant_id)
    .where('id', '=', job.id)
    .where('lease_token', '=', job.lease_token)
    .executeTakeFirst()
  return Number(result.numDeletedRows) === 1
}

/** Gives a job back, to be run at a time. False where the lease was lost. */
export async function postponeJob(
  tx: Transaction<Database>,
  job: Job,
  runAt: string,
  data = job.data,
): Promise<boolean> {
  const result = await tx
    .updateTable('jobs')
    .set({ run_at: runAt, lease_token: null, lease_until: null, data })
    .where('tenant_id', '=', job.tenant_id)
    .where('id', '=', job.id)
    .where('lease_token', '=', job.lease_token)
    .executeTakeFirst()
  return Number(result.numUpdatedRows) === 1
}

/** Before the name of a queue: its jobs wait until somebody lets them go. */
export const heldPrefix = 'held:'

/** Lets the jobs go that were held with a restored database; how many. */
export async function releaseHeldJobs(core: Core): Promise<number> {
  const result = await core.store.write((tx) =>
    tx
      .updateTable('jobs')
      .set({ queue: sql<string>`substr(queue, ${sql.lit(heldPrefix.length + 1)})` })
      .where('queue', 'like', `${heldPrefix}%`)
      .executeTakeFirst(),
  )
  for (const queue of ['delivery', 'drafts'] as const) core.signals.publish(queueTopic(queue))
  return Number(result.numUpdatedRows)
}

/** What a process that was killed held: nobody else can hold anything where a database has one process only. */
export async function releaseAllLeases(core: Core): Promise<void> {
  await core.store.write((tx) =>
    tx.updateTable('jobs').set({ lease_token: null, lease_until: null }).execute(),
  )
}
