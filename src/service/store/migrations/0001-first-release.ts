import { sql } from 'kysely'
import type { Dialect } from '../tables'
import type { Step } from './step'
import { count, createTables, number, numberOrNull, type Tables, text, textOrNull } from './tables'

// `../tables` documents the columns. This file defines their storage and indexes.

const store: Tables = {
  host: { columns: { key: text, value: text }, key: ['key'] },
  blobs: {
    columns: { hash: text, content: ['blob', 'not null'], written_at: text },
    key: ['hash'],
    withRowId: true,
  },
  erased_blobs: { columns: { hash: text, erased_at: text }, key: ['hash'] },
}

const log: Tables = {
  events: {
    columns: {
      tenant_id: text,
      seq: number,
      id: text,
      type: text,
      inbox_id: textOrNull,
      message_id: textOrNull,
      thread_id: textOrNull,
      created_at: text,
      data: text,
    },
    key: ['tenant_id', 'seq'],
    withRowId: true,
    indexes: { events_by_thread: '(tenant_id, thread_id)' },
  },
}

const jobs: Tables = {
  jobs: {
    columns: {
      tenant_id: text,
      id: text,
      queue: text,
      destination: ['text', "not null default ''"],
      run_at: text,
      held: textOrNull,
      attempts: count,
      lease_token: textOrNull,
      lease_until: textOrNull,
      created_at: text,
      data: text,
    },
    key: ['tenant_id', 'id'],
    indexes: {
      jobs_due: '(queue, run_at) where held is null',
      jobs_by_destination: '(queue, destination, run_at)',
    },
  },
}

/** Has indexes on recent revocations and suspensions, which are queried twice a second. */
const accounts: Tables = {
  accounts: {
    columns: {
      tenant_id: text,
      name: text,
      plan: text,
      onboarding_state: text,
      created_at: text,
      unclaimed_expires_at: textOrNull,
      claimed_at: textOrNull,
      sending_enabled_at: textOrNull,
      sending_paused_at: textOrNull,
      sending_pause_reason: textOrNull,
      suspended_at: textOrNull,
      erased_at: textOrNull,
      seq: count,
      log_start: count,
      received_messages: count,
      received_bytes: count,
      receive_lists: count,
      send_lists: count,
      suppressions: count,
      deleted_inboxes: count,
      erasing_threads: count,
    },
    key: ['tenant_id'],
    indexes: {
      accounts_suspended: '(suspended_at) where suspended_at is not null',
      accounts_by_expiry: '(unclaimed_expires_at) where unclaimed_expires_at is not null',
    },
  },
  signups: {
    columns: {
      idempotency_hash: text,
      body_hash: text,
      secret_id: text,
      tenant_id: text,
      inbox_id: text,
      created_at: text,
    },
    key: ['idempotency_hash'],
  },
  claim_tokens: {
    columns: { token_hash: text, tenant_id: text, expires_at: text, used_at: textOrNull },
    key: ['token_hash'],
    indexes: { claim_tokens_by_account: '(tenant_id)' },
  },
  api_keys: {
    columns: {
      key_hash: text,
      id: text,
      tenant_id: text,
      inbox_id: textOrNull,
      scopes: text,
      name: textOrNull,
      hint: textOrNull,
      created_at: text,
      last_used_at: textOrNull,
      revoked_at: textOrNull,
      trusted: count,
      everywhere: count,
      provider: textOrNull,
      provider_secret: textOrNull,
      refused_at: textOrNull,
      refused_reason: textOrNull,
    },
    key: ['key_hash'],
    indexes: {
      api_keys_by_account: '(tenant_id, id)',
      api_keys_by_id: '(id)',
      api_keys_revoked: '(revoked_at) where revoked_at is not null',
    },
  },
  addresses: {
    columns: { address: text, tenant_id: text, inbox_id: text, retired_at: textOrNull },
    key: ['address'],
    indexes: { addresses_by_inbox: '(inbox_id)' },
  },
  send_counts: {
    columns: {
      tenant_id: text,
      day: text,
      domain: text,
      sent: count,
      rated: count,
      bounced: count,
      complained: count,
    },
    key: ['tenant_id', 'day', 'domain'],
  },
}

