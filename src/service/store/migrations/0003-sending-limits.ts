import { addColumns, count, createTables, type TableShape, text, textOrNull } from '../tables'
import type { Step } from './step'

const tables: Record<string, TableShape> = {
  send_counts: {
    columns: {
      tenant_id: text,
      day: text,
      domain: text,
      sent: count,
      rated: count,
      bounced: count,
      complained: count,
    },
    key: ['tenant_id', 'day', 'domain'],
  },
  suppressions: {
    columns: {
      tenant_id: text,
      id: text,
      address: text,
      reason: text,
      detail: textOrNull,
      created_at: text,
    },
    key: ['tenant_id', 'address'],
    indexes: { suppressions_by_id: 'tenant_id, id' },
  },
}

/** What the checks on sending count and remember. */
export const sendingLimits: Step = (dialect) => ({
  async up(db) {
    await createTables(db, tables, dialect)
    await addColumns(db, 'accounts', { suppressions: count, sending_pause_reason: textOrNull }, dialect)
    await addColumns(db, 'drafts', { headers: ['text', "not null default '[]'"] }, dialect)
    await addColumns(db, 'sends', { draft_id: textOrNull }, dialect)
  },
})
