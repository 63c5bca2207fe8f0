import type { QueryCreator, Selectable, Transaction } from 'kysely'
import { newId, randomDigitsOf } from '../base/ids'
import { now, timeOf } from '../base/time'
import { runPrepared } from '../store/prepared'
import type { JobTable } from '../store/tables/log-tables'
import type { Database } from '../store/tables/schema'
import type { JobPorts } from './ports'

export type Job = Selectable<JobTable>
export type Queue =
  | 'delivery'
  | 'drafts'
  | 'holds'
  | 'uploads'
  | 'domains'
  | 'erase'
  | 'embeddings'
  | 'connections'
  | 'texts'
  | 'words'

/** Topic that is woken when a queue has a new job. */
export const queueTopic = (queue: Queue): string => `queue:${queue}`

/**
 * Inserts jobs in the caller's transaction, to be run at `runAt`, and returns their ids. A `domain` in the
 * data of a job is its destination.
 */
export async function insertJobs(
  ports: Pick<JobPorts, 'clock'>,
  tx: Transaction<Database>,
  tenantId: string,
  queue: Queue,
  data: object[],
  runAt = now(ports),
): Promise<string[]> {
  const rows = data.map((one) => ({
    tenant_id: tenantId,
    id: newId('job', ports.clock.now()),
    queue,
    run_at: runAt,
    lease_token: null,
    lease_until: null,
    created_at: now(ports),
    data: JSON.stringify(one),
    destination: 'domain' in one ? String(one.domain) : '',
  }))
  if (rows.length > 0) await tx.insertInto('jobs').values(rows).execute()
  return rows.map((row) => row.id)
}

/** Deletes a job, even while it is leased. */
export async function cancelJob(tx: Transaction<Database>, tenantId: string, id: string): Promise<void> {
  await tx.deleteFrom('jobs').where('tenant_id', '=', tenantId).where('id', '=', id).execute()
}

/** Returns the destinations of the jobs that became due after a time, leased or not. */
export async function dueDestinations(ports: JobPorts, queue: Queue, after: string): Promise<string[]> {
  const rows = await ports.store.db
    .selectFrom('jobs')
    .select('destination')
    .distinct()
    .where('queue', '=', queue)
    .where('held', 'is', null)
    .where('run_at', '>', after)
    .where('run_at', '<=', now(ports))
    .execute()
  return rows.map((row) => row.destination)
}

/** Key of a job: in some queues every account has one job, all with the same id. */
export type JobKey = Pick<Job, 'tenant_id' | 'id'>

/**
 * Leases due jobs for `leaseMs`, except some, optionally of one destination only. No other node gets them
 * meanwhile. If the holder dies, the lease expires.
 */
export async function leaseJobs(
  ports: JobPorts,
  queue: Queue,
  limit: number,
  leaseMs: number,
  { except, destination }: { except: readonly JobKey[]; destination?: string },
): Promise<Job[]> {
  const time = now(ports)
  const lease = { lease_token: randomDigitsOf(12), lease_until: timeOf(ports.clock.now() + leaseMs) }
  const dueIn = (db: QueryCreator<Database>, limit: number) =>
    db
      .selectFrom('jobs')
      .select(['tenant_id', 'id'])
      .where('queue', '=', queue)
      .where('held', 'is', null)
      .where('run_at', '<=', time)
      .where((or) => or.or([or('lease_until', 'is', null), or('lease_until', '<=', time)]))
      .where(({ and, not }) => and(except.map(({ tenant_id, id }) => not(and({ tenant_id, id })))))
      .$if(destination !== undefined, (some) => some.where('destination', '=', destination!))
      .orderBy('run_at')
      .limit(limit)
  // Most polls find nothing: then they write nothing, and no commit of a message waits for them.
  if (!(await dueIn(ports.store.db, 1).executeTakeFirst())) return []
  const isShared = ports.store.dialect === 'postgres'
  return ports.store.write((tx) =>
    tx
      .with('due', (db) => (isShared ? dueIn(db, limit).forUpdate().skipLocked() : dueIn(db, limit)))
      .updateTable('jobs')
      // A job taken over from a node that died did not complete its attempt, so it does not count.
      .set((job) => ({
        ...lease,
        attempts: job
          .case()
          .when('lease_token', 'is', null)
          .then(job('attempts', '+', 1))
          .else(job.ref('attempts'))
          .end(),
      }))
      .where(({ eb, refTuple, selectFrom }) =>
        eb(
          refTuple('tenant_id', 'id'),
          'in',
          selectFrom('due').select(['tenant_id', 'id']).$asTuple('tenant_id', 'id'),
        ),
      )
      .returningAll()
      .execute(),
  )
}

