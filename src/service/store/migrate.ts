import { type Kysely, Migrator, sql } from 'kysely'
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

/** Brings the database to today's tables; safe when several nodes start at once. */
export async function migrate(db: Kysely<Database>, dialect: Dialect): Promise<void> {
  const where = dialect === 'postgres' ? { migrationTableSchema: await currentSchema(db) } : {}
  const migrator = new Migrator({ db, provider: migrationsFor(dialect), ...where })
  for (let attempt = 1; ; attempt++) {
    const { error } = await migrator.migrateToLatest()
    if (!error) return
    if (!isPassing(error) || attempt === mostAttempts) throw error
  }
}
