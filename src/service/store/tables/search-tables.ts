import { blob, count, number, type RowOf, since, table, text, textOf, textOrNull } from './table'

export const searchSegments = table({
  columns: {
    tenant_id: text,
    id: text,
    /** Searchable; incomplete; or merged into another segment, and kept for running searches. */
    state: textOf<'live' | 'building' | 'merged'>(),
    /** Number of its changes. */
    version: number,
    /** Number of documents, including deleted ones. */
    documents: number,
    /** Number of documents without deleted ones, and number of their words. */
    live: number,
    words: number,
    /** Lowest and highest `created_seq` of its messages. */
    first_seq: number,
    last_seq: number,
    /** Time since which it holds words of deleted documents. */
    gone_at: textOrNull,
    inbox_ids: text,
    lengths: blob,
    inboxes: blob,
    seqs: blob,
  },
  key: ['tenant_id', 'id'],
  withRowId: true,
  indexes: { search_segments_to_tidy: '(tenant_id) where gone_at is not null' },
})
export type SearchSegmentTable = RowOf<typeof searchSegments>

export const searchBlocks = table({
  columns: { tenant_id: text, segment: text, first_term: text, postings: blob, positions: blob },
  key: ['tenant_id', 'segment', 'first_term'],
  withRowId: true,
})

/** Migration that deleted the models learned from messages, and indexes messages again. */
export const searchMigration = '0002-search'

/** Vectors of an account by one embedder: one model is searched, and another may be replacing it. */
export const searchModels = table({
  columns: {
    tenant_id: text,
    id: text,
    /** Id of the embedder. */
    embedder: text,
    /** A deleted one remains until all its vectors are removed. */
    state: textOf<'building' | 'current' | 'deleted'>(),
    /** Log position up to which messages of people have vectors; bulk mail follows them. */
    reached: count,
    /** The same for bulk mail. */
    reached_bulk: count,
    /** Number of changes to its vectors. */
    version: count,
  },
  key: ['tenant_id', 'id'],
  withRowId: true,
  since: searchMigration,
})
export type SearchModelTable = RowOf<typeof searchModels>

/** Vectors of a message: of each of its passages, a byte per number. */
export const searchVectors = table({
  columns: {
    tenant_id: text,
    model: text,
    /** `created_seq` of the message. */
    seq: number,
    inbox_id: text,
    /** Version of the model that added or emptied this row. */
    version: number,
    /** Empty once the message is erased. */
    vectors: blob,
  },
  key: ['tenant_id', 'model', 'seq'],
  withRowId: true,
  indexes: { search_vectors_by_version: '(tenant_id, model, version)' },
  since: searchMigration,
})

export const searchCursors = table({
  columns: {
    tenant_id: text,
    /** Log position up to which everything is indexed. */
    seq: number,
    /** Segments added since the last check for merges; a few are not counted off. */
    unmerged: count,
    /** Log position up to which messages are to be indexed again, newest first; 0 if none are. */
    outdated: since(searchMigration, count),
  },
  key: ['tenant_id'],
})
