import { timeOf } from '../../base/time'
import type { LogPorts } from '../../log/ports'
import { gone } from './documents'
import { lockIndex } from './lock'
import { without } from './merge'
import type { Pause } from './pauses'
import {
  areUnchanged,
  deleteSegments,
  documentsOfSegments,
  readBlocks,
  replaceBlock,
  type Segment,
} from './rows'

type Ports = Pick<LogPorts, 'store' | 'clock'>

/** Time in ms that merged segments are kept for running searches. */
const keepMergedMs = 60_000
/**
 * Time in ms until words of erased messages are removed, so that segments are not rewritten for each message.
 */
const purgeAfterMs = 10 * 60_000
/** Age in ms of a segment that no process is building any more. */
const abandonedAfterMs = 15 * 60_000

/** Rewrites the blocks of a segment without deleted documents. Returns false if it was ended. */
async function purge(ports: Ports, tenantId: string, segment: Segment, pause: Pause): Promise<boolean> {
  const { db, write } = ports.store
  const lengths = (await documentsOfSegments(db, tenantId, [segment])).get(segment.id)?.lengths
  if (!lengths) return true
  const isGone = (document: number) => lengths[document] === gone
  for await (const blocks of readBlocks(db, tenantId, segment.id)) {
    const changed = blocks.flatMap((block) => {
      const kept = without(block, isGone)
      return kept ? [{ first_term: block.first_term, kept }] : []
    })
    const isChanged = await write(async (tx) => {
      await lockIndex(tx, tenantId)
      if (!(await areUnchanged(tx, tenantId, [segment]))) return true
      for (const { first_term, kept } of changed)
        await replaceBlock(tx, tenantId, segment.id, first_term, kept)
      return false
    })
    if (isChanged) return true // the next round starts again
    if (!(await pause())) return false
  }
  await write((tx) =>
    tx
      .updateTable('search_segments')
      .set((eb) => ({ gone_at: null, version: eb('version', '+', 1) }))
      .where('tenant_id', '=', tenantId)
      .where('id', '=', segment.id)
      .where('version', '=', segment.version)
      .execute(),
  )
  return true
}

/** Removes the words of deleted documents, and unused segments. Returns false if it was ended. */
export async function purgeSegments(ports: Ports, tenantId: string, pause: Pause): Promise<boolean> {
  const { db } = ports.store
  const before = (ageMs: number) => timeOf(ports.clock.now() - ageMs)
  const rows = await db
    .selectFrom('search_segments')
    .select(['id', 'version', 'documents', 'live', 'words', 'first_seq', 'last_seq', 'state', 'gone_at'])
    .where('tenant_id', '=', tenantId)
    .where('gone_at', 'is not', null)
    .execute()
  const isEmpty = (row: (typeof rows)[number]) => row.state === 'live' && row.live === 0
  const useless = rows.filter(
    (row) =>
      (row.state === 'merged' && row.gone_at! < before(keepMergedMs)) ||
      (row.state === 'building' && row.gone_at! < before(abandonedAfterMs)) ||
      isEmpty(row),
  )
  for (const { id } of useless) {
    if (!(await dropSegment(ports, tenantId, id, pause))) return false
  }
  for (const row of rows) {
    if (row.state !== 'live' || isEmpty(row) || row.gone_at! > before(purgeAfterMs)) continue
    if (!(await purge(ports, tenantId, row, pause))) return false
  }
  return true
}

/** Deletes a segment in batches of blocks. */
async function dropSegment(ports: Ports, tenantId: string, id: string, pause: Pause): Promise<boolean> {
  for (;;) {
    const first = ports.store.db
      .selectFrom('search_blocks')
      .select('first_term')
      .where('tenant_id', '=', tenantId)
      .where('segment', '=', id)
      .orderBy('first_term')
      .limit(500)
    const terms = (await first.execute()).map((row) => row.first_term)
    if (terms.length < 500) break
    await ports.store.write((tx) =>
      tx
        .deleteFrom('search_blocks')
        .where('tenant_id', '=', tenantId)
        .where('segment', '=', id)
        .where('first_term', '<=', terms.at(-1)!)
        .execute(),
    )
    if (!(await pause())) return false
  }
  await ports.store.write((tx) => deleteSegments(tx, tenantId, [id]))
  return true
}
