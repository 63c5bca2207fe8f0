import { type Kysely, type Migration, type MigrationProvider, sql } from 'kysely'
import type { Dialect } from './store'

const text = ['text', 'not null'] as const
const textOrNull = ['text', ''] as const
const number = ['bigint', 'not null'] as const
const count = ['bigint', 'not null default 0'] as const

type Column = readonly [type: string, rest: string]
interface TableShape {
  columns: Record<string, Column>
  key: string[]
  indexes?: Record<string, string>
}

const tables: Record<string, TableShape> = {
  host: { columns: { key: text, value: text }, key: ['key'] },
  accounts: {
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
      seq: count,
      receive_lists: count,
      send_lists: count,
      deleted_inboxes: count,
      log_start: count,
    },
    key: ['tenant_id'],
  },
  api_keys: {
    columns: {
      key_hash: text,
      id: text,
      tenant_id: text,
      inbox_id: textOrNull,
      scopes: text,
      created_at: text,
      revoked_at: textOrNull,
    },
    key: ['key_hash'],
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
  },
  addresses: {
    columns: { address: text, tenant_id: text, inbox_id: text, retired_at: textOrNull },
    key: ['address'],
  },
  inboxes: {
    columns: {
      tenant_id: text,
      id: text,
      address: text,
      name: textOrNull,
      client_id: textOrNull,
      created_at: text,
      seq: number,
    },
    key: ['tenant_id', 'id'],
  },
  threads: {
    columns: {
      tenant_id: text,
      id: text,
      inbox_id: text,
      subject: text,
      participants: text,
      message_count: number,
      last_message_id: text,
      last_message_at: text,
      preview: text,
      label_ids: text,
      created_at: text,
      seq: number,
    },
    key: ['tenant_id', 'id'],
    indexes: { threads_by_activity: 'tenant_id, seq' },
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
  messages: {
    columns: {
      tenant_id: text,
      id: text,
      inbox_id: text,
      thread_id: text,
      direction: text,
      from_addr: text,
      from_name: textOrNull,
      to_addrs: text,
      cc_addrs: text,
      bcc_addrs: text,
      reply_to: text,
      subject: text,
      preview: text,
      delivery_status: text,
      delivery_detail: textOrNull,
      rfc822_message_id: textOrNull,
      in_reply_to: textOrNull,
      reference_ids: text,
      auto_submitted: text,
      flaws: text,
      size: number,
      sent_at: textOrNull,
      received_at: textOrNull,
      created_at: text,
      created_seq: number,
      seq: number,
      mail_from: text,
      blob_hash: textOrNull,
      content_hash: text,
      reply_text: textOrNull,
      body_text: text,
      body_html: textOrNull,
      headers: text,
      label_ids: text,
      raw: ['blob', ''],
    },
    key: ['tenant_id', 'id'],
    indexes: {
      messages_in_order: 'tenant_id, created_seq',
      messages_by_thread: 'tenant_id, thread_id, created_seq',
      messages_by_inbox: 'tenant_id, inbox_id, created_seq',
      messages_by_blob: 'blob_hash) where (blob_hash is not null',
    },
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
    indexes: { attachments_by_message: 'tenant_id, message_id, position' },
  },
  labels: {
    columns: { tenant_id: text, id: text, name: text, folded: text, created_at: text, seq: number },
    key: ['tenant_id', 'id'],
    indexes: { labels_by_name: 'tenant_id, folded' },
  },
  message_labels: {
    columns: { tenant_id: text, label_id: text, message_id: text },
    key: ['tenant_id', 'label_id', 'message_id'],
    indexes: { message_labels_by_message: 'tenant_id, message_id' },
  },
  lists: {
    columns: { tenant_id: text, id: text, pattern: text, kind: text, direction: text, created_at: text },
    key: ['tenant_id', 'id'],
    indexes: { lists_by_pattern: 'tenant_id, direction, pattern' },
  },
  erased_blobs: { columns: { hash: text, erased_at: text }, key: ['hash'] },
  recipients: {
    columns: { tenant_id: text, message_id: text, address: text, status: text, detail: textOrNull },
    key: ['tenant_id', 'message_id', 'address'],
    indexes: { recipients_by_address: 'tenant_id, address' },
  },
  sends: {
    columns: {
      tenant_id: text,
      client_id: text,
      fingerprint: text,
      message_id: text,
      thread_id: textOrNull,
      rfc822_message_id: textOrNull,
    },
    key: ['tenant_id', 'client_id'],
    indexes: { sends_by_message: 'tenant_id, message_id' },
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
      body_text: textOrNull,
      body_html: textOrNull,
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
    },
    key: ['tenant_id', 'id'],
    indexes: { drafts_in_order: 'tenant_id, created_seq' },
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
      raw: ['blob', ''],
      blob_hash: textOrNull,
    },
    key: ['tenant_id', 'draft_id', 'position'],
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
      raw: ['blob', ''],
      blob_hash: textOrNull,
    },
    key: ['tenant_id', 'id'],
  },
  jobs: {
    columns: {
      tenant_id: text,
      id: text,
      queue: text,
      run_at: text,
      attempts: count,
      lease_token: textOrNull,
      lease_until: textOrNull,
      created_at: text,
      data: text,
    },
    key: ['tenant_id', 'id'],
    indexes: { jobs_due: 'queue, run_at' },
  },
  events: {
    columns: {
      tenant_id: text,
      seq: number,
      id: text,
      type: text,
      inbox_id: textOrNull,
      created_at: text,
      message_id: textOrNull,
      thread_id: textOrNull,
      data: text,
    },
    key: ['tenant_id', 'seq'],
    indexes: { events_by_thread: 'tenant_id, thread_id' },
  },
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
      deliveries: count,
    },
    key: ['tenant_id', 'id'],
  },
  webhook_deliveries: {
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
      webhook_deliveries_due: 'tenant_id, webhook_id, next_attempt_at',
      webhook_deliveries_by_number: 'tenant_id, webhook_id, number',
      webhook_deliveries_by_event: 'tenant_id, event_seq',
    },
  },
  webhook_attempts: {
    columns: {
      tenant_id: text,
      delivery_id: text,
      number: number,
      started_at: text,
      duration_ms: number,
      http_status: ['bigint', ''],
      error: textOrNull,
      response_body: textOrNull,
    },
    key: ['tenant_id', 'delivery_id', 'number'],
  },
}

