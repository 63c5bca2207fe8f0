import { type Change, changeAccount } from './change'
import { condemnBlobs } from './condemn-blobs'
import type { Core } from './context'
import { type ErasedEvents, eraseSomeEvents } from './erase-events'
import { eraseMessageRows } from './erase-rows'
import { erasedTopic } from './erase-sweep'
import { finishJob, insertJobs, type Job, queueTopic } from './jobs'
import { dropThreadLabels } from './thread-labels'

/** Rows that one transaction removes at most: others wait for it. */
const mostRows = 200
/** What is small goes at once, with the request. */
const roundsAtOnce = 3

/** Messages of a thread or an inbox, the newest first. */
async function eraseSomeMessages(change: Change, { of, id }: ErasedEvents): Promise<boolean> {
  if (of !== 'thread' && of !== 'inbox') return false
  const rows = await change.tx
    .selectFrom('messages')
    .select('id')
    .where('tenant_id', '=', change.account.tenant_id)
    .where(of === 'thread' ? 'thread_id' : 'inbox_id', '=', id)
    .orderBy('created_seq', 'desc')
    .limit(mostRows)
    .execute()
  await eraseMessageRows(
    change,
    rows.map((row) => row.id),
  )
  return rows.length === mostRows
}

async function eraseSomeDrafts({ tx, account, now }: Change, inboxId: string): Promise<boolean> {
  const { tenant_id } = account
  const some = await tx
    .selectFrom('drafts')
    .select('id')
    .where('tenant_id', '=', tenant_id)
    .where('inbox_id', '=', inboxId)
    .limit(mostRows)
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
  return some.length === mostRows
}

async function eraseSomeUploads({ tx, account, now }: Change, inboxId: string): Promise<boolean> {
  const some = tx
    .selectFrom('uploads')
    .select('id')
    .where('tenant_id', '=', account.tenant_id)
    .where('inbox_id', '=', inboxId)
    .limit(mostRows)
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
  return removed.length === mostRows
}

async function eraseSomeThreads({ tx, account }: Change, inboxId: string): Promise<boolean> {
  const { tenant_id } = account
  const selectSome = (table: 'threads' | 'thread_keys') =>
    tx.selectFrom(table).where('tenant_id', '=', tenant_id).where('inbox_id', '=', inboxId).limit(mostRows)
  const threads = (await selectSome('threads').select('id').execute()).map((row) => row.id)
  if (threads.length > 0)
    await tx.deleteFrom('threads').where('tenant_id', '=', tenant_id).where('id', 'in', threads).execute()
  await dropThreadLabels(tx, tenant_id, threads)
  const keys = await tx
    .deleteFrom('thread_keys')
    .where('tenant_id', '=', tenant_id)
    .where('inbox_id', '=', inboxId)
    .where('rfc822_message_id', 'in', selectSome('thread_keys').select('rfc822_message_id'))
    .executeTakeFirstOrThrow()
  return threads.length === mostRows || Number(keys.numDeletedRows) === mostRows
}

/** Erases a bounded part, which may be done again. Null where nothing is left. */
async function eraseSome(change: Change, erased: ErasedEvents): Promise<ErasedEvents | null> {
  if (await eraseSomeMessages(change, erased)) return erased
  if (erased.of === 'inbox') {
    for (const some of [eraseSomeDrafts, eraseSomeUploads, eraseSomeThreads])
      if (await some(change, erased.id)) return erased
  }
  const after = await eraseSomeEvents(change, erased)
  return after === null ? null : { ...erased, after }
}

/** How many threads have their messages erased in steps: lists leave those out meanwhile. */
const countThreads = ({ tx, account }: Change, difference: 1 | -1) =>
  tx
    .updateTable('accounts')
    .set((row) => ({ erasing_threads: row('erasing_threads', '+', difference) }))
    .where('tenant_id', '=', account.tenant_id)
    .execute()

/**
 * Erases what was written in a message, thread, inbox or draft: what is small within this change, and the rest in
 * steps of their own, which a job carries on whoever dies when.
 */
export async function erase(core: Core, change: Change, whole: ErasedEvents): Promise<void> {
  let rest: ErasedEvents | null = whole
  for (let round = 0; rest && round < roundsAtOnce; round++) rest = await eraseSome(change, rest)
  if (rest) {
    await insertJobs(core, change.tx, change.account.tenant_id, 'erase', [rest])
    if (whole.of === 'thread') await countThreads(change, 1)
    change.wake(queueTopic('erase'))
  }
  change.wake(erasedTopic)
}

/** Goes on with what {@link erase} began. */
export async function eraseRest(core: Core, job: Job, signal: AbortSignal): Promise<void> {
  let rest: ErasedEvents | null = JSON.parse(job.data) as ErasedEvents
  while (rest) {
    signal.throwIfAborted()
    const some: ErasedEvents = rest
    rest = await changeAccount(core, job.tenant_id, async (change) => {
      const left = await eraseSome(change, some)
      if (!left && (await finishJob(change.tx, job)) && some.of === 'thread') await countThreads(change, -1)
      change.wake(erasedTopic)
      return left
    })
  }
}
