import { createRequire } from 'node:module'
import { Kysely, type SqliteDatabase, SqliteDialect, type SqliteStatement } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Database } from './tables'

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

/** The wait for a process that reads the file from outside: as long as copying its log may take. */
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

/** Replaces what libsql cannot take: it ends a string at U+0000, and the process on a boolean. */
function toLibsql(value: unknown): unknown {
  if (typeof value === 'string') return value.includes('\0') ? value.replaceAll('\0', '\uFFFD') : value
  if (typeof value === 'boolean') return value ? 1 : 0
  return value === undefined ? null : value
}

/** Makes a row from an array: two thirds of the cost of an object of libsql, and most of the time of small reads. */
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
 * Takes the lock with the beginning of a transaction, and waits for it there: SQLite lets no transaction wait that
 * has read before. Not a statement that is kept: where the lock cannot be had libsql leaves it half run, and then
 * nothing can be committed any more.
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

/** Undoes a transaction, unless SQLite has done it already, as where the disk is full or fails. */
const rollbackStatement = (database: LibsqlDatabase): SqliteStatement => ({
  ...beginStatement(database),
  run() {
    if (database.inTransaction) database.exec('rollback')
    return { changes: 0, lastInsertRowid: 0 }
  },
})

/** Takes the lock before a statement that writes outside of a transaction, for the same reason. */
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

/** libsql as Kysely's SQLite dialect wants it, with prepared statements kept for reuse. */
function kyselyDatabase(database: LibsqlDatabase, onWrite: () => void): SqliteDatabase {
  const statements = new LRUCache<string, SqliteStatement>({ max: 500 })
  function create(text: string): SqliteStatement {
    if (text === 'begin') return beginStatement(database)
    if (text === 'rollback') return rollbackStatement(database)
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

/**
 * Takes an open database, whatever tables there are.
 *
 * @param onWrite Told of each statement that may write.
 */
export const connectLibsql = (database: LibsqlDatabase, onWrite = () => {}): Kysely<Database> =>
  new Kysely<Database>({ dialect: new SqliteDialect({ database: kyselyDatabase(database, onWrite) }) })