/** People and their sign-ins, with the columns that better-auth needs. */
const operators: Tables = {
  operators: {
    columns: {
      id: text,
      name: text,
      email: ['text', 'not null unique'],
      email_verified: number,
      image: textOrNull,
      created_at: text,
      updated_at: text,
    },
    key: ['id'],
  },
  operator_sessions: {
    columns: {
      id: text,
      token: ['text', 'not null unique'],
      operator_id: text,
      ip_address: textOrNull,
      user_agent: textOrNull,
      expires_at: text,
      created_at: text,
      updated_at: text,
    },
    key: ['id'],
    indexes: { operator_sessions_by_operator: '(operator_id)' },
  },
  operator_credentials: {
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
  },
  operator_proofs: {
    columns: {
      id: text,
      identifier: text,
      value: text,
      expires_at: text,
      created_at: text,
      updated_at: text,
    },
    key: ['id'],
    indexes: { operator_proofs_by_identifier: '(identifier)' },
  },
  account_operators: {
    columns: { operator_id: text, tenant_id: text, created_at: text },
    key: ['operator_id', 'tenant_id'],
    indexes: { account_operators_by_account: '(tenant_id)' },
  },
}

const domains: Tables = {
  domains: {
    columns: {
      tenant_id: text,
      id: text,
      hostname: text,
      mail_from_domain: text,
      status: text,
      token: text,
      return_path: number,
      findings: text,
      created_at: text,
      verified_at: textOrNull,
      checked_at: textOrNull,
      lost_since: textOrNull,
    },
    key: ['tenant_id', 'id'],
    indexes: { domains_by_hostname: '(tenant_id, hostname)' },
  },
  domain_hosts: {
    columns: { hostname: text, tenant_id: text, domain_id: text, receives: number },
    key: ['hostname'],
  },
  dkim_keys: {
    columns: {
      tenant_id: text,
      domain_id: text,
      selector: text,
      state: text,
      public_key: text,
      private_key: text,
      created_at: text,
    },
    key: ['tenant_id', 'domain_id', 'selector'],
  },
}

const inboxes: Tables = {
  inboxes: {
    columns: {
      tenant_id: text,
      id: text,
      address: text,
      name: textOrNull,
      client_id: textOrNull,
      connection_id: textOrNull,
      created_at: text,
      seq: number,
    },
    key: ['tenant_id', 'id'],
  },
}

const lists: Tables = {
  lists: {
    columns: { tenant_id: text, id: text, pattern: text, kind: text, direction: text, created_at: text },
    key: ['tenant_id', 'id'],
    indexes: { lists_by_pattern: '(tenant_id, direction, pattern)' },
  },
  suppressions: {
    columns: {
      tenant_id: text,
      id: text,
      address: text,
      reason: text,
      detail: textOrNull,
      created_at: text,
    },
    key: ['tenant_id', 'address'],
    indexes: { suppressions_by_id: '(tenant_id, id)' },
  },
}

