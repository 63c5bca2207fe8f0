import { type Kysely, type Selectable, sql, type Transaction } from 'kysely'
import { LRUCache } from 'lru-cache'
import { newId } from '../../base/ids'
import { timeOf } from '../../base/time'
import type { Database, Dialect } from '../../store/tables/schema'
import type { SearchSegmentTable } from '../../store/tables/search-tables'
import type { Block } from './block'
import { type Documents, documentColumns, gone, readDocuments } from './documents'

// Words of messages, in segments: each is written once, in term order, and merged with others as they get
// many. So indexing a message costs a row or two, and a search reads a few small rows for each word.

/** A segment without its blocks and documents. */
export interface Segment {
  readonly id: string
  /** Number of its changes: deleted documents, and replaced blocks. */
  readonly version: number
  /** All documents, including deleted ones; without them; and the words of the latter. */
  readonly documents: number
  readonly live: number
  readonly words: number
  readonly first_seq: number
  readonly last_seq: number
}

const segmentColumns = ['id', 'version', 'documents', 'live', 'words', 'first_seq', 'last_seq'] as const

/** Selects the searchable segments of an account, oldest first. */
export const selectSegments = (db: Kysely<Database>, tenantId: string) =>
  db
    .selectFrom('search_segments')
    .select(segmentColumns)
    .where('tenant_id', '=', tenantId)
    .where('state', '=', 'live')
    .orderBy('first_seq')
    .orderBy('id')

function summaryOf({ seqs, lengths }: Documents) {
  let live = 0
  let words = 0
  for (const length of lengths) {
    if (length === gone) continue
    live++
    words += length
  }
  let first_seq = Number.MAX_SAFE_INTEGER
  let last_seq = 0
  for (const seq of seqs) {
    first_seq = Math.min(first_seq, seq)
    last_seq = Math.max(last_seq, seq)
  }
  return { documents: seqs.length, live, words, first_seq, last_seq }
}

/** Inserts the row of a segment; one that is being built is not searched. */
export async function insertSegment(
  tx: Transaction<Database>,
  tenantId: string,
  nowMs: number,
  documents: Documents,
  state: 'live' | 'building',
): Promise<string> {
  const id = newId('seg', nowMs)
  // An unfinished segment is removed when it is too old.
  const gone_at = state === 'building' ? timeOf(nowMs) : null
  const row = { tenant_id: tenantId, id, state, version: 0, gone_at }
  await tx
    .insertInto('search_segments')
    .values({ ...row, ...summaryOf(documents), ...documentColumns(documents) })
    .execute()
  return id
}

const rowsAtOnce = 40

export async function insertBlocks(
  tx: Transaction<Database>,
  tenantId: string,
  segment: string,
  blocks: readonly Block[],
): Promise<void> {
  for (let at = 0; at < blocks.length; at += rowsAtOnce) {
    const rows = blocks
      .slice(at, at + rowsAtOnce)
      .map((block) => ({ tenant_id: tenantId, segment, ...block }))
    await tx.insertInto('search_blocks').values(rows).execute()
  }
}

/** Replaces a block by others. */
export async function replaceBlock(
  tx: Transaction<Database>,
  tenantId: string,
  segment: string,
  first_term: string,
  blocks: readonly Block[],
): Promise<void> {
  await tx
    .deleteFrom('search_blocks')
    .where('tenant_id', '=', tenantId)
    .where('segment', '=', segment)
    .where('first_term', '=', first_term)
    .execute()
  await insertBlocks(tx, tenantId, segment, blocks)
}

/** Reads the blocks of a segment in order, in pages. */
export async function* readBlocks(
  db: Kysely<Database>,
  tenantId: string,
  segment: string,
): AsyncGenerator<readonly Block[]> {
  for (let after = ''; ; ) {
    const rows = await db
      .selectFrom('search_blocks')
      .select(['first_term', 'postings', 'positions'])
      .where('tenant_id', '=', tenantId)
      .where('segment', '=', segment)
      .where('first_term', '>', after)
      .orderBy('first_term')
      .limit(rowsAtOnce)
      .execute()
    if (rows.length > 0) yield rows
    if (rows.length < rowsAtOnce) return
    after = rows.at(-1)!.first_term
  }
}

/** Checks whether a segment still exists, in any state. */
export async function hasSegment(tx: Transaction<Database>, tenantId: string, id: string): Promise<boolean> {
  const query = tx.selectFrom('search_segments').select('id')
  return (await query.where('tenant_id', '=', tenantId).where('id', '=', id).executeTakeFirst()) !== undefined
}

export async function deleteSegments(
  tx: Transaction<Database>,
  tenantId: string,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return
  await tx.deleteFrom('search_blocks').where('tenant_id', '=', tenantId).where('segment', 'in', ids).execute()
  await tx.deleteFrom('search_segments').where('tenant_id', '=', tenantId).where('id', 'in', ids).execute()
}

/** Documents by segment and version, which each search needs. */
const known = new LRUCache<string, Documents>({
  maxSize: 6_000_000,
  sizeCalculation: ({ seqs }) => 12 * seqs.length + 100,
})
const keyOf = ({ id, version }: Pick<Segment, 'id' | 'version'>) => `${id} ${version}`

type DocumentRow = Pick<
  Selectable<SearchSegmentTable>,
  'id' | 'version' | 'seqs' | 'lengths' | 'inboxes' | 'inbox_ids'
>

