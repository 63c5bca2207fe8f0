import { sql } from 'kysely'
import type { Change } from './change'

/** Which messages are erased. */
export type ErasedMessages = { id: string } | { thread_id: string } | { inbox_id: string }

function selectErased({ tx, account }: Change, erased: ErasedMessages) {
  const [[column, value]] = Object.entries(erased) as [['id' | 'thread_id' | 'inbox_id', string]]
  return tx
    .selectFrom('messages')
    .where('messages.tenant_id', '=', account.tenant_id)
    .where(`messages.${column}`, '=', value)
}

/** Large originals are removed later, where nothing else names them by then. */
async function condemnOriginals(change: Change, erased: ErasedMessages): Promise<void> {
  const rows = await selectErased(change, erased)
    .select('messages.blob_hash as hash')
    .distinct()
    .where('blob_hash', 'is not', null)
    .execute()
  if (rows.length === 0) return
  const condemned = rows.map(({ hash }) => ({ hash: hash!, erased_at: change.now }))
  await change.tx
    .insertInto('erased_blobs')
    .values(condemned)
    .onConflict((conflict) => conflict.column('hash').doUpdateSet({ erased_at: change.now }))
    .execute()
}

/** A send stays known by its client_id as long as the account: what its replay answers moves there. */
async function keepSends(change: Change, erased: ErasedMessages): Promise<void> {
  const rows = await selectErased(change, erased)
    .innerJoin('sends', (join) =>
      join.onRef('sends.tenant_id', '=', 'messages.tenant_id').onRef('sends.message_id', '=', 'messages.id'),
    )
    .select(['sends.client_id', 'messages.thread_id', 'messages.rfc822_message_id'])
    .execute()
  for (const { client_id, thread_id, rfc822_message_id } of rows) {
    await change.tx
      .updateTable('sends')
      .set({ thread_id, rfc822_message_id })
      .where('tenant_id', '=', change.account.tenant_id)
      .where('client_id', '=', client_id)
      .execute()
  }
}

/** What waits to be sent is not sent: the job names its message first. */
async function dropJobs(change: Change, erased: ErasedMessages): Promise<void> {
  const { tx, account } = change
  const jobs = await tx
    .selectFrom('jobs')
    .select(['id', 'data'])
    .where('tenant_id', '=', account.tenant_id)
    .where('queue', '=', 'delivery')
    .execute()
  if (jobs.length === 0) return
  const ids = new Set(
    (await selectErased(change, erased).select('messages.id').execute()).map((row) => row.id),
  )
  const dropped = jobs.filter(({ data }) => ids.has((JSON.parse(data) as { messageId: string }).messageId))
  if (dropped.length === 0) return
  await tx
    .deleteFrom('jobs')
    .where('tenant_id', '=', account.tenant_id)
    .where(
      'id',
      'in',
      dropped.map((job) => job.id),
    )
    .execute()
}

/** Removes messages with all that hangs on them. */
export async function eraseMessageRows(change: Change, erased: ErasedMessages): Promise<void> {
  const { tx, account } = change
  await condemnOriginals(change, erased)
  await keepSends(change, erased)
  await dropJobs(change, erased)
  for (const table of ['attachments', 'recipients', 'message_labels'] as const) {
    await tx
      .deleteFrom(table)
      .where('tenant_id', '=', account.tenant_id)
      .where('message_id', 'in', selectErased(change, erased).select('messages.id'))
      .execute()
  }
  const [[column, value]] = Object.entries(erased) as [[string, string]]
  await tx
    .deleteFrom('messages')
    .where('tenant_id', '=', account.tenant_id)
    .where(sql.ref<string>(column), '=', value)
    .execute()
}
