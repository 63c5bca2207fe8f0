import { setTimeout as pause } from 'node:timers/promises'
import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely'
import { UsageError } from '../../protocol/errors'
import { allSteps, migrationsOf, type Steps } from './migrations'
import { letRunLong } from './postgres'
import { inTransaction } from './store'
import type { Database, Dialect } from './tables'

/** The name of the table of steps, in the schema that new tables go to: others of the search path may have their own. */
async function stepsTable(db: Kysely<Database>, dialect: Dialect): Promise<RawBuilder<unknown>> {
  if (dialect === 'sqlite') return sql.id('main', 'kysely_migration')
  const { rows } = await sql<{ name: string }>`select current_schema() as name`.execute(db)
  return sql.id(rows[0]!.name, 'kysely_migration')
}

/** Tells whether nodes that are at work had the tables: each step waits for them, and they for it. */
const isBusy = (error: unknown) => ['40P01', '55P03'].includes((error as { code?: string }).code ?? '')
const maxAttempts = 60

const tooNew = (step: string) =>
  new UsageError(
    'database_too_new',
    `A newer version of Restante has changed this database (${step}): start that version, or restore a backup.`,
  )

async function stepsDone(db: Kysely<Database>, table: RawBuilder<unknown>): Promise<Set<string>> {
  const { rows } = await sql<{ name: string }>`select name from ${table}`.execute(db)
  return new Set(rows.map(({ name }) => name))
}

/** Says whether nothing is to be done, without a lock. */
async function isDone(db: Kysely<Database>, table: RawBuilder<unknown>, steps: Steps): Promise<boolean> {
  const done = await stepsDone(db, table).catch(() => new Set()) // there are no tables
  const names = Object.keys(steps)
  return done.size === names.length && names.every((name) => done.has(name))
}

/**
 * Goes through the steps that are missing. The lock is one of the transaction: behind a pooler, one of the session may be
 * taken on a connection that another node uses next, and released on none. Its number is that of Kysely's migrator, which
 * earlier versions used: they and this one wait for each other.
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
  for (const name of done) if (!(name in steps)) throw tooNew(name)
  for (const [name, { up }] of migrationsOf(steps, dialect)) {
    // Steps that were written side by side may land in another order than that of their names.
    if (done.has(name)) continue
    await up(tx)
    await sql`insert into ${table} values (${name}, ${new Date().toISOString()})`.execute(tx)
  }
}

/**
 * Brings the database to the tables that the steps lead to, today's by default; safe when several nodes start at once.
 *
 * @throws UsageError `database_too_new`
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
