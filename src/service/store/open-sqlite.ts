import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { type Kysely, sql } from 'kysely'
import { UsageError } from '../../protocol/errors/error'
import { type Checkpointer, createCheckpointer } from './checkpointer'
import { createGroupCommit } from './group-commit'
import { connectLibsql, type LibsqlDatabase, lockedForMs, openLibsql } from './libsql-database'
import { migrate } from './migrate'
import type { Store } from './store'
import type { Database } from './tables/schema'
import { checkWal } from './wal-check'
import { createWalSync, type WalSync } from './wal-sync'
import { type Commit, numberCommit, openWitness, readLastCommit, readWitness, type Witness } from './witness'

/** Returns the path of the database of a data folder. */
export const databaseFile = (folder: string): string => join(folder, 'restante.sqlite')

/**
 * Requires a database in a folder: creating one would hide that another folder was meant.
 *
 * @throws UsageError `no_database`
 */
export function requireDatabase(folder: string, more = ''): void {
  if (existsSync(databaseFile(folder))) return
  throw new UsageError(
    'no_database',
    `There is no embedded database in ${resolve(folder)}. Give the folder of the service with --data.${more}`,
  )
}

/**
 * Takes an exclusive lock on the data folder for this process. It is on a separate file, and the system
 * releases it with the process.
 */
export function lockFolder(folder: string): LibsqlDatabase {
  const ownerFile = join(folder, 'owner')
  makePrivate(join(folder, 'lock'))
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
  writeFileSync(ownerFile, String(process.pid), { mode: 0o600 })
  return lock
}

function ownerOf(file: string): string {
  try {
    return `the process ${readFileSync(file, 'utf8')}`
  } catch {
    return 'another process'
  }
}

/**
 * Returns the files that other users can read, if they can enter the folder; none on Windows, where modes
 * mean little.
 */
export function filesOpenToOthers(folder: string): string[] {
  const isOpen = (path: string) => existsSync(path) && (statSync(path).mode & 0o077) !== 0
  if (process.platform === 'win32' || !isOpen(folder)) return []
  return ['', 'restante.sqlite', 'secret', 'blobs'].map((name) => join(folder, name)).filter(isOpen)
}

function describeOpenFolder(folder: string): string | null {
  const open = filesOpenToOthers(folder)
  return open.length > 0
    ? `Others on this machine may read ${open.join(', ')}: chmod -R go-rwx ${folder}`
    : null
}

const unusable = (folder: string, error: unknown) =>
  new UsageError(
    'data_folder_unusable',
    `Cannot keep data in ${folder}: ${(error as Error).message}. Choose another folder with --data.`,
    { cause: error },
  )

/**
 * Creates the folders one by one: Node's recursive mode never returns if a parent allows none, such as /proc.
 */
function makeFolder(folder: string): void {
  if (existsSync(folder)) {
    if (statSync(folder).isDirectory()) return
    throw new Error('it is a file')
  }
  const parent = dirname(folder)
  if (parent !== folder) makeFolder(parent)
  mkdirSync(folder, { mode: 0o700 })
}

/**
 * Creates a file readable only by its owner, which SQLite would not do; the log of a database gets its mode.
 * An existing file is not opened: closing it would release this process's locks on it.
 */
function makePrivate(file: string): void {
  if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600))
}

/** Keeps a copy of a damaged log, a part of which SQLite skips and then discards. */
function keepDamagedLog(folder: string): string | null {
  const log = `${databaseFile(folder)}-wal`
  const state = checkWal(log)
  if (!state || (state.lostFrames === 0 && !state.badHeader)) return null
  const kept = `${log}.damaged`
  copyFileSync(log, kept)
  const where = state.badHeader
    ? 'at its beginning'
    : `after ${state.goodFrames} pages, with ${state.lostFrames} more`
  return `The write-ahead log is damaged ${where}; it is kept as ${kept}.`
}

interface OpenFile {
  database: LibsqlDatabase
  lock: LibsqlDatabase
  /** Description of the log's damage. */
  damage: string | null
  isNew: boolean
}

function openFile(folder: string): OpenFile {
  try {
    makeFolder(resolve(folder))
    const lock = lockFolder(folder)
    const file = databaseFile(folder)
    const isNew = !existsSync(file)
    const damage = keepDamagedLog(folder)
    makePrivate(file)
    return { lock, damage, isNew, database: openLibsql(file) }
  } catch (error) {
    throw error instanceof UsageError ? error : unusable(folder, error)
  }
}

const inWords = ({ number, at }: Commit) => `commit ${number} of ${at}`

const missing = (folder: string, held: Commit | null, seen: Commit, damage: string | null) =>
  new UsageError(
    'commits_missing',
    `The database in ${folder} ${held ? `ends with ${inWords(held)}` : 'holds no commit'}, but ${inWords(seen)} was on disk: what was written since is missing.${damage ? ` ${damage}` : ''} Restore a backup (restante restore --from <backup> --data <new folder>), or continue without it: restante admin accept-loss --data ${folder}`,
    { details: { held, seen } },
  )

