import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { Kysely, SqliteDialect, sql } from 'kysely'
import { UsageError } from '../../protocol/error'
import { createCheckpointer } from './checkpointer'
import { createGroupCommit } from './group-commit'
import { kyselyDatabase, type LibsqlDatabase, lockedForMs, openLibsql } from './libsql-database'
import { migrate } from './migrate'
import type { Database } from './schema'
import { sqliteSearch } from './search-index'
import type { Store } from './store'
import { createWalSync, type WalSync } from './wal-sync'

/** Where the database of a data folder lies. */
export const databaseFile = (folder: string): string => join(folder, 'restante.sqlite')

/**
 * Takes the data folder for this process: an exclusive lock on a file of its own, which the system drops with
 * the process however it ends.
 */
export function lockFolder(folder: string): LibsqlDatabase {
  const ownerFile = join(folder, 'owner')
  const lock = openLibsql(join(folder, 'lock'), 0)
  try {
    lock.exec('begin exclusive')
  } catch (error) {
    lock.close()
    throw new UsageError(
      'data_folder_in_use',
      `The data folder ${folder} is in use by ${ownerOf(ownerFile)}: stop it, or choose another folder with --data.`,
      { cause: error },
    )
  }
  writeFileSync(ownerFile, String(process.pid))
  return lock
}

function ownerOf(file: string): string {
  try {
    return `the process ${readFileSync(file, 'utf8')}`
  } catch {
    return 'another process'
  }
}

const unusable = (folder: string, error: unknown) =>
  new UsageError(
    'data_folder_unusable',
    `Cannot keep data in ${folder}: ${(error as Error).message}. Choose another folder with --data.`,
    { cause: error },
  )

/** One by one: Node's own way never returns where a parent takes no folders, as /proc does. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) {
    if (statSync(folder).isDirectory()) return
    throw new Error('it is a file')
  }
  const parent = dirname(folder)
  if (parent !== folder) makeFolder(parent)
  mkdirSync(folder, { mode: 0o700 })
}

function openFile(folder: string): { database: LibsqlDatabase; lock: LibsqlDatabase } {
  try {
    makeFolder(resolve(folder))
    const lock = lockFolder(folder)
    return { lock, database: openLibsql(databaseFile(folder)) }
  } catch (error) {
    throw error instanceof UsageError ? error : unusable(folder, error)
  }
}

/** Everything waits for this: somebody who reads for long is not waited for. */
const emptyLog = (db: Kysely<Database>, database: LibsqlDatabase): Promise<boolean> =>
  db.connection().execute(async (connection) => {
    database.exec('pragma busy_timeout = 200')
    try {
      const { rows } = await sql<{ busy: number }>`pragma wal_checkpoint(truncate)`.execute(connection)
      return rows[0]?.busy === 0
    } finally {
      database.exec(`pragma busy_timeout = ${lockedForMs}`)
    }
  })

/**
 * Opens SQLite in a folder, or in memory without one. What is written is on disk when it says so.
 *
 * @throws UsageError `data_folder_in_use`, `data_folder_unusable`, `database_too_new`
 */
export async function openSqlite(folder?: string): Promise<Store> {
  const { database, lock } =
    folder === undefined ? { database: openLibsql(':memory:'), lock: undefined } : openFile(folder)
  for (const setting of [
    'journal_mode = wal',
    'wal_autocheckpoint = 8000',
    'synchronous = normal',
    'temp_store = memory',
    'secure_delete = on',
    'cache_size = -16000',
  ]) {
    database.exec(`pragma ${setting}`)
  }
  let sync: WalSync | undefined
  const settled = async () => sync?.settled()
  const dialect = new SqliteDialect({ database: kyselyDatabase(database, () => sync?.wrote()) })
  const db = new Kysely<Database>({ dialect })
  await migrate(db, 'sqlite').catch(async (error) => {
    await db.destroy()
    lock?.close()
    throw error
  })
  sync = folder === undefined ? undefined : createWalSync(databaseFile(folder))
  const checkpointer = folder === undefined ? undefined : createCheckpointer(databaseFile(folder))
  return {
    dialect: 'sqlite',
    search: sqliteSearch,
    db,
    write: createGroupCommit(db, { settled, onCommit: () => checkpointer?.committed() }),
    settled,
    scrub: () => emptyLog(db, database),
    async close() {
      await checkpointer?.close()
      try {
        await settled()
      } finally {
        sync?.close()
        await db.destroy()
        lock?.close()
      }
    },
  }
}
