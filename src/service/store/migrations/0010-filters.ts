import { sql } from 'kysely'
import { addColumns, count } from '../tables'
import type { Step } from './step'

const filters = [
  'update messages set has_attachment = 1 where exists (select 1 from attachments where attachments.tenant_id = messages.tenant_id and attachments.message_id = messages.id)',
  'create index messages_with_attachment on messages (tenant_id, created_seq) where has_attachment = 1',
  "create index messages_outbound on messages (tenant_id, created_seq) where direction = 'outbound'",
  'update message_labels set created_seq = coalesce((select created_seq from messages where messages.tenant_id = message_labels.tenant_id and messages.id = message_labels.message_id), 0)',
  'create index message_labels_in_order on message_labels (tenant_id, label_id, created_seq)',
]

/** The words of a message are told apart by where they stand, so they are taken in anew. */
const sqliteWords = [
  'drop trigger search_documents_removed',
  'drop table search_words',
  'delete from search_documents',
  'delete from search_cursors',
  `create virtual table search_words using fts5(tenant, subject, sender, recipients, rest, tokenize = 'ascii', columnsize = 0)`,
  `create trigger search_documents_removed after delete on search_documents
    begin delete from search_words where rowid = old.doc; end`,
  `insert into search_words (search_words, rank) values ('secure-delete', 1)`,
]
const postgresWords = ['delete from search_documents', 'delete from search_cursors']

/** What narrows a list of messages is found without walking the account. */
export const messageFilters: Step = (dialect) => ({
  async up(db) {
    await addColumns(db, 'messages', { has_attachment: count }, dialect)
    await addColumns(db, 'message_labels', { created_seq: count }, dialect)
    const words = dialect === 'postgres' ? postgresWords : sqliteWords
    for (const statement of [...filters, ...words]) await sql.raw(statement).execute(db)
  },
})
