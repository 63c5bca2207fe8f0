import type { Selectable } from 'kysely'
import type { Webhook, WebhookDelivery } from '../../protocol/records/webhook'
import type { WebhookAttemptTable, WebhookDispatchTable, WebhookTable } from '../store/tables/webhook-tables'

export type WebhookRow = Selectable<WebhookTable>
export type DispatchRow = Selectable<WebhookDispatchTable>
export type AttemptRow = Selectable<WebhookAttemptTable>

/** Topic that is woken when a webhook was created or changed, or has a dispatch due. */
export const webhooksTopic = 'webhooks'

/** Returns a webhook as callers see it, without anything that reveals a secret. */
export const webhookRecord = (row: WebhookRow): Webhook => ({
  id: row.id,
  url: row.url,
  events: JSON.parse(row.events),
  inbox_ids: row.inbox_ids === null ? null : JSON.parse(row.inbox_ids),
  enabled: row.enabled === 1,
  disabled_reason: row.disabled_reason,
  disabled_at: row.disabled_at,
  failing_since: row.failing_since,
  created_at: row.created_at,
})

const attemptRecord = (row: AttemptRow): WebhookDelivery['attempts'][number] => ({
  number: row.number,
  started_at: row.started_at,
  duration_ms: row.duration_ms,
  http_status: row.http_status,
  error: row.error,
  response_body: row.response_body,
})

export const dispatchRecord = (row: DispatchRow, attempts: AttemptRow[]): WebhookDelivery => ({
  id: row.id,
  webhook_id: row.webhook_id,
  event_id: row.event_id,
  event_type: row.event_type,
  status: row.status,
  next_attempt_at: row.next_attempt_at,
  created_at: row.created_at,
  attempts: attempts.map(attemptRecord),
})
