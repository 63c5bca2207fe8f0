import { type Kysely, sql } from 'kysely'
import { createTables, number, type TableShape, text, textOrNull } from '../tables'
import type { Step } from './step'

const tables: Record<string, TableShape> = {
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
    indexes: { operator_sessions_by_operator: 'operator_id' },
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
    indexes: { operator_credentials_by_operator: 'operator_id' },
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
    indexes: { operator_proofs_by_identifier: 'identifier' },
  },
  account_operators: {
    columns: { operator_id: text, tenant_id: text, created_at: text },
    key: ['operator_id', 'tenant_id'],
    indexes: { account_operators_by_account: 'tenant_id' },
  },
}

/** What was revoked or suspended a moment ago is asked for twice a second: it has indexes of its own. */
async function extend(db: Kysely<unknown>): Promise<void> {
  for (const statement of [
    'alter table api_keys add column name text',
    'alter table api_keys add column hint text',
    'alter table api_keys add column last_used_at text',
    'create index api_keys_by_account on api_keys (tenant_id, id)',
    'create index api_keys_revoked on api_keys (revoked_at) where (revoked_at is not null)',
    'create index accounts_suspended on accounts (suspended_at) where (suspended_at is not null)',
    'create index claim_tokens_by_account on claim_tokens (tenant_id)',
  ])
    await sql.raw(statement).execute(db)
}

/** Humans, how they sign in, the accounts that are theirs, and keys that have names. */
export const operators: Step = (dialect) => ({
  async up(db) {
    await createTables(db, tables, dialect)
    await extend(db)
  },
})
