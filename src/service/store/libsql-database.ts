import { createRequire } from 'node:module'
import type { SqliteDatabase, SqliteStatement } from 'kysely'
import { LRUCache } from 'lru-cache'

interface LibsqlStatement {
  reader: boolean
  /** Rows come as arrays from then on. */
  raw(raw: boolean): unknown
  columns(): { name: string }[]
  all<Row = Record<string, unknown>>(parameters: unknown[]): Row[]
  get<Row = Record<string, unknown>>(parameters: unknown[]): Row | undefined
  run(parameters: unknown[]): { changes: number; lastInsertRowid: number }
  iterate<Row = Record<string, unknown>>(parameters: unknown[]): IterableIterator<Row>
}

export interface LibsqlDatabase {
  prepare(text: string): LibsqlStatement
  exec(text: string): void
  close(): void
}

/** Opens a SQLite file, or `:memory:`. The driver is loaded with the first database, since it is a native addon. */
export function openLibsql(path: string): LibsqlDatabase {
  const Libsql = createRequire(import.meta.url)('libsql') as new (path: string) => LibsqlDatabase
  return new Libsql(path)
}

/** libsql ends a string at U+0000 and ends the process on a boolean. */
function toLibsql(value: unknown): unknown {
  if (typeof value === 'string') return value.includes('\0') ? value.replaceAll('\0', '\uFFFD') : value
  if (typeof value === 'boolean') return value ? 1 : 0
  return value === undefined ? null : value
}

/** An object made here from an array costs two thirds of one that libsql makes, and most time of small reads is this. */
function fromLibsql(names: readonly string[], values: readonly unknown[]): Record<string, unknown> {
  const row: Record<string, unknown> = {}
  for (let i = 0; i < names.length; i++) {
    const value = values[i]
    row[names[i]!] = value instanceof ArrayBuffer ? new Uint8Array(value) : value
  }
  return row
}

function createStatement(statement: LibsqlStatement, text: string): SqliteStatement {
  const { reader } = statement
  const names = reader ? statement.columns().map(({ name }) => name) : []
  if (reader) statement.raw(true)
  // To ask for one row costs half of asking for all.
  const isOne = text.endsWith(' limit 1')
  const rowsOf = (parameters: unknown[]): unknown[][] => {
    if (!isOne) return statement.all(parameters)
    const row = statement.get<unknown[]>(parameters)
    return row ? [row] : []
  }
  return {
    reader,
    all: (parameters) => rowsOf(parameters.map(toLibsql)).map((values) => fromLibsql(names, values)),
    run: (parameters) => statement.run(parameters.map(toLibsql)),
    *iterate(parameters) {
      for (const values of statement.iterate<unknown[]>(parameters.map(toLibsql)))
        yield fromLibsql(names, values)
    },
  }
}

/**
 * libsql as Kysely's SQLite dialect wants it, with prepared statements kept for reuse.
 *
 * @param onWrite Told of each statement that may write.
 */
export function kyselyDatabase(database: LibsqlDatabase, onWrite = () => {}): SqliteDatabase {
  const statements = new LRUCache<string, SqliteStatement>({ max: 500 })
  return {
    prepare(text) {
      if (!text.startsWith('select')) onWrite()
      let statement = statements.get(text)
      if (!statement) {
        statement = createStatement(database.prepare(text), text)
        statements.set(text, statement)
      }
      return statement
    },
    close: () => database.close(),
  }
}
