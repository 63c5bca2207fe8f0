import { count, number, numberOrNull, type RowOf, table, text, textOrNull } from './table'

export const webhooks = table({
  columns: {
    tenant_id: text,
    id: text,
    url: text,
    events: text,
    inbox_ids: textOrNull,
    /** Ids that its secrets are derived from, as JSON; never a secret. */
    secrets: text,
    enabled: number,
    disabled_reason: textOrNull,
    disabled_at: textOrNull,
    /** Time since which every attempt has failed, and that of the last failure. */
    failing_since: textOrNull,
    failed_at: textOrNull,
    created_at: text,
    /** Events of the log up to this position were queued. */
    cursor: number,
    /** Number of its dispatches so far; each has its own number. */
    dispatches: count,
  },
  key: ['tenant_id', 'id'],
})
export type WebhookTable = RowOf<typeof webhooks>

export const webhookDispatches = table({
  columns: {
    tenant_id: text,
    id: text,
    webhook_id: text,
    /** Position among the dispatches of the webhook: the stable order of the list. */
    number: number,
    /** Event to send, which is read from the log, not copied here. */
    event_id: text,
    event_type: text,
    event_seq: number,
    status: text,
    /** Attempts in all, and failures since the schedule began. */
    attempts: count,
    failures: count,
    /** Time of the next attempt; while it is leased, the end of the lease; null when it is done. */
    next_attempt_at: textOrNull,
    lease_token: textOrNull,
    created_at: text,
  },
  key: ['tenant_id', 'id'],
  indexes: {
    webhook_dispatches_due: '(tenant_id, webhook_id, next_attempt_at)',
    webhook_dispatches_by_number: '(tenant_id, webhook_id, number)',
    webhook_dispatches_by_event: '(tenant_id, event_seq)',
  },
})
export type WebhookDispatchTable = RowOf<typeof webhookDispatches>

export const webhookAttempts = table({
  columns: {
    tenant_id: text,
    dispatch_id: text,
    number: number,
    started_at: text,
    duration_ms: number,
    http_status: numberOrNull,
    error: textOrNull,
    response_body: textOrNull,
  },
  key: ['tenant_id', 'dispatch_id', 'number'],
})
export type WebhookAttemptTable = RowOf<typeof webhookAttempts>
