import type { Generated } from 'kysely'

/** A column, the same in both databases. */
export interface Column<Value = unknown> {
  readonly type: 'text' | 'bigint' | 'blob'
  /** Rest of its definition, in SQL. */
  readonly rest: string
  /** Set if only PostgreSQL has it. */
  readonly only?: 'postgres'
  /** Migration that adds it; without it, that of its table. */
  readonly since?: string
  /** Type of its values for the compiler; never set. */
  readonly value?: Value
}

/** An index that a later migration adds to a table. */
interface LaterIndex {
  readonly on: string
  readonly since: string
}

/** A table, declared once: its rows and the database are made from this. */
export interface Table<Columns extends Record<string, Column> = Record<string, Column>> {
  readonly columns: Columns
  readonly key: readonly string[]
  /**
   * Set if rows are large, or are found as often by other keys: then SQLite stores them by row id, not by the
   * key.
   */
  readonly withRowId?: true
  /** Columns of each index, by its name. */
  readonly indexes?: Readonly<Record<string, string | LaterIndex>>
  /** Migration that creates it; without it, `0001-tables`. */
  readonly since?: string
}

/** Row of a table, for Kysely. */
export type RowOf<Declared extends Table> = {
  [Name in keyof Declared['columns']]: Declared['columns'][Name] extends Column<infer Value> ? Value : never
}

/** Declares a table, whose key is some of its columns. */
export const table = <Columns extends Record<string, Column>>(
  declared: Table<Columns> & { readonly key: readonly (keyof Columns)[] },
): Table<Columns> => declared

export const text: Column<string> = { type: 'text', rest: 'not null' }
export const textOrNull: Column<string | null> = { type: 'text', rest: '' }
export const uniqueText: Column<string> = { type: 'text', rest: 'not null unique' }
export const number: Column<number> = { type: 'bigint', rest: 'not null' }
export const numberOrNull: Column<number | null> = { type: 'bigint', rest: '' }
/** A number that begins at 0. */
export const count: Column<Generated<number>> = { type: 'bigint', rest: 'not null default 0' }
export const blob: Column<Uint8Array> = { type: 'blob', rest: 'not null' }
export const blobOrNull: Column<Uint8Array | null> = { type: 'blob', rest: '' }

/** Returns a text column that has only some values. */
export const textOf = <Value extends string>() => text as Column<Value>

/** Returns a text column that has only some values or null. */
export const textOrNullOf = <Value extends string>() => textOrNull as Column<Value | null>

/** Returns a text column with a default. */
export const textOr = (value: string): Column<Generated<string>> => ({
  type: 'text',
  rest: `not null default '${value}'`,
})

/** Returns a column that only PostgreSQL has. */
export const onPostgres = <Value>(column: Column<Value>): Column<Value | undefined> => ({
  ...column,
  only: 'postgres',
})

/** Returns a column that a later migration adds to a table. */
export const since = <Value>(migration: string, column: Column<Value>): Column<Value> => ({
  ...column,
  since: migration,
})
