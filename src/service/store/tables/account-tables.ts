import {
  count,
  number,
  numberOrNull,
  onPostgres,
  type RowOf,
  since,
  table,
  text,
  textOf,
  textOrNull,
  uniqueText,
} from './table'

export const accounts = table({
  columns: {
    tenant_id: text,
    name: text,
    plan: text,
    onboarding_state: text,
    created_at: text,
    claimed_at: textOrNull,
    sending_enabled_at: textOrNull,
    unclaimed_expires_at: textOrNull,
    suspended_at: textOrNull,
    sending_paused_at: textOrNull,
    received_messages: count,
    received_bytes: count,
    /** Bytes of its messages, uploads and draft files. Database triggers update it. */
    stored_bytes: count,
    /** Newest position of the account's event log. */
    seq: count,
    /** Counts of its list entries by direction and of deleted inboxes: mostly 0, which saves lookups. */
    receive_lists: count,
    send_lists: count,
    deleted_inboxes: count,
    /** More than 0 once an inbox has listed senders that count as persons or as programs. */
    treats_senders: count,
    /** Number of deleted threads that still have messages, which are erased in steps. */
    erasing_threads: count,
    /** Number of suppressed addresses. */
    suppressions: count,
    /** Why sending was paused: `bounce_rate`, `complaint_rate` or `host`. */
    sending_pause_reason: textOrNull,
    /** Events up to this position are no longer kept. */
    log_start: count,
    /** Name of the epoch of its log, which a restore from a backup begins; null is the first. */
    log_epoch: textOrNull,
    /** Last position that this epoch shares with the one before. */
    log_epoch_from: count,
    /**
     * Partition with every event after one position and up to another, queried instead of all partitions; only
     * on PostgreSQL.
     */
    log_partition: onPostgres(textOrNull),
    log_partition_after: onPostgres(count),
    log_partition_to: onPostgres(count),
    /** Time at which erasing the account, which was not claimed, began. */
    erased_at: textOrNull,
  },
  key: ['tenant_id'],
  indexes: {
    accounts_suspended: '(suspended_at) where suspended_at is not null',
    accounts_by_expiry: '(unclaimed_expires_at) where unclaimed_expires_at is not null',
  },
})
export type AccountTable = RowOf<typeof accounts>

export const apiKeys = table({
  columns: {
    key_hash: text,
    id: text,
    tenant_id: text,
    inbox_id: textOrNull,
    scopes: text,
    created_at: text,
    revoked_at: textOrNull,
    /** Null for a key that does not expire. */
    expires_at: textOrNull,
    name: textOrNull,
    /** Last characters of the key, to recognize it. */
    hint: textOrNull,
    /** Written once a minute at most, and up to a minute late. */
    last_used_at: textOrNull,
    /** 1 if its claims about the origin of messages count for SPF. */
    trusted: count,
    /** 1 if it ingests messages for every account. */
    everywhere: count,
    /** Provider that delivers the messages, or null. */
    provider: textOrNull,
    /** Secret that its requests are verified with, as JSON, encrypted. */
    provider_secret: textOrNull,
    /** Time of the last request of the provider that was refused for its signature. */
    refused_at: textOrNull,
    refused_reason: textOrNull,
  },
  key: ['key_hash'],
  indexes: {
    api_keys_by_account: '(tenant_id, id)',
    api_keys_by_id: '(id)',
    api_keys_revoked: '(revoked_at) where revoked_at is not null',
    api_keys_expiring: '(expires_at) where expires_at is not null',
  },
})
export type ApiKeyTable = RowOf<typeof apiKeys>

export const signups = table({
  columns: {
    idempotency_hash: text,
    body_hash: text,
    secret_id: text,
    tenant_id: text,
    inbox_id: text,
    created_at: text,
  },
  key: ['idempotency_hash'],
})
export type SignupTable = RowOf<typeof signups>

export const claimTokens = table({
  columns: { token_hash: text, tenant_id: text, expires_at: text, used_at: textOrNull },
  key: ['token_hash'],
  indexes: { claim_tokens_by_account: '(tenant_id)' },
})
export type ClaimTokenTable = RowOf<typeof claimTokens>

export const addresses = table({
  columns: { address: text, tenant_id: text, inbox_id: text, retired_at: textOrNull },
  key: ['address'],
  indexes: { addresses_by_inbox: '(inbox_id)' },
})
export type AddressTable = RowOf<typeof addresses>

export const inboxes = table({
  columns: {
    tenant_id: text,
    id: text,
    address: text,
    name: textOrNull,
    /** Id that the caller gave its creation; unique among the existing inboxes. */
    client_id: textOrNull,
    /** Its connection, even if that is deleted; null for an address of this service. */
    connection_id: textOrNull,
    /** Maximum answers per hour to one author of messages that programs submit; null for the default. */
    automatic_answers: numberOrNull,
    /** Patterns of senders that count as persons or as programs whatever their headers say, in JSON; null for none. */
    treat_as_person: textOrNull,
    treat_as_program: textOrNull,
    created_at: text,
    seq: number,
    /** How long a person's reply holds its thread; null for the default. */
    hold_after_reply: since('0003-holds', textOrNull),
    /** Text that an agent may send when it hands a thread over; null for none. */
    handover_text: since('0004-hand-over', textOrNull),
    /** Time until a handed-over thread that nobody opened is reported; null for the default. */
    unattended_after: since('0004-hand-over', textOrNull),
    /** What agents do with its mail; null for `answers`. */
    agent: since('0006-suggestions', textOrNull),
    /** IANA zone of its floating times and days; null for UTC. */
    time_zone: since('0014-calendar', textOrNull),
  },
  key: ['tenant_id', 'id'],
})
export type InboxTable = RowOf<typeof inboxes>

export const lists = table({
  columns: {
    tenant_id: text,
    id: text,
    pattern: text,
    kind: textOf<'block' | 'allow'>(),
    direction: textOf<'receive' | 'send'>(),
    created_at: text,
  },
  key: ['tenant_id', 'id'],
  indexes: { lists_by_pattern: '(tenant_id, direction, pattern)' },
})
export type ListTable = RowOf<typeof lists>

export const operators = table({
  columns: {
    id: text,
    name: text,
    email: uniqueText,
    email_verified: number,
    image: textOrNull,
    created_at: text,
    updated_at: text,
  },
  key: ['id'],
})

export const operatorSessions = table({
  columns: {
    id: text,
    token: uniqueText,
    operator_id: text,
    ip_address: textOrNull,
    user_agent: textOrNull,
    expires_at: text,
    created_at: text,
    updated_at: text,
  },
  key: ['id'],
  indexes: { operator_sessions_by_operator: '(operator_id)' },
})

export const operatorCredentials = table({
  columns: {
    id: text,
    operator_id: text,
    provider_id: text,
    subject: text,
    password_hash: textOrNull,
    access_token: textOrNull,
    refresh_token: textOrNull,
    id_token: textOrNull,
    access_token_expires_at: textOrNull,
    refresh_token_expires_at: textOrNull,
    scope: textOrNull,
    created_at: text,
    updated_at: text,
  },
  key: ['id'],
  indexes: { operator_credentials_by_operator: '(operator_id)' },
})

export const operatorProofs = table({
  columns: { id: text, identifier: text, value: text, expires_at: text, created_at: text, updated_at: text },
  key: ['id'],
  indexes: { operator_proofs_by_identifier: '(identifier)' },
})

export const accountOperators = table({
  columns: { operator_id: text, tenant_id: text, created_at: text },
  key: ['operator_id', 'tenant_id'],
  indexes: { account_operators_by_account: '(tenant_id)' },
})
