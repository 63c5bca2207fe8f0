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
  /** Bytes of its messages, uploads and draft files. Triggers of the database keep it (migration 0015). */
  stored_bytes: Generated<number>
  /** 0 until the rows that were there before the count began are in it. */
  storage_counted: Generated<number>
  /** The bytes that it may store in place of its plan's limit, where it was above that at an upgrade. */
  storage_allowance: Generated<number | null>
  /** The newest position of the account's event log. */
  seq: Generated<number>
  /**
   * Counts of the entries of its lists by direction and of deleted inboxes: mostly 0, and then nothing needs to be
   * looked up.
   */
  receive_lists: Generated<number>
  send_lists: Generated<number>
  deleted_inboxes: Generated<number>
  /** More than 0 once an inbox has listed senders that count as persons or as programs. */
  treats_senders: Generated<number>
  /** The number of deleted threads that still have messages, which go in steps. */
  erasing_threads: Generated<number>
  /** The number of addresses that it sends nothing to. */
  suppressions: Generated<number>
  /** The reason why sending was paused: `bounce_rate`, `complaint_rate` or `host`. */
  sending_pause_reason: Generated<string | null>
  /** Events up to here are no longer kept. */
  log_start: Generated<number>
  /** Name of the epoch of its log, which a restore from a backup begins; null is the first. */
  log_epoch: Generated<string | null>
  /** The last position that this epoch shares with the one before. */
  log_epoch_from: Generated<number>
  /**
   * The table that has every event after the one position and up to the other, so that it can be asked in place of all
   * partitions; on PostgreSQL only. A node of an earlier version writes none of the three.
   */
  log_partition?: Generated<string | null>
  log_partition_after?: Generated<number>
  log_partition_to?: Generated<number>
  /** The time at which erasing the account, which was not claimed, began. */
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
  /** The last characters of the key, so that its owner knows it again; null where it was made before there were any. */
  hint: string | null
  /** Written once a minute at most, and a minute late. */
  last_used_at: string | null
  /** 1 where what it says of the origin of mail counts for SPF. */
  trusted: Generated<number>
  /** 1 where it brings mail in for every account. */
  everywhere: Generated<number>
  /** The provider that brings the mail, where one does. */
  provider: Generated<string | null>
  /** What its requests are checked with, as JSON, encrypted. */
  provider_secret: Generated<string | null>
  /** When a request of the provider was last refused, since its signature did not fit. */
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
  /** The caller's name for its creation; unique among the inboxes that there are. */
  client_id: string | null
  /** The mailbox elsewhere that it stands for, also where that is no longer connected; null for an address of this service. */
  connection_id: string | null
  /** Most answers in an hour to one author of messages that programs submit; null for the default. */
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
  /** Why the address counts without an emailed link: `existing` or `administrator`; null for no such reason. */
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
