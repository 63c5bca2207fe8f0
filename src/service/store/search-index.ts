import { type Expression, type Kysely, type SqlBool, sql, type Transaction } from 'kysely'
import type { Database } from './schema'

/** A message as the search index has it. */
export interface SearchDocument {
  message_id: string
  created_seq: number
  words: readonly string[]
}

/** Words that stand one after the other; the last may go on. */
export interface SearchPhrase {
  words: readonly string[]
  isPrefix: boolean
}

export interface SearchPage {
  tenantId: string
  phrases: readonly SearchPhrase[]
  /** What else the messages must be. */
  condition: Expression<SqlBool>
  order: 'asc' | 'desc'
  /** Position of the message after which to go on. */
  after?: number | undefined
  limit: number
}

/** The words of messages, and which messages have them. They go with their row of `search_documents`. */
export interface SearchIndex {
  add(tx: Transaction<Database>, tenantId: string, documents: readonly SearchDocument[]): Promise<void>
  /** The ids of messages that have every phrase, in the order in which they came to be. */
  find(db: Kysely<Database>, page: SearchPage): Promise<string[]>
}

interface Found {
  id: string
}

/** Accounts share the index: a word of its own keeps each among its own messages. */
const tenantWord = (tenantId: string) => `tenant${tenantId.replace(/[^a-z\d]/gi, '').toLowerCase()}`

const idsOf = (rows: readonly Found[]) => rows.map((row) => row.id)

/** SQLite: FTS5. Documents are numbered in the order of their messages, so it need not sort what it finds. */
export const sqliteSearch: SearchIndex = {
  async add(tx, tenantId, documents) {
    for (const { message_id, created_seq, words } of documents) {
      await sql`insert into search_documents (tenant_id, message_id, created_seq)
        values (${tenantId}, ${message_id}, ${created_seq})`.execute(tx)
      const content = [tenantWord(tenantId), ...words].join(' ')
      await sql`insert into search_words (rowid, words) values (last_insert_rowid(), ${content})`.execute(tx)
    }
  },

  async find(db, { tenantId, phrases, condition, order, after, limit }) {
    const quoted = phrases.map(({ words, isPrefix }) => `"${words.join(' ')}"${isPrefix ? '*' : ''}`)
    const match = [tenantWord(tenantId), ...quoted].join(' AND ')
    const from = after === undefined ? sql`` : afterDocument(tenantId, order, after)
    const { rows } = await sql<Found>`select messages.id from search_words
      cross join search_documents on search_documents.doc = search_words.rowid
      cross join messages on messages.tenant_id = search_documents.tenant_id
        and messages.id = search_documents.message_id
      where search_words match ${match} and search_documents.tenant_id = ${tenantId} and ${condition} ${from}
      order by search_words.rowid ${sql.raw(order)} limit ${limit}`.execute(db)
    return idsOf(rows)
  },
}

function afterDocument(tenantId: string, order: 'asc' | 'desc', after: number) {
  const documents = sql`from search_documents where tenant_id = ${tenantId}`
  return order === 'desc'
    ? sql`and search_words.rowid <= (select max(doc) ${documents} and created_seq < ${after})`
    : sql`and search_words.rowid >= (select min(doc) ${documents} and created_seq > ${after})`
}

const mostPositions = 16_383
const literal = (word: string) => `'${word.replace(/['\\]/g, '')}'`

/** PostgreSQL: a tsvector, made here, so that both databases have the same words. */
export const postgresSearch: SearchIndex = {
  async add(tx, tenantId, documents) {
    for (const { message_id, created_seq, words } of documents) {
      const vector = [tenantWord(tenantId), ...words]
        .slice(0, mostPositions)
        .map((word, i) => `${literal(word)}:${i + 1}`)
        .join(' ')
      await sql`insert into search_documents (tenant_id, created_seq, message_id, words)
        values (${tenantId}, ${created_seq}, ${message_id}, ${vector}::tsvector)`.execute(tx)
    }
  },

  async find(db, { tenantId, phrases, condition, order, after, limit }) {
    const match = phrases.map(({ words, isPrefix }) => {
      const last = words.length - 1
      const steps = words.map((word, i) => `${literal(word)}${isPrefix && i === last ? ':*' : ''}`)
      return `(${steps.join(' <-> ')})`
    })
    const query = [literal(tenantWord(tenantId)), ...match].join(' & ')
    const from =
      after === undefined
        ? sql``
        : sql`and search_documents.created_seq ${sql.raw(order === 'desc' ? '<' : '>')} ${after}`
    const { rows } = await sql<Found>`select messages.id from search_documents
      join messages on messages.tenant_id = search_documents.tenant_id
        and messages.id = search_documents.message_id
      where search_documents.tenant_id = ${tenantId} and search_documents.words @@ ${query}::tsquery
        and ${condition} ${from}
      order by search_documents.created_seq ${sql.raw(order)} limit ${limit}`.execute(db)
    return idsOf(rows)
  },
}
