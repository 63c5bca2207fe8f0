import { setTimeout as pause } from 'node:timers/promises'
import { type Kysely, Migrator, sql } from 'kysely'
import { UsageError } from '../../protocol/errors'
import { allSteps, migrationsOf, type Steps } from './migrations'
import type { Database, Dialect } from './tables'

/** The schema to name to Kysely, which else looks for its own tables in every schema. */
async function currentSchema(db: Kysely<Database>): Promise<string> {
  const { rows } = await sql<{ name: string }>`select current_schema() as name`.execute(db)
  return rows[0]!.name
}

/**
 * Tells whether a failure passes: Kysely looks at every schema of the database, and fails where one is dropped
 * meanwhile.
 */
const isPassing = (error: unknown) =>
  ['3F000', '42P01', '42703', 'XX000'].includes((error as { code?: string }).code ?? '')
/** Tells whether nodes that are at work had the tables: each step waits for them, and they for it. */
const isBusy = (error: unknown) => ['40P01', '55P03'].includes((error as { code?: string }).code ?? '')
const maxAttempts = 10
const maxBusyAttempts = 60

const tooNew = (step: string, cause: unknown) =>
  new UsageError(
    'database_too_new',
    `A newer version of Restante has changed this database (${step}): start that version, or restore a backup.`,
    { cause },
  )

/** Says whether nothing is to be done: Kysely reads every column of every schema before it looks. */
async function isDone(db: Kysely<Database>, steps: Steps, schema: string): Promise<boolean> {
  const table = sql.id(schema, 'kysely_migration')
  const done = await sql<{ name: string }>`select name from ${table}`.execute(db).then(
    ({ rows }) => new Set(rows.map(({ name }) => name)),
    () => new Set(), // there are no tables
  )
  const names = Object.keys(steps)
  return done.size === names.length && names.every((name) => done.has(name))
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
  const schema = dialect === 'postgres' ? await currentSchema(db) : 'main'
  if (await isDone(db, steps, schema)) return
  const where = dialect === 'postgres' ? { migrationTableSchema: schema } : {}
  // Steps that were written side by side may land in another order than that of their names.
  const options = { allowUnorderedMigrations: true, ...where }
  const migrator = new Migrator({ db, provider: migrationsOf(steps, dialect), ...options })
  for (let attempt = 1; ; attempt++) {
    const { error } = await migrator.migrateToLatest()
    if (!error) return
    const [, step] = /previously executed migration (\S+) is missing/.exec(String(error)) ?? []
    if (step !== undefined) throw tooNew(step, error)
    if (!isBusy(error) && !isPassing(error)) throw error
    if (attempt >= (isBusy(error) ? maxBusyAttempts : maxAttempts)) throw error
    if (isBusy(error)) await pause(100 + Math.random() * 900)
  }
}
