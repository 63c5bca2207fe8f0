import { finishJob, insertJobs, type Job, queueTopic } from '../jobs/jobs'
import { changeAccount } from '../log/change'
import type { ChangeContext } from '../log/registry'
import { condemnBlobs, erasedTopic } from '../messages/originals'
import type { MessagePorts } from '../messages/ports'
import { dropThreadLabels } from '../messages/thread-refresh'
import { type ErasedAccount, eraseAccountRows } from './erase-account'
import { type ErasedEvents, eraseSomeEvents } from './erase-events'
import { eraseMessageRows } from './erase-rows'

/** Maximum number of rows that one transaction removes, since others wait for it. */
const maxRows = 200
/** Steps that run within the request: they suffice for small records. */
const roundsAtOnce = 3

/** Erases some messages of a thread or an inbox, newest first. */
async function eraseSomeMessages(change: ChangeContext, { of, id }: ErasedEvents): Promise<boolean> {
  if (of !== 'thread' && of !== 'inbox') return false
  const rows = await change.tx
    .selectFrom('messages')
    .select('id')
    .where('tenant_id', '=', change.account.tenant_id)
    .where(of === 'thread' ? 'thread_id' : 'inbox_id', '=', id)
    .orderBy('created_seq', 'desc')
    .limit(maxRows)
    .execute()
  await eraseMessageRows(
    change,
    rows.map((row) => row.id),
  )
  return rows.length === maxRows
}

async function eraseSomeDrafts({ tx, account, now }: ChangeContext, inboxId: string): Promise<boolean> {
  const { tenant_id } = account
  const some = await tx
    .selectFrom('drafts')
    .select('id')
    .where('tenant_id', '=', tenant_id)
    .where('inbox_id', '=', inboxId)
    .limit(maxRows)
    .execute()
  if (some.length === 0) return false
  const ids = some.map((row) => row.id)
  const files = await tx
    .deleteFrom('draft_files')
    .where('tenant_id', '=', tenant_id)
    .where('draft_id', 'in', ids)
    .returning('blob_hash')
    .execute()
  await condemnBlobs(
    tx,
    files.map((row) => row.blob_hash),
    now,
  )
  await tx.deleteFrom('drafts').where('tenant_id', '=', tenant_id).where('id', 'in', ids).execute()
  return some.length === maxRows
}

async function eraseSomeUploads({ tx, account, now }: ChangeContext, inboxId: string): Promise<boolean> {
  const some = tx
    .selectFrom('uploads')
    .select('id')
    .where('tenant_id', '=', account.tenant_id)
    .where('inbox_id', '=', inboxId)
    .limit(maxRows)
  const removed = await tx
    .deleteFrom('uploads')
    .where('tenant_id', '=', account.tenant_id)
    .where('id', 'in', some)
    .returning('blob_hash')
    .execute()
  await condemnBlobs(
    tx,
    removed.map((row) => row.blob_hash),
    now,
  )
  return removed.length === maxRows
}

async function eraseSomeThreads({ tx, account }: ChangeContext, inboxId: string): Promise<boolean> {
  const { tenant_id } = account
  const selectSome = (table: 'threads' | 'thread_keys' | 'thread_mentions') =>
    tx.selectFrom(table).where('tenant_id', '=', tenant_id).where('inbox_id', '=', inboxId).limit(maxRows)
  const threads = (await selectSome('threads').select('id').execute()).map((row) => row.id)
  if (threads.length > 0) {
    await tx.deleteFrom('threads').where('tenant_id', '=', tenant_id).where('id', 'in', threads).execute()
    for (const table of ['thread_aliases', 'presence', 'notes'] as const)
      await tx
        .deleteFrom(table as 'thread_aliases')
        .where('tenant_id', '=', tenant_id)
        .where('thread_id', 'in', threads)
        .execute()
  }
  await dropThreadLabels(tx, tenant_id, threads)
  const deleteIds = (table: 'thread_keys' | 'thread_mentions') =>
    tx
      .deleteFrom(table)
      .where('tenant_id', '=', tenant_id)
      .where('inbox_id', '=', inboxId)
      .where('rfc822_message_id', 'in', selectSome(table).select('rfc822_message_id'))
      .executeTakeFirstOrThrow()
  const deleted = [await deleteIds('thread_keys'), await deleteIds('thread_mentions')]
  return threads.length === maxRows || deleted.some((one) => Number(one.numDeletedRows) >= maxRows)
}

/** Erases a bounded part, and may be repeated. Returns null if nothing is left. */
async function eraseSome(change: ChangeContext, erased: ErasedEvents): Promise<ErasedEvents | null> {
  if (await eraseSomeMessages(change, erased)) return erased
  if (erased.of === 'inbox') {
    for (const some of [eraseSomeDrafts, eraseSomeUploads, eraseSomeThreads])
      if (await some(change, erased.id)) return erased
  }
  const after = await eraseSomeEvents(change, erased)
  return after === null ? null : { ...erased, after }
}

/** Counts the threads whose messages are erased in steps: lists leave those messages out meanwhile. */
const countThreads = ({ tx, account }: ChangeContext, difference: 1 | -1) =>
  tx
    .updateTable('accounts')
    .set((row) => ({ erasing_threads: row('erasing_threads', '+', difference) }))
    .where('tenant_id', '=', account.tenant_id)
    .execute()

/**
 * Erases the content of a message, thread, inbox or draft. Small records are erased within this change. The
 * rest follows in separate steps, which a job resumes after a crash.
 */
export async function erase(ports: MessagePorts, change: ChangeContext, whole: ErasedEvents): Promise<void> {
  let rest: ErasedEvents | null = whole
  for (let round = 0; rest && round < roundsAtOnce; round++) rest = await eraseSome(change, rest)
  if (rest) {
    await insertJobs(ports, change.tx, change.account.tenant_id, 'erase', [rest])
    if (whole.of === 'thread') await countThreads(change, 1)
    change.wake(queueTopic('erase'))
  }
  change.wake(erasedTopic)
}

/** Continues the work of {@link erase}. */
async function eraseRest(ports: MessagePorts, job: Job, signal: AbortSignal): Promise<void> {
  let rest: ErasedEvents | null = JSON.parse(job.data) as ErasedEvents
  while (rest) {
    signal.throwIfAborted()
    const some: ErasedEvents = rest
    rest = await changeAccount(ports, job.tenant_id, async (change) => {
      const left = await eraseSome(change, some)
      if (!left && (await finishJob(change.tx, job)) && some.of === 'thread') await countThreads(change, -1)
      change.wake(erasedTopic)
      return left
    })
  }
}

/** Runs a job of the queue `erase`. */
export async function eraseByJob(ports: MessagePorts, job: Job, signal: AbortSignal): Promise<void> {
  const { of } = JSON.parse(job.data) as ErasedEvents | ErasedAccount
  if (of === 'account') await eraseAccountRows(ports, job, signal)
  else await eraseRest(ports, job, signal)
}