const isDamage = (error: unknown) =>
  /^SQLITE_(CORRUPT|NOTADB)/.test(String((error as { code?: string }).code))

const damaged = (folder: string, error: unknown) =>
  new UsageError(
    'database_damaged',
    `The database ${databaseFile(folder)} is damaged: ${(error as Error).message}. Restore a backup (restante restore --from <backup> --data <new folder>); without one, sqlite3 ${databaseFile(folder)} .recover saves what can still be read.`,
    { cause: error },
  )

/**
 * Compares the database with its witness: a database that lost its last commits is consistent by itself.
 *
 * @returns A warning if there is no witness.
 * @throws UsageError `commits_missing`
 */
async function compare(
  folder: string,
  { damage, isNew }: OpenFile,
  held: Commit | null,
): Promise<string | null> {
  const seen = readWitness(folder)
  if (seen && seen.number > (held?.number ?? 0)) throw missing(folder, held, seen, damage)
  if (seen || isNew) return null
  return `Nobody wrote down the last commit of the database in ${folder}, as in a copy: whether its end is missing cannot be told.${damage ? ` ${damage}` : ''}`
}

/** Empties the write-ahead log. Everything waits for this, so it waits only briefly for readers. */
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

const settings = [
  'journal_mode = wal',
  'wal_autocheckpoint = 8000',
  'synchronous = normal',
  'temp_store = memory',
  'secure_delete = on',
  'cache_size = -16000',
]

/** Options of {@link openSqlite}. */
interface SqliteOptions {
  /** Accepts a database that lost its last commits. */
  acceptLoss?: boolean
}

/** Helpers of a database in a folder. */
interface Guarded {
  sync: WalSync
  checkpointer: Checkpointer
  witness: Witness
}

async function prepare(
  folder: string | undefined,
  file: OpenFile | undefined,
  db: Kysely<Database>,
  { acceptLoss = false }: SqliteOptions,
): Promise<{ warnings: string[]; guarded: Guarded | undefined }> {
  if (folder === undefined || !file) {
    await migrate(db, 'sqlite')
    return { warnings: [], guarded: undefined }
  }
  const held = await readLastCommit(db)
  const doubt = acceptLoss ? null : await compare(folder, file, held)
  await migrate(db, 'sqlite')
  const guarded = {
    sync: createWalSync(databaseFile(folder)),
    checkpointer: createCheckpointer(databaseFile(folder)),
    witness: openWitness(folder, held),
  }
  return { guarded, warnings: [doubt, describeOpenFolder(folder)].filter((one) => one !== null) }
}

/**
 * Opens SQLite in a folder, or in memory without one. Writes resolve once they are on disk.
 *
 * @throws UsageError `data_folder_in_use`, `data_folder_unusable`, `database_too_new`, `database_too_old`,
 * `database_damaged`, `commits_missing`
 */
export async function openSqlite(folder?: string, options: SqliteOptions = {}): Promise<Store> {
  const file = folder === undefined ? undefined : openFile(folder)
  const { database, lock } = file ?? { database: openLibsql(':memory:'), lock: undefined }
  let guarded: Guarded | undefined
  const db = connectLibsql(database, () => guarded?.sync.wrote())
  let warnings: string[]
  try {
    for (const setting of settings) database.exec(`pragma ${setting}`)
    const prepared = await prepare(folder, file, db, options)
    guarded = prepared.guarded
    warnings = prepared.warnings
  } catch (error) {
    await db.destroy()
    lock?.close()
    throw folder !== undefined && isDamage(error) ? damaged(folder, error) : error
  }
  const settled = async () => guarded?.sync.settled()
  const { write, drained } = createGroupCommit(db, {
    settled,
    number: numberCommit,
    onCommit(commit) {
      guarded?.checkpointer.committed()
      guarded?.witness.saw(commit)
    },
  })
  return {
    dialect: 'sqlite',
    db,
    warnings,
    write,
    settled,
    scrub: () => emptyLog(db, database),
    async close() {
      await drained()
      await guarded?.checkpointer.close()
      try {
        await settled()
      } finally {
        guarded?.sync.close()
        await guarded?.witness.close()
        await db.destroy()
        lock?.close()
      }
    },
  }
}

/**
 * Accepts a database that lost its last commits, so that the service starts on it again.
 *
 * @throws as {@link openSqlite}, except `commits_missing`
 */
export async function acceptLoss(folder: string): Promise<{ held: Commit | null; seen: Commit | null }> {
  requireDatabase(folder)
  const seen = readWitness(folder)
  const store = await openSqlite(folder, { acceptLoss: true })
  return { seen, held: await readLastCommit(store.db).finally(() => store.close()) }
}
