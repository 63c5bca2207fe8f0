import { sql } from 'kysely'
import { createTables, number, text } from '../tables'
import type { Step } from './step'

const sqlite = [
  `create table search_documents (
    doc integer primary key, tenant_id text not null, message_id text not null, created_seq integer not null)`,
  'create unique index search_documents_by_message on search_documents (tenant_id, message_id)',
  'create index search_documents_in_order on search_documents (tenant_id, created_seq)',
  // The words come normalized: letters beyond ASCII are letters, and what is erased leaves no trace.
  `create virtual table search_words using fts5(words, tokenize = 'ascii', columnsize = 0)`,
  `create trigger search_documents_removed after delete on search_documents
    begin delete from search_words where rowid = old.doc; end`,
  `insert into search_words (search_words, rank) values ('secure-delete', 1)`,
]

const postgres = [
  `create table search_documents (
    tenant_id text collate "C" not null, created_seq bigint not null, message_id text collate "C" not null,
    words tsvector not null, primary key (tenant_id, created_seq))`,
  'create unique index search_documents_by_message on search_documents (tenant_id, message_id)',
  'create index search_documents_by_word on search_documents using gin (words)',
]

/** The words of messages, and how far each account's were taken in. */
export const search: Step = (dialect) => ({
  async up(db) {
    for (const statement of dialect === 'postgres' ? postgres : sqlite) await sql.raw(statement).execute(db)
    const search_cursors = { columns: { tenant_id: text, seq: number }, key: ['tenant_id'] }
    await createTables(db, { search_cursors }, dialect)
  },
})
