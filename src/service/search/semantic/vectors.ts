import type { Kysely, Transaction } from 'kysely'
import type { Database } from '../../store/tables/schema'
import { builtInId, modelsOf, type SearchModel, updateModel } from './models'

// The vectors of a message are a row, with a byte per number. A writer has locked the account, and increments
// the model's version; each row has the version of its last change.

/** Vectors of the passages of one message, one after the other. */
export interface VectorRow {
  readonly seq: number
  readonly inboxId: string
  readonly numbers: Int8Array
}

/** Quantizes vectors of any length to bytes: only their directions count. */
export function quantized(vectors: readonly ArrayLike<number>[]): Int8Array {
  const width = vectors[0]?.length ?? 0
  const numbers = new Int8Array(vectors.length * width)
  for (const [which, vector] of vectors.entries()) {
    let max = 0
    for (let i = 0; i < width; i++) max = Math.max(max, Math.abs(vector[i]!))
    if (max > 0)
      for (let i = 0; i < width; i++) numbers[which * width + i] = Math.round((vector[i]! / max) * 127)
  }
  return numbers
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Int8Array) =>
  new Uint8Array(buffer, byteOffset, byteLength)
const rowsAtOnce = 100

export async function insertVectors(
  tx: Transaction<Database>,
  { tenant_id, id, version }: SearchModel,
  added: readonly VectorRow[],
): Promise<void> {
  for (let at = 0; at < added.length; at += rowsAtOnce) {
    const rows = added.slice(at, at + rowsAtOnce).map(({ seq, inboxId, numbers }) => ({
      ...{ tenant_id, model: id, seq, inbox_id: inboxId },
      ...{ version: version + 1, vectors: bytesOf(numbers) },
    }))
    await tx.insertInto('search_vectors').values(rows).execute()
  }
}

const select = (db: Kysely<Database>, { tenant_id, id }: SearchModel) =>
  db
    .selectFrom('search_vectors')
    .select(['seq', 'inbox_id', 'version', 'vectors'])
    .where('tenant_id', '=', tenant_id)
    .where('model', '=', id)

const rowOf = (row: { seq: number; inbox_id: string; vectors: Uint8Array }): VectorRow => {
  const { buffer, byteOffset, byteLength } = row.vectors
  return { seq: row.seq, inboxId: row.inbox_id, numbers: new Int8Array(buffer, byteOffset, byteLength) }
}

/** Returns the vectors of some messages. */
export const vectorsOf = async (
  db: Kysely<Database>,
  model: SearchModel,
  seqs: readonly number[],
): Promise<VectorRow[]> =>
  seqs.length === 0 ? [] : (await select(db, model).where('seq', 'in', seqs).execute()).map(rowOf)

const maxRowsOfPage = 1_000

/** Returns the rows changed after a version up to the model's, in pages. */
export async function* vectorsSince(
  db: Kysely<Database>,
  model: SearchModel,
  after: number,
): AsyncGenerator<VectorRow[]> {
  for (let [version, seq] = [after, Number.MAX_SAFE_INTEGER]; ; ) {
    const rows = await select(db, model)
      .where('version', '<=', model.version)
      .where((eb) =>
        eb.or([eb('version', '>', version), eb.and([eb('version', '=', version), eb('seq', '>', seq)])]),
      )
      .orderBy('version')
      .orderBy('seq')
      .limit(maxRowsOfPage)
      .execute()
    if (rows.length > 0) yield rows.map(rowOf)
    if (rows.length < maxRowsOfPage) return
    ;({ version, seq } = rows.at(-1)!)
  }
}

/**
 * Removes the vectors of erased messages. Those of the built-in encoder are only in the database; other rows
 * stay without vectors, since they tell the processes that hold them.
 */
export async function forgetEmbeddings(
  tx: Transaction<Database>,
  tenantId: string,
  createdSeqs: readonly number[],
): Promise<void> {
  if (createdSeqs.length === 0) return
  for (const model of Object.values(await modelsOf(tx, tenantId))) {
    if (!model) continue
    if (model.embedder === builtInId || model.state === 'deleted') {
      await tx
        .deleteFrom('search_vectors')
        .where('tenant_id', '=', tenantId)
        .where('model', '=', model.id)
        .where('seq', 'in', createdSeqs)
        .execute()
      continue
    }
    const version = model.version + 1
    const emptied = await tx
      .updateTable('search_vectors')
      .set({ version, vectors: new Uint8Array() })
      .where('tenant_id', '=', tenantId)
      .where('model', '=', model.id)
      .where('seq', 'in', createdSeqs)
      .executeTakeFirst()
    if (emptied.numUpdatedRows > 0n) await updateModel(tx, model, { version })
  }
}
