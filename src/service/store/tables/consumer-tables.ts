import { count, number, type RowOf, since, table, text, textOf, textOrNull } from './table'

/**
 * Consumers. The work of one is found from `messages`, by `created_seq`. In a thread without rows in
 * `consumer_leases`, everything up to `cursor` was handled and everything after it waits. In a thread with
 * rows, these messages are leased or wait, and so does everything after `tail_after`. So waiting messages
 * cost a row for each active thread, not for each message.
 */
export const consumers = table({
  columns: {
    tenant_id: text,
    name: text,
    inbox_id: textOrNull,
    spam: number,
    /** 1 if it gets unanswerable messages. */
    unanswerable: number,
    /** Its cursor at creation. */
    began_after: number,
    /** `created_seq` up to which it gets only messages unanswered when it began; 0 if it gets everything. */
    unanswered_until: count,
    /** `created_seq` up to which messages were scanned. */
    cursor: number,
    created_at: text,
    /** Null if it is not paused. */
    paused_at: since('0011-consumer-pause', textOrNull),
    /** Person or key that paused it, as JSON. */
    paused_by: since('0011-consumer-pause', textOrNull),
  },
  key: ['tenant_id', 'name'],
})
export type ConsumerTable = RowOf<typeof consumers>

export const consumerLeases = table({
  columns: {
    tenant_id: text,
    consumer: text,
    message_id: text,
    thread_id: text,
    /** `created_seq` of the message. */
    created_seq: number,
    /** The same in all leases of a thread. */
    tail_after: number,
    attempts: number,
    /** Time from which it can be leased; while it is leased, the end of the lease plus the back-off. */
    due_at: text,
    lease_token: textOrNull,
    lease_until: textOrNull,
    redriven: number,
    /** 1 while people hold its thread: then it is not leased. */
    on_hold: since('0003-holds', count),
    /** Time at which it was leased last; null if it never was. */
    leased_at: since('0008-assignment-and-audit', textOrNull),
    /** 1 if its last holder wants it handed over to people after the last attempt, in place of a dead letter. */
    hands_over: since('0012-saved-replies', count),
  },
  key: ['tenant_id', 'consumer', 'message_id'],
  indexes: {
    // Held messages are not in it, so that they do not slow the others.
    consumer_leases_ready: { on: '(tenant_id, consumer, due_at) where on_hold = 0', since: '0003-holds' },
    // It covers the look at other leases of a thread. Without `lease_until`, SQLite would scan all leases of the
    // consumer for it, and so all held threads.
    consumer_leases_in_thread: {
      on: '(tenant_id, consumer, thread_id, created_seq, lease_until)',
      since: '0003-holds',
    },
    consumer_leases_by_message: '(tenant_id, message_id)',
  },
})
export type ConsumerLeaseTable = RowOf<typeof consumerLeases>

export const consumerSettled = table({
  columns: {
    tenant_id: text,
    consumer: text,
    message_id: text,
    created_seq: number,
    /** `had`: it was handled before it was moved to spam or trash. */
    state: textOf<'dead' | 'done' | 'had'>(),
    attempts: number,
    settled_at: text,
  },
  key: ['tenant_id', 'consumer', 'message_id'],
  indexes: {
    consumer_settled_in_order: '(tenant_id, consumer, state, created_seq)',
    consumer_settled_by_message: '(tenant_id, message_id)',
  },
})

/** A message that two programs answered. */
export const doubleAnswers = table({
  columns: {
    tenant_id: text,
    message_id: text,
    created_at: text,
    /** Null for a program outside every consumer. */
    first_consumer: textOrNull,
    second_consumer: textOrNull,
  },
  key: ['tenant_id', 'message_id'],
  indexes: { double_answers_by_time: '(created_at)' },
})

/** An answer to a message that a program submitted, kept for an hour. */
export const programAnswers = table({
  columns: {
    tenant_id: text,
    inbox_id: text,
    /** Hash of the `program_author` of the answered message. */
    author_hash: text,
    /** Id of the answer. */
    message_id: text,
    created_at: text,
  },
  key: ['tenant_id', 'inbox_id', 'author_hash', 'message_id'],
})