/** Has indexes for the filters of message and thread lists, so that no query scans the account. */
const messages: Tables = {
  threads: {
    columns: {
      tenant_id: text,
      id: text,
      inbox_id: text,
      subject: text,
      preview: text,
      participants: text,
      label_ids: text,
      message_count: number,
      last_message_id: text,
      last_message_created_seq: count,
      last_message_at: text,
      created_at: text,
      seq: number,
    },
    key: ['tenant_id', 'id'],
    indexes: {
      threads_by_activity: '(tenant_id, seq)',
      threads_by_inbox: '(tenant_id, inbox_id, seq)',
    },
  },
  thread_keys: {
    columns: {
      tenant_id: text,
      inbox_id: text,
      rfc822_message_id: text,
      thread_id: text,
      message_id: textOrNull,
    },
    key: ['tenant_id', 'inbox_id', 'rfc822_message_id'],
  },
  thread_aliases: {
    columns: { tenant_id: text, id: text, thread_id: text },
    key: ['tenant_id', 'id'],
    indexes: { thread_aliases_by_thread: '(tenant_id, thread_id)' },
  },
  messages: {
    columns: {
      tenant_id: text,
      id: text,
      inbox_id: text,
      thread_id: text,
      direction: text,
      created_seq: number,
      seq: number,
      created_at: text,
      sent_at: textOrNull,
      received_at: textOrNull,

      from_addr: text,
      from_name: textOrNull,
      to_addrs: text,
      cc_addrs: text,
      bcc_addrs: text,
      reply_to: text,
      mail_from: text,
      subject: text,
      preview: text,
      label_ids: text,
      has_attachment: count,
      new_participant: count,
      delivery_status: text,
      delivery_detail: textOrNull,

      rfc822_message_id: textOrNull,
      in_reply_to: textOrNull,
      reference_ids: text,
      auto_submitted: text,
      auto_reason: textOrNull,
      unanswerable: textOrNull,
      authentication: textOrNull,
      report: textOrNull,
      about_message_id: textOrNull,
      flaws: text,

      size: number,
      content_hash: text,
      blob_hash: textOrNull,
      // Large columns are last: SQLite reads through them to reach later columns.
      text_start: numberOrNull,
      reply_text: textOrNull,
      headers: text,
      body_text: text,
      body_html: textOrNull,
      raw: ['blob', ''],
    },
    key: ['tenant_id', 'id'],
    withRowId: true,
    indexes: {
      messages_in_order: '(tenant_id, created_seq)',
      messages_by_thread: '(tenant_id, thread_id, created_seq)',
      messages_by_inbox: '(tenant_id, inbox_id, created_seq)',
      messages_with_attachment: '(tenant_id, created_seq) where has_attachment = 1',
      messages_outbound: "(tenant_id, created_seq) where direction = 'outbound'",
      messages_unanswerable: '(tenant_id, created_seq) where unanswerable is not null',
      messages_by_blob: '(blob_hash) where blob_hash is not null',
    },
  },
  inbound_deliveries: {
    columns: {
      tenant_id: text,
      inbox_id: text,
      delivery: text,
      content_hash: text,
      message_id: text,
      thread_id: text,
      created_at: text,
    },
    key: ['tenant_id', 'inbox_id', 'delivery'],
    indexes: { inbound_deliveries_by_age: '(created_at)' },
  },
  attachments: {
    columns: {
      tenant_id: text,
      id: text,
      message_id: text,
      position: number,
      filename: textOrNull,
      content_type: text,
      size: number,
      inline: number,
      content_id: textOrNull,
    },
    key: ['tenant_id', 'id'],
    indexes: { attachments_by_message: '(tenant_id, message_id, position)' },
  },
  labels: {
    columns: { tenant_id: text, id: text, name: text, folded: text, created_at: text, seq: number },
    key: ['tenant_id', 'id'],
    indexes: { labels_by_name: '(tenant_id, folded)' },
  },
  message_labels: {
    columns: { tenant_id: text, label_id: text, message_id: text, created_seq: count },
    key: ['tenant_id', 'label_id', 'message_id'],
    indexes: {
      message_labels_by_message: '(tenant_id, message_id)',
      message_labels_in_order: '(tenant_id, label_id, created_seq)',
    },
  },
  thread_labels: {
    columns: { tenant_id: text, thread_id: text, label_id: text, seq: number },
    key: ['tenant_id', 'thread_id', 'label_id'],
    indexes: { thread_labels_in_order: '(tenant_id, label_id, seq)' },
  },
}

