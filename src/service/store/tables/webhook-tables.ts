import type { Generated } from 'kysely'

export interface WebhookTable {
  tenant_id: string
  id: string
  url: string
  events: string
  inbox_ids: string | null
  /** Ids that its secrets are derived from, as JSON; never a secret. */
  secrets: string
  enabled: number
  disabled_reason: string | null
  disabled_at: string | null
  /** Time since which every attempt has failed, and that of the last failure. */
  failing_since: string | null
  failed_at: string | null
  created_at: string
  /** Events of the log up to this position were queued. */
  cursor: number
  /** Number of its dispatches so far; each has its own number. */
  dispatches: Generated<number>
}

export interface WebhookDispatchTable {
  tenant_id: string
  id: string
  webhook_id: string
  /** Position among the dispatches of the webhook: the stable order of the list. */
  number: number
  /** Event to send, which is read from the log, not copied here. */
  event_id: string
  event_type: string
  event_seq: number
  status: string
  /** Attempts in all, and failures since the schedule began. */
  attempts: Generated<number>
  failures: Generated<number>
  /** Time of the next attempt; while it is leased, the end of the lease; null when it is done. */
  next_attempt_at: string | null
  lease_token: string | null
  created_at: string
}

export interface WebhookAttemptTable {
  tenant_id: string
  dispatch_id: string
  number: number
  started_at: string
  duration_ms: number
  http_status: number | null
  error: string | null
  response_body: string | null
}
