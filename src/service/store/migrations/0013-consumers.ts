import { createTables, number, type TableShape, text, textOrNull } from '../tables'
import type { Step } from './step'

const tables: Record<string, TableShape> = {
  consumers: {
    columns: {
      tenant_id: text,
      name: text,
      inbox_id: textOrNull,
      spam: number,
      cursor: number,
      created_at: text,
    },
    key: ['tenant_id', 'name'],
  },
  consumer_deliveries: {
    columns: {
      tenant_id: text,
      consumer: text,
      message_id: text,
      thread_id: text,
      created_seq: number,
      tail_after: number,
      attempts: number,
      due_at: text,
      lease_token: textOrNull,
      lease_until: textOrNull,
      redriven: number,
    },
    key: ['tenant_id', 'consumer', 'message_id'],
    indexes: {
      consumer_deliveries_by_time: 'tenant_id, consumer, due_at',
      consumer_deliveries_by_thread: 'tenant_id, consumer, thread_id, created_seq',
      consumer_deliveries_by_message: 'tenant_id, message_id',
    },
  },
  consumer_settled: {
    columns: {
      tenant_id: text,
      consumer: text,
      message_id: text,
      created_seq: number,
      state: text,
      attempts: number,
      settled_at: text,
    },
    key: ['tenant_id', 'consumer', 'message_id'],
    indexes: {
      consumer_settled_in_order: 'tenant_id, consumer, state, created_seq',
      consumer_settled_by_message: 'tenant_id, message_id',
    },
  },
}

/** What durable readers remember. */
export const consumers: Step = (dialect) => ({
  up: (db) => createTables(db, tables, dialect),
})
