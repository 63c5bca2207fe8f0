import type { ChangeContext } from '../../log/registry'
import { documentColumns, gone, readDocuments } from './documents'
import { lockIndex } from './lock'
import { without } from './merge'
import { readBlocks, replaceBlock } from './rows'

type Where = Pick<ChangeContext, 'tx' | 'now'> & { readonly tenantId: string }

/** Segments up to this size are rewritten at once; larger ones later, not for each message. */
const smallDocuments = 64

async function removeWords({ tx, tenantId }: Where, segment: string, lengths: Uint16Array): Promise<void> {
  for await (const blocks of readBlocks(tx, tenantId, segment)) {
    for (const block of blocks) {
      const kept = without(block, (document) => lengths[document] === gone)
      if (kept) await replaceBlock(tx, tenantId, segment, block.first_term, kept)
    }
  }
}

/**
 * Marks the documents of messages as deleted: they are no longer found, and their words are removed within
 * the hour.
 */
export async function forgetDocuments(where: Where, seqs: readonly number[]): Promise<void> {
  if (seqs.length === 0) return
  const { tx, tenantId, now } = where
  await lockIndex(tx, tenantId)
  const going = new Set(seqs)
  const rows = await tx
    .selectFrom('search_segments')
    .select(['id', 'documents', 'live', 'words', 'seqs', 'lengths', 'inboxes', 'inbox_ids'])
    .where('tenant_id', '=', tenantId)
    .where('state', '=', 'live')
    .where('first_seq', '<=', Math.max(...seqs))
    .where('last_seq', '>=', Math.min(...seqs))
    .execute()
  for (const row of rows) {
    const documents = readDocuments(row)
    const { lengths } = documents
    let { live, words } = row
    for (const [number, seq] of documents.seqs.entries()) {
      const length = lengths[number]!
      if (length === gone || !going.has(seq)) continue
      lengths[number] = gone
      live--
      words -= length
    }
    if (live === row.live) continue
    const isSmall = row.documents <= smallDocuments
    if (isSmall) await removeWords(where, row.id, lengths)
    await tx
      .updateTable('search_segments')
      .set((eb) => ({
        ...{ live, words, lengths: documentColumns(documents).lengths },
        version: eb('version', '+', 1),
        gone_at: isSmall && live > 0 ? eb.ref('gone_at') : eb.fn.coalesce('gone_at', eb.val(now)),
      }))
      .where('tenant_id', '=', tenantId)
      .where('id', '=', row.id)
      .execute()
  }
}