const search: Tables = {
  search_models: {
    columns: {
      tenant_id: text,
      id: text,
      inbox_id: textOrNull,
      embedder: text,
      place: text,
      state: text,
      reached: count,
      version: count,
      learned: count,
      learned_seq: count,
      learned_share: count,
      revision: count,
      gone_at: textOrNull,
      knowledge: ['blob', ''],
    },
    key: ['tenant_id', 'id'],
    withRowId: true,
  },
  search_vectors: {
    columns: {
      tenant_id: text,
      model: text,
      inbox_id: text,
      first_seq: number,
      last_seq: number,
      version: number,
      vectors: ['blob', 'not null'],
    },
    key: ['tenant_id', 'model', 'inbox_id', 'first_seq'],
    withRowId: true,
    indexes: { search_vectors_by_version: '(tenant_id, model, version)' },
  },
  search_cursors: { columns: { tenant_id: text, seq: number }, key: ['tenant_id'] },
  search_segments: {
    columns: {
      tenant_id: text,
      id: text,
      state: text,
      version: number,
      documents: number,
      live: number,
      words: number,
      first_seq: number,
      last_seq: number,
      gone_at: textOrNull,
      inbox_ids: text,
      lengths: ['blob', 'not null'],
      inboxes: ['blob', 'not null'],
      seqs: ['blob', 'not null'],
    },
    key: ['tenant_id', 'id'],
    withRowId: true,
    indexes: { search_segments_to_tidy: '(tenant_id) where gone_at is not null' },
  },
  search_blocks: {
    columns: {
      tenant_id: text,
      segment: text,
      first_term: text,
      postings: ['blob', 'not null'],
      positions: ['blob', 'not null'],
    },
    key: ['tenant_id', 'segment', 'first_term'],
    withRowId: true,
  },
}

const consumers: Tables = {
  consumers: {
    columns: {
      tenant_id: text,
      name: text,
      inbox_id: textOrNull,
      spam: number,
      unanswerable: number,
      began_after: number,
      cursor: number,
      created_at: text,
    },
    key: ['tenant_id', 'name'],
  },
  consumer_leases: {
    columns: {
      tenant_id: text,
      consumer: text,
      message_id: text,
      thread_id: text,
      created_seq: number,
      tail_after: number,
      attempts: number,
      redriven: number,
      due_at: text,
      lease_token: textOrNull,
      lease_until: textOrNull,
    },
    key: ['tenant_id', 'consumer', 'message_id'],
    indexes: {
      consumer_leases_by_time: '(tenant_id, consumer, due_at)',
      consumer_leases_by_thread: '(tenant_id, consumer, thread_id, created_seq)',
      consumer_leases_by_message: '(tenant_id, message_id)',
    },
  },
  consumer_settled: {
    columns: {
      tenant_id: text,
      consumer: text,
      message_id: text,
      created_seq: number,
      state: text,
      attempts: number,
      settled_at: text,
    },
    key: ['tenant_id', 'consumer', 'message_id'],
    indexes: {
      consumer_settled_in_order: '(tenant_id, consumer, state, created_seq)',
      consumer_settled_by_message: '(tenant_id, message_id)',
    },
  },
}

