import type { Transaction } from 'kysely'
import { now } from '../../base'
import type { LogPorts } from '../../log'
import type { Database, SearchSegmentTable } from '../../store/tables'
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

/** Merges segments beside what goes on; where they change meanwhile, nothing has happened. False where it was ended. */
async function merge(ports: Ports, tenantId: string, parts: Segment[], pause: Pause): Promise<boolean> {
  const { db, write } = ports.store
  // Another node may have merged them meanwhile: nothing is built that nobody will read.
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
    // Where the account is erased meanwhile, so is what was built: nothing is left of it behind.
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

/** The time since which the first of them holds words of what is gone. */
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

/** Counts so many segments as looked through. */
const settle = ({ store }: Ports, tenantId: string, segments: number): Promise<void> =>
  store.write(async (tx) => {
    await tx
      .updateTable('search_cursors')
      .set((eb) => ({ unmerged: eb('unmerged', '-', segments) }))
      .where('tenant_id', '=', tenantId)
      .where('unmerged', '>=', segments)
      .execute()
  })

/** Pauses before each page. That it is to end is seen where the next are written. */
async function* unhurried(pages: AsyncIterable<readonly Block[]>, pause: Pause) {
  for await (const page of pages) {
    await pause()
    yield page
  }
}

const blocksAtOnce = 24

/** So many blocks at a time as one transaction writes. */
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

/** Merges what there is to merge. False where it was ended. */
export async function mergeSegments(ports: Ports, tenantId: string, pause: Pause): Promise<boolean> {
  const { db } = ports.store
  const cursor = db.selectFrom('search_cursors').select('unmerged').where('tenant_id', '=', tenantId)
  const unmerged = (await cursor.executeTakeFirst())?.unmerged ?? 0
  for (;;) {
    // All of a size at once: after a long taking in there are tens of thousands, which are not read for each merge.
    const merges = planMerges(await selectSegments(db, tenantId).execute())
    if (merges.length === 0) break
    for (const parts of merges) if (!(await merge(ports, tenantId, parts, pause))) return false
  }
  // A mail now and then costs no transaction of its own.
  if (unmerged >= fanIn) await settle(ports, tenantId, unmerged)
  return true
}
