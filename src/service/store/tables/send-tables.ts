import type { Generated } from 'kysely'
import type { StoredColumns } from './mail-tables'

export interface SendTable {
  tenant_id: string
  client_id: string
  fingerprint: string
  message_id: string
  /** Answer of a replay once the message is erased. */
  thread_id: Generated<string | null>
  rfc822_message_id: Generated<string | null>
  /** Draft of a scheduled send; until it is sent, `message_id` is empty. */
  draft_id: Generated<string | null>
}

export interface SendCountTable {
  tenant_id: string
  /** Day in UTC, as `2026-01-31`. */
  day: string
  /** Domain of the recipients, in ASCII; empty for all of them. */
  domain: string
  /** Number of recipients, to which the daily limits apply. */
  sent: Generated<number>
  /**
   * Recipients since sending was last resumed, and those that bounced or complained: the basis of the rates.
   */
  rated: Generated<number>
  bounced: Generated<number>
  complained: Generated<number>
}

export interface SuppressionTable {
  tenant_id: string
  id: string
  /** Address in lower case, its domain in ASCII. */
  address: string
  reason: 'bounce' | 'complaint' | 'manual'
  /** Text from the remote side. */
  detail: string | null
  created_at: string
}

export interface RecipientTable {
  tenant_id: string
  message_id: string
  address: string
  status: string
  detail: string | null
  /** Why it was not delivered, and whether that is permanent. */
  reason: Generated<string | null>
  kind: Generated<string | null>
}

export interface DraftTable {
  tenant_id: string
  id: string
  inbox_id: string
  status: string
  to_addrs: string
  cc_addrs: string
  bcc_addrs: string
  /** List of addresses that replies go to. */
  reply_to: Generated<string>
  subject: string
  body_text: string | null
  body_html: string | null
  reply_to_message_id: string | null
  forward_message_id: string | null
  thread_id: string | null
  scheduled_at: string | null
  /** Additional header fields, as pairs. */
  headers: Generated<string>
  /** List of messages that had been read when it was written. */
  read_message_ids: Generated<string>
  /** Why it waits for a person, in its writer's words. */
  approval_reason: string | null
  /**
   * The key or operator session that wrote all of it; null if several did, or if it is older than this
   * column.
   */
  author_key_id: string | null
  /** Last writer, or the one who asked to send it, as JSON; null if it is older than this column. */
  sent_by: Generated<string | null>
  /** The operator who approved its present content, as JSON. */
  approved_by: Generated<string | null>
  /** The job that sends it at its time; any other is void. */
  job_id: string | null
  sent_message_id: string | null
  error: string | null
  created_at: string
  updated_at: string
  /** Position of the event that created it: the stable order of lists. */
  created_seq: number
  seq: number
}

export interface DraftFileTable extends StoredColumns {
  tenant_id: string
  draft_id: string
  position: number
  filename: string
  content_type: string
  content_id: string | null
  size: number
}

export interface TransportPolicyTable {
  domain: string
  /** Id that its owner gave this version. */
  policy_id: string
  /** JSON. */
  policy: string
  fetched_at: string
  expires_at: string
}
