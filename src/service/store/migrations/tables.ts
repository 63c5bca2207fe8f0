import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../tables'

export const text = ['text', 'not null'] as const
export const textOrNull = ['text', ''] as const
export const number = ['bigint', 'not null'] as const
export const numberOrNull = ['bigint', ''] as const
export const count = ['bigint', 'not null default 0'] as const

/** Type and the rest of a column's definition; the types are `text`, `bigint` and `blob`. */
type Column = readonly [type: string, rest: string]

interface TableShape {
  columns: Record<string, Column>
  key: string[]
  /**
   * Set if rows are large, or are found as often by other keys: then SQLite stores them by row id, not by the
   * key.
   */
  withRowId?: true
  /** Columns of each index, by its name. */
  indexes?: Record<string, string>
}

export type Tables = Readonly<Record<string, TableShape>>

/** SQL in which the two databases differ. */
const words = {
  sqlite: { bigint: 'integer', blob: 'blob', tail: ' without rowid', collate: '' },
  postgres: { bigint: 'bigint', blob: 'bytea', tail: '', collate: ' collate "C"' },
} as const

function typeOf(type: string, dialect: Dialect): string {
  const say = words[dialect]
  if (type === 'text') return `text${say.collate}`
  return type === 'bigint' || type === 'blob' ? say[type] : type
}

const columnsOf = (columns: Record<string, Column>, dialect: Dialect): string[] =>
  Object.entries(columns).map(([column, [type, rest]]) => `${column} ${typeOf(type, dialect)} ${rest}`)

function createTable(name: string, table: TableShape, dialect: Dialect): string {
  const columns = columnsOf(table.columns, dialect)
  const tail = table.withRowId ? '' : words[dialect].tail
  return `create table ${name} (${columns.join(', ')}, primary key (${table.key.join(', ')}))${tail}`
}

/** Creates tables and their indexes in a dialect. */
export async function createTables(db: Kysely<unknown>, tables: Tables, dialect: Dialect): Promise<void> {
  for (const [name, table] of Object.entries(tables)) {
    await sql.raw(createTable(name, table, dialect)).execute(db)
    for (const [index, on] of Object.entries(table.indexes ?? {}))
      await sql.raw(`create index ${index} on ${name} ${on}`).execute(db)
  }
}

/** Adds columns to a table; they are nullable or have a default, which existing rows get. */
export async function addColumns(
  db: Kysely<unknown>,
  table: string,
  columns: Record<string, Column>,
  dialect: Dialect,
): Promise<void> {
  for (const column of columnsOf(columns, dialect))
    await sql.raw(`alter table ${table} add column ${column}`).execute(db)
}
