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
  readonly inTransaction: boolean
  prepare(text: string): LibsqlStatement
  exec(text: string): void
  close(): void
}

type Libsql = new (path: string, options: { timeout: number }) => LibsqlDatabase

/** Whoever looks into the file from outside may hold it for as long as it takes to copy its log. */
export const lockedForMs = 5_000

/**
 * Opens a SQLite file, or `:memory:`. The driver is loaded with the first database, since it is a native addon.
 *
 * @param timeout How long each statement waits for what another process or thread has locked, in milliseconds: from
 *   the first one on, which may meet somebody who repairs what a killed process left.
 */
export function openLibsql(path: string, timeout = lockedForMs): LibsqlDatabase {
  const Libsql = createRequire(import.meta.url)('libsql') as Libsql
  return new Libsql(path, { timeout })
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

const takeLock = 'begin immediate'

/**
 * A transaction takes the lock with its beginning, and waits for it there: SQLite lets nobody wait who has read before.
 * Not a statement that is kept: where the lock cannot be had libsql leaves it half run, and then nothing can be
 * committed any more.
 */
const beginStatement = (database: LibsqlDatabase): SqliteStatement => ({
  reader: false,
  all: () => [],
  run() {
    database.exec(takeLock)
    return { changes: 0, lastInsertRowid: 0 }
  },
  *iterate() {},
})

/** Runs what writes when it has the lock, for the same reason. */
function locked<T>(database: LibsqlDatabase, run: () => T): T {
  if (database.inTransaction) return run()
  database.exec(takeLock)
  try {
    const result = run()
    database.exec('commit')
    return result
  } catch (error) {
    if (database.inTransaction) database.exec('rollback')
    throw error
  }
}

const inLock = (database: LibsqlDatabase, statement: SqliteStatement): SqliteStatement => ({
  ...statement,
  all: (parameters) => locked(database, () => statement.all(parameters)),
  run: (parameters) => locked(database, () => statement.run(parameters)),
})

/**
 * libsql as Kysely's SQLite dialect wants it, with prepared statements kept for reuse.
 *
 * @param onWrite Told of each statement that may write.
 */
export function kyselyDatabase(database: LibsqlDatabase, onWrite = () => {}): SqliteDatabase {
  const statements = new LRUCache<string, SqliteStatement>({ max: 500 })
  function create(text: string): SqliteStatement {
    if (text === 'begin') return beginStatement(database)
    const statement = createStatement(database.prepare(text), text)
    return /^(insert|update|delete) /.test(text) ? inLock(database, statement) : statement
  }
  return {
    prepare(text) {
      if (!text.startsWith('select')) onWrite()
      let statement = statements.get(text)
      if (!statement) {
        statement = create(text)
        statements.set(text, statement)
      }
      return statement
    },
    close: () => database.close(),
  }
}
