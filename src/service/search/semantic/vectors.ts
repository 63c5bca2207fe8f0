import type { Kysely, Transaction } from 'kysely'
import type { Database } from '../../store/tables'
import { allModels, type SearchModel, updateModel } from './models'
import {
  appended,
  type PackedVectors,
  type PlacedEmbedding,
  readPacked,
  type SeqEmbedding,
  without,
} from './packed'
import { removeRows } from './pgvector'
import type { VectorBlock } from './thread'

// Vectors are packed, many to a row, so that comparing a hundred thousand takes milliseconds. A writer has
// locked the account, and increments the model's version; each block has the version of its last change.

/** Maximum size of a row, which is rewritten with each change, and read whole. */
const maxBlockBytes = 32 * 1024
const maxBlockVectors = 256

const isFull = ({ seqs, dimensions }: PackedVectors) =>
  seqs.length >= maxBlockVectors || (seqs.length + 1) * dimensions > maxBlockBytes

const lastBlock = (tx: Transaction<Database>, model: SearchModel, inboxId: string) =>
  tx
    .selectFrom('search_vectors')
    .select(['first_seq', 'vectors'])
    .where('tenant_id', '=', model.tenant_id)
    .where('model', '=', model.id)
    .where('inbox_id', '=', inboxId)
    .orderBy('first_seq', 'desc')
    .limit(1)
    .executeTakeFirst()

/** Splits added vectors into the part that fits into the open block, and further blocks. */
function inBlocks(added: readonly SeqEmbedding[], before: PackedVectors | undefined): SeqEmbedding[][] {
  const dimensions = added[0]!.vector.length
  const most = Math.max(1, Math.min(maxBlockVectors, Math.floor(maxBlockBytes / dimensions)))
  const room = before && !isFull(before) ? most - before.seqs.length : most
  const blocks = [added.slice(0, room)]
  for (let at = room; at < added.length; at += most) blocks.push(added.slice(at, at + most))
  return blocks
}

async function appendToInbox(
  tx: Transaction<Database>,
  model: SearchModel,
  version: number,
  inboxId: string,
  added: readonly SeqEmbedding[],
): Promise<void> {
  const last = await lastBlock(tx, model, inboxId)
  const packed = last && readPacked(last.vectors)
  const open = packed && !isFull(packed) ? packed : undefined
  const key = { tenant_id: model.tenant_id, model: model.id, inbox_id: inboxId }
  for (const [i, block] of inBlocks(added, open).entries()) {
    const isOpen = i === 0 && open !== undefined
    const vectors = appended(isOpen ? open : undefined, block, block[0]!.vector.length)
    const changed = { version, last_seq: block.at(-1)!.seq, vectors }
    if (isOpen)
      await tx
        .updateTable('search_vectors')
        .set(changed)
        .where('tenant_id', '=', model.tenant_id)
        .where('model', '=', model.id)
        .where('inbox_id', '=', inboxId)
        .where('first_seq', '=', last!.first_seq)
        .execute()
    else
      await tx
        .insertInto('search_vectors')
        .values({ ...key, first_seq: block[0]!.seq, ...changed })
        .execute()
  }
}

/** Adds the vectors of messages after the existing ones. */
export async function appendVectors(
  tx: Transaction<Database>,
  model: SearchModel,
  added: readonly PlacedEmbedding[],
): Promise<void> {
  const byInbox = new Map<string, PlacedEmbedding[]>()
  for (const one of added) byInbox.set(one.inboxId, [...(byInbox.get(one.inboxId) ?? []), one])
  for (const [inboxId, some] of byInbox) await appendToInbox(tx, model, model.version + 1, inboxId, some)
}

/** Returns the blocks changed since a version. */
export async function blocksSince(
  db: Kysely<Database>,
  { tenant_id, id }: SearchModel,
  version: number,
): Promise<VectorBlock[]> {
  const rows = await db
    .selectFrom('search_vectors')
    .select(['inbox_id', 'first_seq', 'vectors'])
    .where('tenant_id', '=', tenant_id)
    .where('model', '=', id)
    .where('version', '>', version)
    .execute()
  return rows.map(({ inbox_id, first_seq, vectors }) => ({
    inboxId: inbox_id,
    firstSeq: first_seq,
    bytes: vectors,
  }))
}

const selectBlocks = (tx: Transaction<Database>, { tenant_id, id }: SearchModel) =>
  tx
    .selectFrom('search_vectors')
    .select(['inbox_id', 'first_seq', 'last_seq'])
    .where('tenant_id', '=', tenant_id)
    .where('model', '=', id)

async function removeFrom(
  tx: Transaction<Database>,
  model: SearchModel,
  gone: ReadonlySet<number>,
): Promise<void> {
  const version = model.version + 1
  const blocks = await selectBlocks(tx, model)
    .where('first_seq', '<=', Math.max(...gone))
    .where('last_seq', '>=', Math.min(...gone))
    .execute()
  for (const { inbox_id, first_seq, last_seq } of blocks) {
    if (![...gone].some((seq) => seq >= first_seq && seq <= last_seq)) continue
    const block = { tenant_id: model.tenant_id, model: model.id, inbox_id, first_seq }
    const { vectors } = await tx
      .selectFrom('search_vectors')
      .select('vectors')
      .where((where) => where.and(block))
      .executeTakeFirstOrThrow()
    const packed = readPacked(vectors)
    if (!packed.seqs.some((seq) => gone.has(seq))) continue
    await tx
      .updateTable('search_vectors')
      .set({ version, vectors: without(packed, gone) })
      .where((where) => where.and(block))
      .execute()
  }
  await updateModel(tx, model, { version })
}

/** Deletes the vectors of erased messages; returns the account's models. */
export async function removeVectors(
  tx: Transaction<Database>,
  tenantId: string,
  createdSeqs: readonly number[],
): Promise<SearchModel[]> {
  const models = await allModels(tx, tenantId)
  const gone = new Set(createdSeqs)
  if (gone.size === 0) return models
  for (const model of models)
    if (model.place === 'packed') await removeFrom(tx, model, gone)
    else await removeRows(tx, model, gone)
  return models
}
