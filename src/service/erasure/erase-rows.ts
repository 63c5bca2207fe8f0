import { eraseForConsumers } from '../consumers/changes'
import { eraseAttachments } from '../extraction/kept-texts'
import type { ChangeContext } from '../log/registry'
import { condemnBlobs } from '../messages/originals'
import { forgetMessages } from '../search/index-messages'

/** Keeps the result of a send for repeats: its client_id is known as long as the account exists. */
async function keepSends({ tx, account }: ChangeContext, ids: readonly string[]): Promise<void> {
  const rows = await tx
    .selectFrom('messages')
    .innerJoin('sends', (join) =>
      join.onRef('sends.tenant_id', '=', 'messages.tenant_id').onRef('sends.message_id', '=', 'messages.id'),
    )
    .select(['sends.client_id', 'messages.thread_id', 'messages.rfc822_message_id'])
    .where('messages.tenant_id', '=', account.tenant_id)
    .where('messages.id', 'in', ids)
    .execute()
  for (const { client_id, thread_id, rfc822_message_id } of rows) {
    await tx
      .updateTable('sends')
      .set({ thread_id, rfc822_message_id })
      .where('tenant_id', '=', account.tenant_id)
      .where('client_id', '=', client_id)
      .execute()
  }
}

/** Removes the jobs that would send these messages. */
async function dropJobs({ tx, account }: ChangeContext, ids: ReadonlySet<string>): Promise<void> {
  const jobs = await tx
    .selectFrom('jobs')
    .select(['id', 'data'])
    .where('tenant_id', '=', account.tenant_id)
    .where('queue', '=', 'delivery')
    .execute()
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

/** Removes messages with dependent rows; large originals later, if nothing refers to them then. */
export async function eraseMessageRows(change: ChangeContext, ids: readonly string[]): Promise<void> {
  const { tx, account } = change
  if (ids.length === 0) return
  await keepSends(change, ids)
  await dropJobs(change, new Set(ids))
  await eraseAttachments(change, ids)
  for (const table of ['recipients', 'message_labels', 'invitation_versions'] as const) {
    await tx
      .deleteFrom(table)
      .where('tenant_id', '=', account.tenant_id)
      .where('message_id', 'in', ids)
      .execute()
  }
  const removed = await tx
    .deleteFrom('messages')
    .where('tenant_id', '=', account.tenant_id)
    .where('id', 'in', ids)
    .returning(['blob_hash', 'created_seq'])
    .execute()
  await forgetMessages(
    change,
    removed.map((row) => row.created_seq),
  )
  await eraseForConsumers(change, ids)
  await condemnBlobs(
    tx,
    removed.map((row) => row.blob_hash),
    change.now,
  )
}
