import { hash } from 'node:crypto'
import { type Expression, type Kysely, type RawBuilder, type SqlBool, sql, type Transaction } from 'kysely'
import type { Database } from './tables'

/** The places of words in a message; `rest` is the text and the names of its files. */
const fields = ['subject', 'sender', 'recipients', 'rest'] as const
export type SearchField = (typeof fields)[number]

/** A message as the search index has it. */
export interface SearchDocument {
  message_id: string
  created_seq: number
  words: Readonly<Record<SearchField, readonly string[]>>
}

/** Words that stand one after the other; the last may go on. */
export interface SearchPhrase {
  words: readonly string[]
  isPrefix: boolean
  /** The only place where they are looked for. */
  field?: SearchField | undefined
}

export interface SearchPage {
  tenantId: string
  phrases: readonly SearchPhrase[]
  /** The other conditions on the messages. */
  condition: Expression<SqlBool>
  order: 'asc' | 'desc'
  /** Position of the message after which to go on. */
  after?: number | undefined
  limit: number
}

/** The words of messages, and which messages have them. They go with their row of `search_documents`. */
export interface SearchIndex {
  add(tx: Transaction<Database>, tenantId: string, documents: readonly SearchDocument[]): Promise<void>
  /** Gives a message other words, at its place; one that is not in the index yet stays out. */
  replace(tx: Transaction<Database>, tenantId: string, document: SearchDocument): Promise<void>
  /** The ids of messages that have every phrase, in the order in which they came to be. */
  find(db: Kysely<Database>, page: SearchPage): Promise<string[]>
}

interface Found {
  id: string
}

/** The word that keeps an account among its own messages, since all share the index. */
const tenantWord = (tenantId: string) => `tenant${tenantId.replace(/[^a-z\d]/gi, '').toLowerCase()}`

const idsOf = (rows: readonly Found[]) => rows.map((row) => row.id)

const anywhere = fields.join(' ')

/** SQLite: FTS5. Documents are numbered in the order of their messages, so it need not sort what it finds. */
export const sqliteSearch: SearchIndex = {
  async add(tx, tenantId, documents) {
    for (const { message_id, created_seq, words } of documents) {
      await sql`insert into search_documents (tenant_id, message_id, created_seq)
        values (${tenantId}, ${message_id}, ${created_seq})`.execute(tx)
      const texts = fields.map((field) => words[field].join(' '))
      await sql`insert into search_words (rowid, tenant, ${sql.raw(fields.join(', '))})
        values (last_insert_rowid(), ${tenantWord(tenantId)}, ${sql.join(texts)})`.execute(tx)
    }
  },

  async replace(tx, tenantId, { message_id, words }) {
    const texts = fields.map((field) => sql`${sql.raw(field)} = ${words[field].join(' ')}`)
    await sql`update search_words set ${sql.join(texts)} where rowid =
      (select doc from search_documents where tenant_id = ${tenantId} and message_id = ${message_id})`.execute(
      tx,
    )
  },

  async find(db, { tenantId, phrases, condition, order, after, limit }) {
    const quoted = phrases.map(
      ({ words, isPrefix, field }) => `{${field ?? anywhere}} : "${words.join(' ')}"${isPrefix ? '*' : ''}`,
    )
    const match = [`tenant : ${tenantWord(tenantId)}`, ...quoted].join(' AND ')
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

const maxPositions = 16_383
const literal = (word: string) => `'${word.replace(/['\\]/g, '')}'`

/** The word for a word in one place: the index itself knows no places. */
const wordIn = (field: SearchField | undefined, word: string) => (field ? `${field}/${word}` : word)

/**
 * Two words that follow each other, as a word of its own: the index does not know what stands beside what, and a
 * phrase of common words would be looked for in nearly every message.
 */
const pairOf = (word: string, next: string) => literal(`~${hash('sha256', `${word} ${next}`).slice(0, 6)}`)

const pairsOf = (words: readonly string[]) => words.slice(1).map((next, i) => pairOf(words[i]!, next))

/**
 * Writes the words of a message as a tsvector. A position is left out between two places, so that no phrase spans
 * them.
 */
function vectorOf(first: string, words: SearchDocument['words']): string {
  const entries = [`${literal(first)}:1`]
  let position = 1
  for (const field of fields) {
    position++
    const kept = words[field].slice(0, Math.max(0, maxPositions - position))
    for (const word of kept) {
      entries.push(`${literal(word)}:${++position}`)
      if (field !== 'rest') entries.push(`${literal(wordIn(field, word))}:${position}`)
    }
    entries.push(...pairsOf(kept))
  }
  return entries.join(' ')
}

/** PostgreSQL: a tsvector, made here, so that both databases have the same words. */
export const postgresSearch: SearchIndex = {
  async add(tx, tenantId, documents) {
    for (const { message_id, created_seq, words } of documents) {
      const vector = vectorOf(tenantWord(tenantId), words)
      await sql`insert into search_documents (tenant_id, created_seq, message_id, words)
        values (${tenantId}, ${created_seq}, ${message_id}, ${vector}::tsvector)`.execute(tx)
    }
  },

  async replace(tx, tenantId, { message_id, words }) {
    const vector = vectorOf(tenantWord(tenantId), words)
    await sql`update search_documents set words = ${vector}::tsvector
      where tenant_id = ${tenantId} and message_id = ${message_id}`.execute(tx)
  },

  async find(db, page) {
    const has = sql`words @@ ${tsqueryOf(page)}::tsquery`
    const near = await findAmong(
      db,
      page,
      documentsOf(page, sql`order by ${inOrder(page)} limit ${nearby}`),
      has,
    )
    return near.length === page.limit
      ? near
      : findAmong(db, page, documentsOf(page, sql`and ${has}`), sql`true`)
  },
}

/**
 * The number of documents that are walked before the index is asked: the planner takes any word for a common one and
 * walks the whole account for it. Common words fill a page among the nearest; rare ones are found by the index.
 */
const nearby = 500

const inOrder = ({ order }: SearchPage) => sql`created_seq ${sql.raw(order)}`

function documentsOf({ tenantId, order, after }: SearchPage, rest: RawBuilder<unknown>) {
  const beyond = sql`and created_seq ${sql.raw(order === 'desc' ? '<' : '>')} ${after}`
  return sql`select created_seq, message_id, words from search_documents
    where tenant_id = ${tenantId} ${after === undefined ? sql`` : beyond} ${rest}`
}

async function findAmong(
  db: Kysely<Database>,
  page: SearchPage,
  documents: RawBuilder<unknown>,
  has: RawBuilder<unknown>,
): Promise<string[]> {
  const { rows } = await sql<Found>`with documents as materialized (${documents})
    select messages.id from documents
    join messages on messages.tenant_id = ${page.tenantId} and messages.id = documents.message_id
    where ${has} and ${page.condition}
    order by documents.${inOrder(page)} limit ${page.limit}`.execute(db)
  return idsOf(rows)
}

function tsqueryOf({ tenantId, phrases }: SearchPage): string {
  const match = phrases.map(({ words, isPrefix, field }) => {
    const last = words.length - 1
    const steps = words.map(
      (word, i) => `${literal(wordIn(field, word))}${isPrefix && i === last ? ':*' : ''}`,
    )
    return [`(${steps.join(' <-> ')})`, ...pairsOf(isPrefix ? words.slice(0, last) : words)].join(' & ')
  })
  return [literal(tenantWord(tenantId)), ...match].join(' & ')
}
