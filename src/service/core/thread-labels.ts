import type { Transaction } from 'kysely'
import type { Database } from '../store/schema'
import type { ThreadRow } from './records'

/** Forgets which labels threads have. */
export async function dropThreadLabels(
  tx: Transaction<Database>,
  tenantId: string,
  threadIds: readonly string[],
): Promise<void> {
  if (threadIds.length === 0) return
  await tx
    .deleteFrom('thread_labels')
    .where('tenant_id', '=', tenantId)
    .where('thread_id', 'in', threadIds)
    .execute()
}

/** Writes down which labels threads of an account have, and where they stand in the order of lists. */
export async function saveThreadLabels(
  tx: Transaction<Database>,
  tenantId: string,
  threads: readonly Pick<ThreadRow, 'id' | 'label_ids' | 'seq'>[],
): Promise<void> {
  await dropThreadLabels(
    tx,
    tenantId,
    threads.map(({ id }) => id),
  )
  const rows = threads.flatMap(({ id, label_ids, seq }) =>
    (JSON.parse(label_ids) as string[]).map((label_id) => ({
      tenant_id: tenantId,
      thread_id: id,
      label_id,
      seq,
    })),
  )
  if (rows.length > 0) await tx.insertInto('thread_labels').values(rows).execute()
}
