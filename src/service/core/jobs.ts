import type { Selectable, Transaction } from 'kysely'
import type { Database, JobTable } from '../store/schema'
import type { Store } from '../store/store'
import { type Core, now, timeOf } from './context'
import { newId, randomDigitsOf } from './ids'

export type Job = Selectable<JobTable>
export type Queue = 'delivery' | 'drafts' | 'uploads' | 'domains' | 'erase'

/** Topic that is woken when a queue has something to do. */
export const queueTopic = (queue: Queue): string => `queue:${queue}`

/**
 * Puts work on a queue in the transaction of what it is for, to be run at a time; the ids are those of the jobs. A
 * `domain` in its data is where it goes.
 */
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
    destination: 'domain' in one ? String(one.domain) : '',
  }))
  if (rows.length > 0) await tx.insertInto('jobs').values(rows).execute()
  return rows.map((row) => row.id)
}

/** Takes a job away, whoever holds it. */
export async function cancelJob(tx: Transaction<Database>, tenantId: string, id: string): Promise<void> {
  await tx.deleteFrom('jobs').where('tenant_id', '=', tenantId).where('id', '=', id).execute()
}

/** Where jobs go that became due after a time, leased or not. */
export async function dueDestinations(core: Core, queue: Queue, after: string): Promise<string[]> {
  const rows = await core.store.db
    .selectFrom('jobs')
    .select('destination')
    .distinct()
    .where('queue', '=', queue)
    .where('held', 'is', null)
    .where('run_at', '>', after)
    .where('run_at', '<=', now(core))
    .execute()
  return rows.map((row) => row.destination)
}

/**
 * Takes due jobs for `leaseMs`, of one destination where that is named; nobody else gets them meanwhile. A holder
 * that dies loses them by the clock.
 */
export async function leaseJobs(
  core: Core,
  queue: Queue,
  limit: number,
  leaseMs: number,
  destination?: string,
): Promise<Job[]> {
  const time = now(core)
  const lease = { lease_token: randomDigitsOf(12), lease_until: timeOf(core.clock.now() + leaseMs) }
  return core.store.write(async (tx) => {
    let due = tx
      .selectFrom('jobs')
      .select('id')
      .where('queue', '=', queue)
      .where('held', 'is', null)
      .where('run_at', '<=', time)
      .where((or) => or.or([or('lease_until', 'is', null), or('lease_until', '<=', time)]))
      .orderBy('run_at')
      .limit(limit)
    if (destination !== undefined) due = due.where('destination', '=', destination)
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

/** Changes what a leased job has still to do, for whoever runs it next as well. False where the lease was lost. */
export async function narrowJob(tx: Transaction<Database>, job: Job, data: string): Promise<boolean> {
  const result = await tx
    .updateTable('jobs')
    .set({ data })
    .where('tenant_id', '=', job.tenant_id)
    .where('id', '=', job.id)
    .where('lease_token', '=', job.lease_token)
    .executeTakeFirst()
  return Number(result.numUpdatedRows) === 1
}

/** Puts a leased job aside while its account may not send: this attempt does not count. */
export async function holdJob(tx: Transaction<Database>, job: Job): Promise<void> {
  await tx
    .updateTable('jobs')
    .set({ held: 'account', attempts: job.attempts - 1, lease_token: null, lease_until: null })
    .where('tenant_id', '=', job.tenant_id)
    .where('id', '=', job.id)
    .where('lease_token', '=', job.lease_token)
    .execute()
}

/** Gives a job back unfinished, to be run at once: this attempt does not count. */
export async function returnJob(tx: Transaction<Database>, job: Job, runAt: string): Promise<void> {
  await tx
    .updateTable('jobs')
    .set({ run_at: runAt, attempts: job.attempts - 1, lease_token: null, lease_until: null })
    .where('tenant_id', '=', job.tenant_id)
    .where('id', '=', job.id)
    .where('lease_token', '=', job.lease_token)
    .execute()
}

/** What sends mail. */
export const sendingQueues = ['delivery', 'drafts'] as const

/**
 * What waited to be sent in a restored database has gone out since, most likely; how many jobs are held. One that a
 * service works on at this moment is not stopped, but is not tried again either.
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

/** Lets the jobs go that were held with a restored database, as if they had been queued now; how many. */
export async function releaseRestoredJobs(core: Pick<Core, 'store' | 'signals' | 'clock'>): Promise<number> {
  const result = await core.store.write((tx) =>
    tx
      .updateTable('jobs')
      .set({ held: null, created_at: now(core) })
      .where('held', '=', 'restored')
      .executeTakeFirst(),
  )
  for (const queue of sendingQueues) core.signals.publish(queueTopic(queue))
  return Number(result.numUpdatedRows)
}

/** What a process that was killed held: nobody else can hold anything where a database has one process only. */
export async function releaseAllLeases(core: Core): Promise<void> {
  await core.store.write((tx) =>
    tx.updateTable('jobs').set({ lease_token: null, lease_until: null }).execute(),
  )
}
