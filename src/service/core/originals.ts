import type { Core } from './context'
import { refuse } from './refuse'
import { sha256 } from './secrets'

/** Mail up to this size lies in the row of its message. */
const smallBytes = 64 * 1024

/** The columns that hold the original of a message. */
export interface Original {
  raw: Uint8Array | null
  blob_hash: string | null
}

/** Where bytes lie: in the row where they are small, else in the blob store under their hash. */
export async function readStored(core: Core, { raw, blob_hash }: Original): Promise<Uint8Array | null> {
  return raw ?? (blob_hash === null ? null : core.blobs.read(blob_hash))
}

/** Stores an original ahead of the transaction that will name it. */
export async function storeOriginal(core: Core, raw: Uint8Array): Promise<Original> {
  if (raw.byteLength <= smallBytes) return { raw, blob_hash: null }
  const blob_hash = sha256(raw)
  await core.blobs.write(blob_hash, raw)
  return { raw: null, blob_hash }
}

/** The original of a message, byte for byte. @throws ServiceError `internal_error` where it was lost */
export async function readOriginal(core: Core, tenantId: string, messageId: string): Promise<Uint8Array> {
  const row = await core.store.db
    .selectFrom('messages')
    .select(['raw', 'blob_hash'])
    .where('tenant_id', '=', tenantId)
    .where('id', '=', messageId)
    .executeTakeFirst()
  const raw = row && (await readStored(core, row))
  if (!raw) throw refuse('internal_error', 'The original of this message is missing from the store.')
  return raw
}
