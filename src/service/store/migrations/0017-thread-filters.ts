import { sql } from 'kysely'
import { createTables, number, text } from '../tables'
import type { Step } from './step'

const tables = {
  thread_labels: {
    columns: { tenant_id: text, thread_id: text, label_id: text, seq: number },
    key: ['tenant_id', 'thread_id', 'label_id'],
    indexes: { thread_labels_in_order: 'tenant_id, label_id, seq' },
  },
}

const statements = [
  'create index threads_by_inbox on threads (tenant_id, inbox_id, seq)',
  `insert into thread_labels (tenant_id, thread_id, label_id, seq)
    select distinct threads.tenant_id, threads.id, message_labels.label_id, threads.seq
    from message_labels
    join messages on messages.tenant_id = message_labels.tenant_id and messages.id = message_labels.message_id
    join threads on threads.tenant_id = messages.tenant_id and threads.id = messages.thread_id`,
]

/** What narrows a list of threads is found without walking the account. */
export const threadFilters: Step = (dialect) => ({
  async up(db) {
    await createTables(db, tables, dialect)
    for (const statement of statements) await sql.raw(statement).execute(db)
  },
})
