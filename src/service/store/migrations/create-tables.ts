import { type Kysely, type Migration, sql } from 'kysely'
import { type Dialect, tables } from '../tables/schema'
import type { Column, Table } from '../tables/table'

/** One step from yesterday's tables to today's; never changed after its release. */
export type Step = (dialect: Dialect) => Migration

/** Steps by name, which starts with a number: a database stores the names of the completed ones. */
export type Steps = Readonly<Record<string, Step>>

/** Migration that creates the tables and columns without `since`. */
export const firstMigration = '0001-tables'

type Columns = Readonly<Record<string, Column>>

/** SQL in which the two databases differ. */
const words = {
  sqlite: { text: 'text', bigint: 'integer', blob: 'blob', tail: ' without rowid' },
  postgres: { text: 'text collate "C"', bigint: 'bigint', blob: 'bytea', tail: '' },
} as const

const columnsOf = (columns: Columns, dialect: Dialect): string[] =>
  Object.entries(columns)
    .filter(([, { only }]) => only === undefined || only === dialect)
    .map(([name, { type, rest }]) => `${name} ${words[dialect][type]} ${rest}`)

async function createTable(db: Kysely<unknown>, name: string, table: Table, dialect: Dialect): Promise<void> {
  const columns = columnsOf(table.columns, dialect).join(', ')
  const tail = table.withRowId ? '' : words[dialect].tail
  await sql.raw(`create table ${name} (${columns}, primary key (${table.key.join(', ')}))${tail}`).execute(db)
}

/** Creates the indexes of a table that are declared for a migration. */
async function createIndexes(
  db: Kysely<unknown>,
  name: string,
  { indexes = {}, since = firstMigration }: Table,
  migration: string,
): Promise<void> {
  for (const [index, declared] of Object.entries(indexes)) {
    const { on, since: from } = typeof declared === 'string' ? { on: declared, since } : declared
    if (from === migration) await sql.raw(`create index ${index} on ${name} ${on}`).execute(db)
  }
}

/** Adds columns to a table; they are nullable or have a default, which existing rows get. */
export async function addColumns(
  db: Kysely<unknown>,
  table: string,
  columns: Columns,
  dialect: Dialect,
): Promise<void> {
  for (const column of columnsOf(columns, dialect))
    await sql.raw(`alter table ${table} add column ${column}`).execute(db)
}

/** Creates the tables, columns and indexes that are declared for a migration. */
export async function createDeclared(
  db: Kysely<unknown>,
  tables: Readonly<Record<string, Table>>,
  migration: string,
  dialect: Dialect,
): Promise<void> {
  for (const [name, table] of Object.entries(tables)) {
    const { columns, since = firstMigration } = table
    const isDue = ([, column]: [string, Column]) => (column.since ?? since) === migration
    const due = Object.fromEntries(Object.entries(columns).filter(isDue))
    if (since === migration) await createTable(db, name, { ...table, columns: due }, dialect)
    else await addColumns(db, name, due, dialect)
    await createIndexes(db, name, table, migration)
  }
}

/** Step that only adds what is declared for it. */
export const declaredStep =
  (migration: string): Step =>
  (dialect) => ({ up: (db) => createDeclared(db, tables, migration, dialect) })