/** Returns the documents of segments, by segment. */
export async function documentsOfSegments(
  db: Kysely<Database>,
  tenantId: string,
  segments: readonly Pick<Segment, 'id' | 'version'>[],
): Promise<Map<string, Documents>> {
  const found = new Map<string, Documents>()
  const missing: string[] = []
  for (const segment of segments) {
    const documents = known.get(keyOf(segment))
    if (documents) found.set(segment.id, documents)
    else missing.push(segment.id)
  }
  if (missing.length === 0) return found
  const rows: DocumentRow[] = await db
    .selectFrom('search_segments')
    .select(['id', 'version', 'seqs', 'lengths', 'inboxes', 'inbox_ids'])
    .where('tenant_id', '=', tenantId)
    .where('id', 'in', missing)
    .execute()
  for (const row of rows) {
    const documents = readDocuments(row)
    known.set(keyOf(row), documents)
    found.set(row.id, documents)
  }
  return found
}

/** The block of a segment that may have a term. */
export interface FoundBlock {
  readonly segment: string
  readonly postings: Uint8Array
  readonly positions: Uint8Array
}

const listOf = {
  sqlite: (values: readonly string[], name: string) =>
    sql`json_each(${JSON.stringify(values)}) as ${sql.raw(name)}`,
  postgres: (values: readonly string[], name: string) =>
    sql`jsonb_array_elements_text(${JSON.stringify(values)}::jsonb) as ${sql.raw(name)}(value)`,
} as const

/** Returns for each segment and term the block that may have it. */
export async function blocksOfTerms(
  db: Kysely<Database>,
  dialect: Dialect,
  tenantId: string,
  segments: readonly string[],
  terms: readonly string[],
  withPositions: boolean,
): Promise<(FoundBlock & { term: string })[]> {
  if (terms.length === 0 || segments.length === 0) return []
  const block = (name: 'postings' | 'positions') => sql<Uint8Array | null>`(select b.${sql.raw(name)}
    from search_blocks b where b.tenant_id = ${tenantId} and b.segment = s.value and b.first_term <= t.value
    order by b.first_term desc limit 1)`
  const positions = withPositions ? block('positions') : sql`null`
  const { rows } = await sql<FoundBlock & { term: string }>`select s.value as segment, t.value as term,
      ${block('postings')} as postings, ${positions} as positions
    from ${listOf[dialect](segments, 's')} cross join ${listOf[dialect](terms, 't')}`.execute(db)
  return rows.filter(({ postings }) => postings !== null)
}

/** Concatenates the bytes of rows; SQLite joins them as texts, unchanged. */
const joined = {
  sqlite: sql<Uint8Array>`cast(group_concat(b.postings, '') as blob)`,
  postgres: sql<Uint8Array>`string_agg(b.postings, '')`,
} as const

/** Concatenated blocks of a segment with a prefix. */
interface FoundBlocks extends Pick<FoundBlock, 'segment' | 'postings'> {
  readonly blocks: number
  /** First term of the last block. */
  readonly last: string
}

/**
 * Returns the blocks with terms of a prefix by segment, at most `limit` in all, in alphabetical order.
 *
 * @param start Term from which on they are read.
 */
export async function blocksOfPrefix(
  db: Kysely<Database>,
  dialect: Dialect,
  tenantId: string,
  segments: readonly string[],
  prefix: string,
  limit: number,
  start = prefix,
): Promise<FoundBlocks[]> {
  if (segments.length === 0) return []
  const end = `${prefix}\uffff`
  const ofSegment = sql`tenant_id = ${tenantId} and segment = s.value`
  const from = sql`coalesce((select max(first_term) from search_blocks
    where ${ofSegment} and first_term <= ${start}), ${start})`
  // The primary key alone selects them: only the counted blocks, which are adjacent in each segment, are
  // read.
  const firstOf = async (each: number): Promise<FoundBlocks[]> => {
    const to = sql`coalesce((select first_term from search_blocks
      where ${ofSegment} and first_term < ${end} and first_term >= ${from}
      order by first_term limit 1 offset ${each - 1}), ${end})`
    // Computed once per segment, whatever the table statistics.
    const { rows } = await sql<FoundBlocks>`with bounds as materialized
        (select s.value as segment, ${from} as low, ${to} as high from ${listOf[dialect](segments, 's')})
      select k.segment, k.blocks, k.last,
        (select ${joined[dialect]} from search_blocks b where b.tenant_id = ${tenantId} and b.segment = k.segment
          and b.first_term between k.first and k.last) as postings
      from (select segment, count(*) as blocks, min(first_term) as first, max(first_term) as last
        from (select b.segment, b.first_term
          from bounds join search_blocks b
            on b.tenant_id = ${tenantId} and b.segment = bounds.segment and b.first_term between low and high
          order by b.first_term, b.segment limit ${limit}) counted
        group by segment) k`.execute(db)
    return rows.map((row) => ({ ...row, blocks: Number(row.blocks) }))
  }
  // In similar segments a share of each is enough, and all matches may be a hundred times as many.
  const each = Math.min(limit, Math.ceil((4 * limit) / segments.length))
  const found = await firstOf(each)
  return each === limit || found.every(({ blocks }) => blocks < each) ? found : firstOf(limit)
}

/** Checks whether segments are unchanged since they were read. */
export async function areUnchanged(
  db: Kysely<Database>,
  tenantId: string,
  parts: readonly Segment[],
): Promise<boolean> {
  const ids = new Set(parts.map(({ id, version }) => `${id} ${version}`))
  const live = await selectSegments(db, tenantId).execute()
  return live.filter(({ id, version }) => ids.has(`${id} ${version}`)).length === parts.length
}
