import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database, Dialect } from './schema'

/** A table with rows of accounts. */
export interface TenantTable {
  name: string
  /** Columns that identify its rows. */
  key: string
  /** True if its rows name blobs. */
  namesBlobs: boolean
}

interface FoundColumn {
  name: string
  column: string
  /** Place in the primary key; 0 outside of it. */
  pk: number
}

const columnsIn = {
  sqlite: sql<FoundColumn>`select m.name, c.name as column, c.pk from sqlite_master m, pragma_table_info(m.name) c where m.type = 'table' order by m.name, c.pk`,
  // Only the partitions of a partitioned table, since two of its rows may have the same `ctid`.
  postgres: sql<FoundColumn>`select c.relname as name, a.attname as column, 0 as pk from pg_class c join pg_attribute a on a.attrelid = c.oid where c.relnamespace = current_schema()::text::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped order by 1`,
}

const keyOf = (columns: FoundColumn[], dialect: Dialect): string => {
  if (dialect === 'postgres') return 'ctid'
  const key = columns.filter(({ pk }) => pk > 0).map(({ column }) => column)
  return key.length === 0 ? 'rowid' : `(${key.join(', ')})`
}

/** Returns every table with a column `tenant_id`, read from the database, so that later ones are included. */
export async function tenantTables(db: Kysely<Database>, dialect: Dialect): Promise<TenantTable[]> {
  const byTable = new Map<string, FoundColumn[]>()
  for (const row of (await columnsIn[dialect].execute(db)).rows)
    byTable.set(row.name, [...(byTable.get(row.name) ?? []), row])
  return [...byTable].flatMap(([name, columns]) => {
    const has = (column: string) => columns.some((one) => one.column === column)
    return has('tenant_id') ? { name, key: keyOf(columns, dialect), namesBlobs: has('blob_hash') } : []
  })
}

/** Deletes up to `limit` rows of an account, and returns the blob that each of them named. */
export async function deleteTenantRows(
  tx: Transaction<Database>,
  { name, key, namesBlobs }: TenantTable,
  tenantId: string,
  limit: number,
): Promise<(string | null)[]> {
  const keys = sql.raw(key.replace(/^\((.*)\)$/, '$1'))
  const returned = sql.raw(namesBlobs ? 'blob_hash' : 'null as blob_hash')
  const { rows } = await sql<{ blob_hash: string | null }>`
    delete from ${sql.table(name)} where ${sql.raw(key)} in
      (select ${keys} from ${sql.table(name)} where tenant_id = ${tenantId} limit ${limit})
    returning ${returned}`.execute(tx)
  return rows.map((row) => row.blob_hash)
}
