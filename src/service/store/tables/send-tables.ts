import type { Generated } from 'kysely'
import type { StoredColumns } from './mail-tables'

export interface SendTable {
  tenant_id: string
  client_id: string
  fingerprint: string
  message_id: string
  /** The answer of a replay once the message is erased. */
  thread_id: Generated<string | null>
  rfc822_message_id: Generated<string | null>
  /** The draft that a send with a time became; until it is sent, `message_id` is empty. */
  draft_id: Generated<string | null>
}

export interface SendCountTable {
  tenant_id: string
  /** The day in UTC, as `2026-01-31`. */
  day: string
  /** The domain of the recipients, in ASCII; empty for all of them. */
  domain: string
  /** Recipients that were sent to; what the limits of a day are about. */
  sent: Generated<number>
  /** Recipients since sending was last resumed, and those that bounced or complained: what the rates are about. */
  rated: Generated<number>
  bounced: Generated<number>
  complained: Generated<number>
}

export interface SuppressionTable {
  tenant_id: string
  id: string
  /** The address in lower case, its domain in ASCII. */
  address: string
  reason: 'bounce' | 'complaint' | 'manual'
  /** The words of the other side. */
  detail: string | null
  created_at: string
}

export interface RecipientTable {
  tenant_id: string
  message_id: string
  address: string
  status: string
  detail: string | null
  /** The reason why it was not delivered, and whether that is for good. */
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
  /** The addresses that answers go to; a list. */
  reply_to: Generated<string>
  subject: string
  body_text: string | null
  body_html: string | null
  reply_to_message_id: string | null
  forward_message_id: string | null
  thread_id: string | null
  scheduled_at: string | null
  /** Header fields beside those that every mail has, as pairs. */
  headers: Generated<string>
  /** The messages that had been read when it was written; a list. */
  read_message_ids: Generated<string>
  /** Why it waits for a human, in the words of its writer. */
  approval_reason: string | null
  /** The key or operator session that wrote all of it; null if several did, or if it is older than this column. */
  author_key_id: string | null
  /** Who wrote it last, or asked to send it, as JSON; null if it is older than this column. */
  sent_by: Generated<string | null>
  /** The operator who approved it as it is, as JSON. */
  approved_by: Generated<string | null>
  /** The job that sends it at its time; any other is void. */
  job_id: string | null
  sent_message_id: string | null
  error: string | null
  created_at: string
  updated_at: string
  /** Position of the event that made it: the stable order of lists. */
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
  /** The id that its owner gave to this version. */
  policy_id: string
  /** JSON. */
  policy: string
  fetched_at: string
  expires_at: string
}
