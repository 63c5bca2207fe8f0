import { sql } from 'kysely'
import { createTables, number, type TableShape, text, textOrNull } from '../tables'
import type { Step } from './step'

const tables: Record<string, TableShape> = {
  domains: {
    columns: {
      tenant_id: text,
      id: text,
      hostname: text,
      mail_from_domain: text,
      status: text,
      token: text,
      verified_at: textOrNull,
      checked_at: textOrNull,
      lost_since: textOrNull,
      return_path: number,
      findings: text,
      created_at: text,
    },
    key: ['tenant_id', 'id'],
    indexes: { domains_by_hostname: 'tenant_id, hostname' },
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

/** Domains of the accounts' own, and the keys that mail is signed with. */
export const domains: Step = (dialect) => ({
  async up(db) {
    await createTables(db, tables, dialect)
    await sql`create index addresses_by_inbox on addresses (inbox_id)`.execute(db)
  },
})