/** Extends a lease. Returns false if it was lost. */
export async function extendLease(ports: JobPorts, job: Job, leaseMs: number): Promise<boolean> {
  const result = await ports.store.write(
    (tx) =>
      tx
        .updateTable('jobs')
        .set({ lease_until: timeOf(ports.clock.now() + leaseMs) })
        .where('tenant_id', '=', job.tenant_id)
        .where('id', '=', job.id)
        .where('lease_token', '=', job.lease_token)
        .executeTakeFirst(),
    `${job.tenant_id} jobs`,
  )
  return Number(result.numUpdatedRows) === 1
}

/** Checks that a job's lease is still held, and keeps it so until the transaction ends. */
export async function holdsJob(
  { store }: Pick<JobPorts, 'store'>,
  tx: Transaction<Database>,
  job: Job,
): Promise<boolean> {
  const rows = await runPrepared(tx, 'holds job', [job.tenant_id, job.id, job.lease_token], () => {
    const query = tx
      .selectFrom('jobs')
      .select('id')
      .where('tenant_id', '=', job.tenant_id)
      .where('id', '=', job.id)
      .where('lease_token', '=', job.lease_token)
    return store.dialect === 'postgres' ? query.forShare() : query
  })
  return rows.length > 0
}

/**
 * Deletes a finished job in the transaction of its changes. Returns false if the lease was lost: then change
 * nothing.
 */
export async function finishJob(tx: Transaction<Database>, job: Job): Promise<boolean> {
  const result = await tx
    .deleteFrom('jobs')
    .where('tenant_id', '=', job.tenant_id)
    .where('id', '=', job.id)
    .where('lease_token', '=', job.lease_token)
    .executeTakeFirst()
  return Number(result.numDeletedRows) === 1
}

/** Gives a job back, to be run at `runAt`, with new data if given. Returns false if the lease was lost. */
export async function postponeJob(
  tx: Transaction<Database>,
  job: Job,
  runAt: string,
  data?: string,
): Promise<boolean> {
  const result = await tx
    .updateTable('jobs')
    .set({ run_at: runAt, lease_token: null, lease_until: null, ...(data !== undefined && { data }) })
    .where('tenant_id', '=', job.tenant_id)
    .where('id', '=', job.id)
    .where('lease_token', '=', job.lease_token)
    .executeTakeFirst()
  return Number(result.numUpdatedRows) === 1
}

/** Replaces the data of a leased job, also for its next runs. Returns false if the lease was lost. */
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

/** Gives a job back unfinished, to be run at `runAt`: this attempt does not count. */
export async function returnJob(tx: Transaction<Database>, job: Job, runAt: string): Promise<void> {
  await tx
    .updateTable('jobs')
    .set({ run_at: runAt, attempts: job.attempts - 1, lease_token: null, lease_until: null })
    .where('tenant_id', '=', job.tenant_id)
    .where('id', '=', job.id)
    .where('lease_token', '=', job.lease_token)
    .execute()
}

/**
 * Ends the leases of a killed process. Use it only if the database has one process, since others hold leases
 * too.
 */
export async function releaseAllLeases(ports: JobPorts): Promise<void> {
  await ports.store.write((tx) =>
    tx
      .updateTable('jobs')
      .set((job) => ({ lease_token: null, lease_until: null, attempts: job('attempts', '-', 1) }))
      .where('lease_token', 'is not', null)
      .execute(),
  )
}
