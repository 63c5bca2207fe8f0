import type { Generated } from 'kysely'

export interface HostTable {
  key: string
  value: string
}

export interface AccountTable {
  tenant_id: string
  name: string
  plan: string
  onboarding_state: string
  created_at: string
  claimed_at: string | null
  sending_enabled_at: string | null
  unclaimed_expires_at: string | null
  suspended_at: string | null
  sending_paused_at: string | null
  received_messages: Generated<number>
  received_bytes: Generated<number>
  /** Bytes of its messages, uploads and draft files. Database triggers update it (migration 0015). */
  stored_bytes: Generated<number>
  /** 0 until the rows from before the count are included. */
  storage_counted: Generated<number>
  /** Byte limit that replaces its plan's limit, if it was above that at an upgrade. */
  storage_allowance: Generated<number | null>
  /** Newest position of the account's event log. */
  seq: Generated<number>
  /** Counts of its list entries by direction and of deleted inboxes: mostly 0, which saves lookups. */
  receive_lists: Generated<number>
  send_lists: Generated<number>
  deleted_inboxes: Generated<number>
  /** More than 0 once an inbox has listed senders that count as persons or as programs. */
  treats_senders: Generated<number>
  /** Number of deleted threads that still have messages, which are erased in steps. */
  erasing_threads: Generated<number>
  /** Number of suppressed addresses. */
  suppressions: Generated<number>
  /** Why sending was paused: `bounce_rate`, `complaint_rate` or `host`. */
  sending_pause_reason: Generated<string | null>
  /** Events up to this position are no longer kept. */
  log_start: Generated<number>
  /** Name of the epoch of its log, which a restore from a backup begins; null is the first. */
  log_epoch: Generated<string | null>
  /** Last position that this epoch shares with the one before. */
  log_epoch_from: Generated<number>
  /**
   * Partition with every event after one position and up to another, queried instead of all partitions; only
   * on PostgreSQL. A node of an earlier version writes none of the three.
   */
  log_partition?: Generated<string | null>
  log_partition_after?: Generated<number>
  log_partition_to?: Generated<number>
  /** Time at which erasing the account, which was not claimed, began. */
  erased_at: Generated<string | null>
}

export interface ApiKeyTable {
  key_hash: string
  id: string
  tenant_id: string
  inbox_id: string | null
  scopes: string
  created_at: string
  revoked_at: string | null
  /** Null for a key that does not expire. */
  expires_at: string | null
  name: string | null
  /** Last characters of the key, to recognize it; null if it is older than this column. */
  hint: string | null
  /** Written once a minute at most, and up to a minute late. */
  last_used_at: string | null
  /** 1 if its claims about the origin of messages count for SPF. */
  trusted: Generated<number>
  /** 1 if it ingests messages for every account. */
  everywhere: Generated<number>
  /** Provider that delivers the messages, or null. */
  provider: Generated<string | null>
  /** Secret that its requests are verified with, as JSON, encrypted. */
  provider_secret: Generated<string | null>
  /** Time of the last request of the provider that was refused for its signature. */
  refused_at: Generated<string | null>
  refused_reason: Generated<string | null>
}

export interface SignupTable {
  idempotency_hash: string
  body_hash: string
  secret_id: string
  tenant_id: string
  inbox_id: string
  created_at: string
}

export interface ClaimTokenTable {
  token_hash: string
  tenant_id: string
  expires_at: string
  used_at: string | null
}

export interface AddressTable {
  address: string
  tenant_id: string
  inbox_id: string
  retired_at: string | null
}

export interface InboxTable {
  tenant_id: string
  id: string
  address: string
  name: string | null
  /** Id that the caller gave its creation; unique among the existing inboxes. */
  client_id: string | null
  /** Its connection, even if that is deleted; null for an address of this service. */
  connection_id: string | null
  /** Maximum answers per hour to one author of messages that programs submit; null for the default. */
  automatic_answers: Generated<number | null>
  /** Patterns of senders that count as persons or as programs whatever their headers say, in JSON; null for none. */
  treat_as_person: Generated<string | null>
  treat_as_program: Generated<string | null>
  created_at: string
  seq: number
}

export interface ListTable {
  tenant_id: string
  id: string
  pattern: string
  kind: 'block' | 'allow'
  direction: 'receive' | 'send'
  created_at: string
}

export interface OperatorTable {
  id: string
  name: string
  email: string
  email_verified: number
  /** Why the address is verified without an emailed link: `existing` or `administrator`; null for neither. */
  admitted_by: Generated<string | null>
  image: string | null
  created_at: string
  updated_at: string
}

export interface OperatorSessionTable {
  id: string
  token: string
  operator_id: string
  ip_address: string | null
  user_agent: string | null
  expires_at: string
  created_at: string
  updated_at: string
}

export interface OperatorCredentialTable {
  id: string
  operator_id: string
  provider_id: string
  subject: string
  password_hash: string | null
  access_token: string | null
  refresh_token: string | null
  id_token: string | null
  access_token_expires_at: string | null
  refresh_token_expires_at: string | null
  scope: string | null
  created_at: string
  updated_at: string
}

export interface OperatorProofTable {
  id: string
  identifier: string
  value: string
  expires_at: string
  created_at: string
  updated_at: string
}

export interface AccountOperatorTable {
  operator_id: string
  tenant_id: string
  created_at: string
}
