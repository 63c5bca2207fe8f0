import { setTimeout as pause } from 'node:timers/promises'
import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely'
import { UsageError } from '../../protocol/errors/error'
import type { Steps } from './migrations/create-tables'
import { allSteps, migrationsOf } from './migrations/migrations'
import { letRunLong } from './postgres/connections'
import { inTransaction } from './store'
import type { Database, Dialect } from './tables/schema'

/**
 * Returns the name of the table of steps, in the schema of new tables: other schemas of the search path may
 * have their own.
 */
async function stepsTable(db: Kysely<Database>, dialect: Dialect): Promise<RawBuilder<unknown>> {
  if (dialect === 'sqlite') return sql.id('main', 'kysely_migration')
  const { rows } = await sql<{ name: string }>`select current_schema() as name`.execute(db)
  return sql.id(rows[0]!.name, 'kysely_migration')
}

/** Checks whether a step failed because running nodes use the tables. */
const isBusy = (error: unknown) => ['40P01', '55P03'].includes((error as { code?: string }).code ?? '')
const maxAttempts = 60

const tooNew = (step: string) =>
  new UsageError(
    'database_too_new',
    `A newer version of Restante has changed this database (${step}): start that version, or restore a backup.`,
  )

/** Last commit with the migrations of before the first release; `0001-first-release` was the first of them. */
const lastOldCommit = 'fd18291'
const tooOld = () =>
  new UsageError(
    'database_too_old',
    `A clone from before the first release made this database, and commit ${lastOldCommit} is the last that opens it: start that commit, or start this version with a new data folder or database.`,
  )

async function stepsDone(db: Kysely<Database>, table: RawBuilder<unknown>): Promise<Set<string>> {
  const { rows } = await sql<{ name: string }>`select name from ${table}`.execute(db)
  return new Set(rows.map(({ name }) => name))
}

/** Checks without a lock whether all steps are done. */
async function isDone(db: Kysely<Database>, table: RawBuilder<unknown>, steps: Steps): Promise<boolean> {
  const done = await stepsDone(db, table).catch(() => new Set()) // there are no tables
  const names = Object.keys(steps)
  return done.size === names.length && names.every((name) => done.has(name))
}

/**
 * Runs the missing steps. The lock is one of the transaction: behind a pooler, a session lock may be taken
 * and released on different connections. Its number is that of Kysely's migrator.
 */
async function goThrough(
  tx: Transaction<Database>,
  table: RawBuilder<unknown>,
  dialect: Dialect,
  steps: Steps,
) {
  if (dialect === 'postgres') {
    await letRunLong(tx)
    // The steps of another node may take minutes.
    await sql`set local lock_timeout = '10min'`.execute(tx)
    await sql`select pg_advisory_xact_lock(3853314791062309107)`.execute(tx)
  }
  await sql`create table if not exists ${table}
    (name varchar(255) not null primary key, "timestamp" varchar(255) not null)`.execute(tx)
  const done = await stepsDone(tx, table)
  if (done.has('0001-first-release')) throw tooOld()
  for (const name of done) if (!(name in steps)) throw tooNew(name)
  for (const [name, { up }] of migrationsOf(steps, dialect)) {
    // Steps developed in parallel may land in another order than that of their names.
    if (done.has(name)) continue
    await up(tx)
    await sql`insert into ${table} values (${name}, ${new Date().toISOString()})`.execute(tx)
  }
}

/**
 * Migrates the database to the tables of the steps, today's by default; safe when several nodes start at
 * once.
 *
 * @throws UsageError `database_too_new`, `database_too_old`
 */
export async function migrate(
  db: Kysely<Database>,
  dialect: Dialect,
  steps: Steps = allSteps,
): Promise<void> {
  const table = await stepsTable(db, dialect)
  if (await isDone(db, table, steps)) return
  for (let attempt = 1; ; attempt++) {
    try {
      return await inTransaction(db, (tx) => goThrough(tx, table, dialect, steps))
    } catch (error) {
      if (!isBusy(error) || attempt === maxAttempts) throw error
    }
    await pause(100 + Math.random() * 900)
  }
}
