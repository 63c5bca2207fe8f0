import type { Transaction } from 'kysely'
import { now } from '../../base/time'
import type { LogPorts } from '../../log/ports'
import type { Database } from '../../store/tables/schema'
import type { SearchSegmentTable } from '../../store/tables/search-tables'
import type { Block } from './block'
import { joinDocuments } from './documents'
import { holdAccount, lockIndex } from './lock'
import { mergeBlocks } from './merge'
import type { Pause } from './pauses'
import { fanIn, planMerges } from './plan-merge'
import {
  areUnchanged,
  deleteSegments,
  documentsOfSegments,
  hasSegment,
  insertBlocks,
  insertSegment,
  readBlocks,
  type Segment,
  selectSegments,
} from './rows'

type Ports = Pick<LogPorts, 'store' | 'clock'>

/**
 * Merges segments in the background; if they change meanwhile, the merge is discarded. Returns false if it
 * was ended.
 */
async function merge(ports: Ports, tenantId: string, parts: Segment[], pause: Pause): Promise<boolean> {
  const { db, write } = ports.store
  // Another node may have merged them meanwhile: build nothing useless.
  if (!(await areUnchanged(db, tenantId, parts))) return true
  const documents = await documentsOfSegments(db, tenantId, parts)
  if (documents.size < parts.length) return true
  const joined = joinDocuments(parts.map(({ id }) => documents.get(id)!))
  const id = await write(async (tx) => {
    const isThere = (await holdAccount(ports, tx, tenantId)) !== undefined
    return isThere ? insertSegment(tx, tenantId, ports.clock.now(), joined, 'building') : null
  })
  if (id === null) return true
  let base = 0
  const sources = parts.map((part) => {
    const source = { pages: unhurried(readBlocks(db, tenantId, part.id), pause), base }
    base += part.documents
    return source
  })
  for await (const blocks of batched(unhurried(mergeBlocks(sources), pause))) {
    // If the account is erased meanwhile, so is the new segment: nothing may be left behind.
    const isWanted = await write(async (tx) => {
      await holdAccount(ports, tx, tenantId)
      const isThere = await hasSegment(tx, tenantId, id)
      if (isThere) await insertBlocks(tx, tenantId, id, blocks)
      return isThere
    })
    if (!isWanted) return true
    if (!(await pause())) return false
  }
  await write(async (tx) => {
    if ((await holdAccount(ports, tx, tenantId)) === undefined) return deleteSegments(tx, tenantId, [id])
    await lockIndex(tx, tenantId)
    if (!(await areUnchanged(tx, tenantId, parts))) return deleteSegments(tx, tenantId, [id])
    const gone_at = await goneSince(tx, tenantId, parts)
    await setState(tx, tenantId, [id], { state: 'live', gone_at })
    const old = parts.map((part) => part.id)
    await setState(tx, tenantId, old, { state: 'merged', gone_at: now(ports) })
  })
  return true
}

/** Returns the earliest time since which one of them holds words of deleted documents. */
async function goneSince(tx: Transaction<Database>, tenantId: string, parts: readonly Segment[]) {
  const row = await tx
    .selectFrom('search_segments')
    .select((eb) => eb.fn.min('gone_at').as('at'))
    .where('tenant_id', '=', tenantId)
    .where(
      'id',
      'in',
      parts.map(({ id }) => id),
    )
    .executeTakeFirst()
  return row?.at ?? null
}

const setState = async (
  tx: Transaction<Database>,
  tenantId: string,
  ids: readonly string[],
  values: Pick<SearchSegmentTable, 'state' | 'gone_at'>,
): Promise<void> => {
  await tx
    .updateTable('search_segments')
    .set(values)
    .where('tenant_id', '=', tenantId)
    .where('id', 'in', ids)
    .execute()
}

/** Marks segments as checked for merges. */
const settle = ({ store }: Ports, tenantId: string, segments: number): Promise<void> =>
  store.write(async (tx) => {
    await tx
      .updateTable('search_cursors')
      .set((eb) => ({ unmerged: eb('unmerged', '-', segments) }))
      .where('tenant_id', '=', tenantId)
      .where('unmerged', '>=', segments)
      .execute()
  })

/** Pauses before each page. An end is handled at the next write. */
async function* unhurried(pages: AsyncIterable<readonly Block[]>, pause: Pause) {
  for await (const page of pages) {
    await pause()
    yield page
  }
}

const blocksAtOnce = 24

/** Batches blocks for one transaction each. */
async function* batched(pages: AsyncIterable<readonly Block[]>): AsyncGenerator<Block[]> {
  let batch: Block[] = []
  for await (const page of pages) {
    batch.push(...page)
    if (batch.length < blocksAtOnce) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

/** Runs the due merges. Returns false if it was ended. */
export async function mergeSegments(ports: Ports, tenantId: string, pause: Pause): Promise<boolean> {
  const { db } = ports.store
  const cursor = db.selectFrom('search_cursors').select('unmerged').where('tenant_id', '=', tenantId)
  const unmerged = (await cursor.executeTakeFirst())?.unmerged ?? 0
  for (;;) {
    // All of a size at once: after long indexing there are tens of thousands, which must not be read for each
    // merge.
    const merges = planMerges(await selectSegments(db, tenantId).execute())
    if (merges.length === 0) break
    for (const parts of merges) if (!(await merge(ports, tenantId, parts, pause))) return false
  }
  // Single messages must not cost an additional transaction.
  if (unmerged >= fanIn) await settle(ports, tenantId, unmerged)
  return true
}
