import { createRequire } from 'node:module'
import type { SqliteDatabase, SqliteStatement } from 'kysely'
import { LRUCache } from 'lru-cache'

interface LibsqlStatement {
  reader: boolean
  all(parameters: unknown[]): Record<string, unknown>[]
  run(parameters: unknown[]): { changes: number; lastInsertRowid: number }
  iterate(parameters: unknown[]): IterableIterator<unknown>
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

function fromLibsql(row: Record<string, unknown>): Record<string, unknown> {
  for (const column in row) {
    const value = row[column]
    if (value instanceof ArrayBuffer) row[column] = new Uint8Array(value)
  }
  return row
}

function createStatement(statement: LibsqlStatement): SqliteStatement {
  return {
    reader: statement.reader,
    all: (parameters) => statement.all(parameters.map(toLibsql)).map(fromLibsql),
    run: (parameters) => statement.run(parameters.map(toLibsql)),
    iterate: (parameters) => statement.iterate(parameters.map(toLibsql)),
  }
}

/** libsql as Kysely's SQLite dialect wants it, with prepared statements kept for reuse. */
export function kyselyDatabase(database: LibsqlDatabase): SqliteDatabase {
  const statements = new LRUCache<string, SqliteStatement>({ max: 500 })
  return {
    prepare(text) {
      let statement = statements.get(text)
      if (!statement) {
        statement = createStatement(database.prepare(text))
        statements.set(text, statement)
      }
      return statement
    },
    close: () => database.close(),
  }
}
