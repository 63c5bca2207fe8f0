import { createRequire } from 'node:module'
import { Kysely, type SqliteDatabase, SqliteDialect, type SqliteStatement } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Database } from './tables/schema'

interface LibsqlStatement {
  reader: boolean
  /** Switches to rows as arrays. */
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

/** Time in ms that a statement waits for another process that reads the file, such as to copy its log. */
export const lockedForMs = 5_000

/**
 * Opens a SQLite file, or `:memory:`. The driver is loaded with the first database, since it is a native
 * addon.
 *
 * @param timeout Time in ms that each statement waits for locks of another process or thread. The first one
 * may meet a process that repairs the log of a killed one.
 */
export function openLibsql(path: string, timeout = lockedForMs): LibsqlDatabase {
  const Libsql = createRequire(import.meta.url)('libsql') as Libsql
  return new Libsql(path, { timeout })
}

/** Replaces values that libsql cannot handle: it cuts a string at U+0000, and crashes on a boolean. */
function toLibsql(value: unknown): unknown {
  if (typeof value === 'string') return value.includes('\0') ? value.replaceAll('\0', '\uFFFD') : value
  if (typeof value === 'boolean') return value ? 1 : 0
  return value === undefined ? null : value
}

/** Builds a row from an array, for two thirds of the cost of a libsql object, which dominates small reads. */
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
  // Reading one row costs half of reading all.
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
 * Takes the lock at the start of a transaction, and waits for it there: SQLite lets no transaction wait that
 * has read before. It is not a prepared statement: if the lock times out, libsql leaves that half run, and
 * then nothing can be committed.
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

/** Undoes a transaction, unless SQLite has done so already, as on a full or failing disk. */
const rollbackStatement = (database: LibsqlDatabase): SqliteStatement => ({
  ...beginStatement(database),
  run() {
    if (database.inTransaction) database.exec('rollback')
    return { changes: 0, lastInsertRowid: 0 }
  },
})

/** Takes the lock before a write outside a transaction, for the same reason. */
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

/** Wraps libsql for Kysely's SQLite dialect, with a cache of prepared statements. */
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
 * Connects to an open database with any tables.
 *
 * @param onWrite Called for each statement that may write.
 */
export const connectLibsql = (database: LibsqlDatabase, onWrite = () => {}): Kysely<Database> =>
  new Kysely<Database>({ dialect: new SqliteDialect({ database: kyselyDatabase(database, onWrite) }) })
