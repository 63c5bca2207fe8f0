import type { Transaction } from 'kysely'
import type { Database } from '../store/schema'

/** Bytes in the blob store that a row has just ceased to name: they go later, where nothing else names them by then. */
export async function condemnBlobs(
  tx: Transaction<Database>,
  hashes: readonly (string | null)[],
  time: string,
): Promise<void> {
  const rows = [...new Set(hashes)].flatMap((hash) => (hash === null ? [] : { hash, erased_at: time }))
  if (rows.length === 0) return
  await tx
    .insertInto('erased_blobs')
    .values(rows)
    .onConflict((conflict) => conflict.column('hash').doUpdateSet({ erased_at: time }))
    .execute()
}
