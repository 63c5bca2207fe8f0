import { count, number, type RowOf, table, text, textOr, textOrNull, textOrNullOf } from './table'

export const events = table({
  columns: {
    tenant_id: text,
    seq: number,
    id: text,
    type: text,
    inbox_id: textOrNull,
    /** Message whose `reply_text` belongs to `data`: the text itself is stored, and erased, in one place. */
    message_id: textOrNull,
    /** Thread of `data`, to find the event when the thread is erased. */
    thread_id: textOrNull,
    created_at: text,
    /** `data` of the event as JSON, without the text. */
    data: text,
  },
  key: ['tenant_id', 'seq'],
  withRowId: true,
  indexes: { events_by_thread: '(tenant_id, thread_id)' },
})
export type EventTable = RowOf<typeof events>

export const jobs = table({
  columns: {
    tenant_id: text,
    id: text,
    queue: text,
    run_at: text,
    attempts: count,
    lease_token: textOrNull,
    lease_until: textOrNull,
    created_at: text,
    data: text,
    /** Why it is held until released; null if it waits only for its time. */
    held: textOrNullOf<'account' | 'restored'>(),
    /** Destination domain of a job of the delivery queue. */
    destination: textOr(''),
  },
  key: ['tenant_id', 'id'],
  indexes: {
    jobs_due: '(queue, run_at) where held is null',
    jobs_by_destination: '(queue, destination, run_at)',
  },
})
export type JobTable = RowOf<typeof jobs>

export const auditEntries = table({
  columns: {
    tenant_id: text,
    id: text,
    action: text,
    /** Who did it, as JSON; null for the service itself. */
    actor: textOrNull,
    actor_id: textOrNull,
    /** Id of the changed record. */
    target: textOrNull,
    /** Facts, as JSON. */
    details: text,
    created_at: text,
  },
  key: ['tenant_id', 'id'],
  indexes: { audit_entries_by_age: '(created_at)', audit_entries_by_target: '(tenant_id, target, id)' },
  since: '0008-assignment-and-audit',
})
