import type { Generated } from 'kysely'

export interface SendTable {
  tenant_id: string
  client_id: string
  fingerprint: string
  message_id: string
  /** What a replay answers once the message is erased. */
  thread_id: Generated<string | null>
  rfc822_message_id: Generated<string | null>
  /** The draft that a send with a time became; until it is sent, `message_id` is empty. */
  draft_id: Generated<string | null>
}

export interface SendCountTable {
  tenant_id: string
  /** In UTC, as `2026-01-31`. */
  day: string
  /** Of the recipients, in ASCII; empty for all of them. */
  domain: string
  /** Recipients that were sent to; what the limits of a day are about. */
  sent: Generated<number>
  /** The same since sending was last resumed, and what came of it: what the rates are about. */
  rated: Generated<number>
  bounced: Generated<number>
  complained: Generated<number>
}

export interface SuppressionTable {
  tenant_id: string
  id: string
  /** In lower case, the domain in ASCII. */
  address: string
  reason: 'bounce' | 'complaint' | 'manual'
  /** What the other side said. */
  detail: string | null
  created_at: string
}
