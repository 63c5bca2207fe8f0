import type { Transaction } from 'kysely'
import { refuse } from '../base/refuse'
import { sha256InTurns } from '../base/turns'
import type { Database } from '../store/tables/schema'
import type { MessagePorts } from './ports'

/** Maximum size of an original that is stored in the row of its message. */
const smallBytes = 64 * 1024

/** Columns that hold the original of a message. */
export interface Original {
  raw: Uint8Array | null
  blob_hash: string | null
}

/** Reads stored bytes: from the row if they are small, else from the blob store by their hash. */
export async function readStored(
  ports: Pick<MessagePorts, 'blobs'>,
  { raw, blob_hash }: Original,
): Promise<Uint8Array | null> {
  return raw ?? (blob_hash === null ? null : ports.blobs.read(blob_hash))
}

/** Stores an original before the transaction that refers to it. */
export async function storeOriginal(ports: MessagePorts, raw: Uint8Array): Promise<Original> {
  if (raw.byteLength <= smallBytes) return { raw, blob_hash: null }
  const blob_hash = await sha256InTurns(raw)
  await ports.blobs.write(blob_hash, raw)
  return { raw: null, blob_hash }
}

/** Returns the original of a message, byte for byte. @throws ServiceError `internal_error` if it was lost */
export async function readOriginal(
  ports: MessagePorts,
  tenantId: string,
  messageId: string,
): Promise<Uint8Array> {
  const row = await ports.store.db
    .selectFrom('messages')
    .select(['raw', 'blob_hash'])
    .where('tenant_id', '=', tenantId)
    .where('id', '=', messageId)
    .executeTakeFirst()
  const raw = row && (await readStored(ports, row))
  if (!raw) throw refuse('internal_error', 'The original of this message is missing from the store.')
  return raw
}

/** Topic that is published when there are bytes to erase. */
export const erasedTopic = 'erased'

/** Marks blobs that a row no longer refers to. They are removed later, if unused then. */
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
