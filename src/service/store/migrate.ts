import { type Kysely, Migrator, sql } from 'kysely'
import { UsageError } from '../../protocol/error'
import { migrationsFor } from './migrations'
import type { Database } from './schema'
import type { Dialect } from './store'

/** Kysely looks for its own tables in every schema unless it is told which. */
async function currentSchema(db: Kysely<Database>): Promise<string> {
  const { rows } = await sql<{ name: string }>`select current_schema() as name`.execute(db)
  return rows[0]!.name
}

/** Kysely looks at every schema of the database; one that is dropped or changed meanwhile makes it fail. */
const isPassing = (error: unknown) =>
  ['3F000', '42P01', '42703', 'XX000'].includes((error as { code?: string }).code ?? '')
const mostAttempts = 10

const tooNew = (step: string, cause: unknown) =>
  new UsageError(
    'database_too_new',
    `A newer version of Restante has changed this database (${step}): start that version, or restore a backup.`,
    { cause },
  )

/**
 * Brings the database to today's tables; safe when several nodes start at once.
 *
 * @throws UsageError `database_too_new`
 */
export async function migrate(db: Kysely<Database>, dialect: Dialect): Promise<void> {
  const where = dialect === 'postgres' ? { migrationTableSchema: await currentSchema(db) } : {}
  // Steps that were written side by side may land in another order than that of their names.
  const options = { allowUnorderedMigrations: true, ...where }
  const migrator = new Migrator({ db, provider: migrationsFor(dialect), ...options })
  for (let attempt = 1; ; attempt++) {
    const { error } = await migrator.migrateToLatest()
    if (!error) return
    const [, step] = /previously executed migration (\S+) is missing/.exec(String(error)) ?? []
    if (step !== undefined) throw tooNew(step, error)
    if (!isPassing(error) || attempt === mostAttempts) throw error
  }
}