const webhooks: Tables = {
  webhooks: {
    columns: {
      tenant_id: text,
      id: text,
      url: text,
      events: text,
      inbox_ids: textOrNull,
      secrets: text,
      enabled: number,
      disabled_reason: textOrNull,
      disabled_at: textOrNull,
      failing_since: textOrNull,
      failed_at: textOrNull,
      created_at: text,
      cursor: number,
      dispatches: count,
    },
    key: ['tenant_id', 'id'],
  },
  webhook_dispatches: {
    columns: {
      tenant_id: text,
      id: text,
      webhook_id: text,
      number: number,
      event_id: text,
      event_type: text,
      event_seq: number,
      status: text,
      attempts: count,
      failures: count,
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
  },
  webhook_attempts: {
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
  },
}

const connections: Tables = {
  connections: {
    columns: {
      tenant_id: text,
      id: text,
      inbox_id: text,
      address: text,
      settings: text,
      secret: text,
      state: text,
      error: textOrNull,
      live_since: textOrNull,
      looked_at: textOrNull,
      failing_since: textOrNull,
      next_attempt_at: textOrNull,
      failures: count,
      filed_seq: count,
      created_at: text,
    },
    key: ['tenant_id', 'id'],
    indexes: { connections_by_inbox: '(tenant_id, inbox_id)' },
  },
  connection_folders: {
    columns: {
      tenant_id: text,
      connection_id: text,
      path: text,
      role: text,
      uid_validity: text,
      uid: number,
      waiting: count,
      obstacle: textOrNull,
      skipped: textOrNull,
    },
    key: ['tenant_id', 'connection_id', 'path'],
  },
  connected_mails: {
    columns: { tenant_id: text, inbox_id: text, key: text, message_id: text },
    key: ['tenant_id', 'inbox_id', 'key'],
  },
}

const outbound: Tables = {
  sends: {
    columns: {
      tenant_id: text,
      client_id: text,
      fingerprint: text,
      message_id: text,
      thread_id: textOrNull,
      draft_id: textOrNull,
      rfc822_message_id: textOrNull,
    },
    key: ['tenant_id', 'client_id'],
    indexes: {
      sends_by_message: '(tenant_id, message_id)',
      sends_by_draft: '(tenant_id, draft_id) where draft_id is not null',
    },
  },
  recipients: {
    columns: {
      tenant_id: text,
      message_id: text,
      address: text,
      status: text,
      detail: textOrNull,
      reason: textOrNull,
      kind: textOrNull,
    },
    key: ['tenant_id', 'message_id', 'address'],
    indexes: { recipients_by_address: '(tenant_id, address)' },
  },
  drafts: {
    columns: {
      tenant_id: text,
      id: text,
      inbox_id: text,
      status: text,
      to_addrs: text,
      cc_addrs: text,
      bcc_addrs: text,
      subject: text,
      reply_to_message_id: textOrNull,
      thread_id: textOrNull,
      scheduled_at: textOrNull,
      job_id: textOrNull,
      sent_message_id: textOrNull,
      error: textOrNull,
      created_at: text,
      updated_at: text,
      created_seq: number,
      seq: number,
      headers: ['text', "not null default '[]'"],
      reply_to: ['text', "not null default '[]'"],
      body_text: textOrNull,
      body_html: textOrNull,
    },
    key: ['tenant_id', 'id'],
    withRowId: true,
    indexes: { drafts_in_order: '(tenant_id, created_seq)' },
  },
  draft_files: {
    columns: {
      tenant_id: text,
      draft_id: text,
      position: number,
      filename: text,
      content_type: text,
      content_id: textOrNull,
      size: number,
      blob_hash: textOrNull,
      raw: ['blob', ''],
    },
    key: ['tenant_id', 'draft_id', 'position'],
    withRowId: true,
  },
  uploads: {
    columns: {
      tenant_id: text,
      id: text,
      inbox_id: textOrNull,
      filename: text,
      content_type: text,
      size: number,
      created_at: text,
      expires_at: text,
      blob_hash: textOrNull,
      raw: ['blob', ''],
    },
    key: ['tenant_id', 'id'],
    withRowId: true,
  },
  transport_policies: {
    columns: { domain: text, policy_id: text, policy: text, fetched_at: text, expires_at: text },
    key: ['domain'],
  },
}

/** Statements for only one of the databases. */
const ownWords: Record<Dialect, readonly string[]> = {
  sqlite: [
    // Commits are numbered, to be compared with the witness outside the database.
    'create table last_commit (id integer primary key, number integer not null, at text not null)',
  ],
  postgres: [],
}

/** The tables of the first release, by module. */
export const firstRelease: Step = (dialect) => ({
  async up(db) {
    for (const room of [
      ...[store, log, jobs, accounts, operators, domains, inboxes, lists],
      ...[messages, search, consumers, webhooks, outbound, connections],
    ])
      await createTables(db, room, dialect)
    for (const statement of ownWords[dialect]) await sql.raw(statement).execute(db)
  },
})