/** What the two databases say differently. SQLite keeps rows in the order of their key where it has one only. */
const words = {
  sqlite: { bigint: 'integer', blob: 'blob', tail: ' without rowid', collate: '' },
  postgres: { bigint: 'bigint', blob: 'bytea', tail: '', collate: ' collate "C"' },
} as const

/** Rows of these are large or are found by other keys as often: they keep SQLite's row id. */
const withRowId = new Set(['messages', 'events', 'drafts', 'draft_files', 'uploads'])

function createTable(name: string, table: TableShape, dialect: Dialect): string {
  const say = words[dialect]
  const typeOf = (type: string) =>
    type === 'text'
      ? `text${say.collate}`
      : type === 'bigint'
        ? say.bigint
        : type === 'blob'
          ? say.blob
          : type
  const columns = Object.entries(table.columns).map(
    ([column, [type, rest]]) => `${column} ${typeOf(type)} ${rest}`,
  )
  const tail = withRowId.has(name) ? '' : say.tail
  return `create table ${name} (${columns.join(', ')}, primary key (${table.key.join(', ')}))${tail}`
}

function firstTables(dialect: Dialect): Migration {
  return {
    async up(db: Kysely<unknown>) {
      for (const [name, table] of Object.entries(tables)) {
        await sql.raw(createTable(name, table, dialect)).execute(db)
        for (const [index, columns] of Object.entries(table.indexes ?? {})) {
          await sql.raw(`create index ${index} on ${name} (${columns})`).execute(db)
        }
      }
    },
  }
}

/** Every step from an empty database to today's; a step is never changed once it was released. */
export function migrationsFor(dialect: Dialect): MigrationProvider {
  return { getMigrations: async () => ({ '0001-first-tables': firstTables(dialect) }) }
}
