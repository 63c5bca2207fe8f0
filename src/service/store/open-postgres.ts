import { Kysely, PostgresDialect, type PostgresPoolClient, sql } from 'kysely'
import type { Pool, PoolClient } from 'pg'
import { UsageError } from '../../protocol/errors'
import { isConflict } from '../base'
import { migrate } from './migrate'
import { inTransaction, type Store, type Write } from './store'
import type { Database } from './tables'

const int8 = 20
const maxAttempts = 10

/** Runs each piece of work in a transaction, and again where the database gave it up for the sake of another. */
function createWrite(db: Kysely<Database>): Write {
  return async (work) => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await inTransaction(db, work)
      } catch (error) {
        if (!isConflict(error) || attempt === maxAttempts) throw error
      }
    }
  }
}

/** The URL without its password, which must not reach a log or a terminal. */
const shown = (url: string) => url.replace(/\/\/[^@/]*@/, '//')

/** The code of a connection that PostgreSQL ended since it was idle: what came on it later was not done. */
const endedIdle = '57P05'

/** Lends a connection of a pool. Where PostgreSQL ended it and that was not known yet, another takes its place. */
async function lend(pool: Pool): Promise<PostgresPoolClient> {
  let client: PoolClient | null = await pool.connect()
  async function query(text: string, parameters: unknown[]) {
    for (;;) {
      client ??= await pool.connect()
      try {
        return await client.query(text, parameters)
      } catch (error) {
        if ((error as { code?: unknown }).code !== endedIdle) throw error
        client.release(true)
        client = null
      }
    }
  }
  // Cursors, which Kysely could ask for too, are not used.
  return { query: query as unknown as PostgresPoolClient['query'], release: () => client?.release() }
}

/** Connects to a database, whatever tables it has. */
export async function connectPostgres(url: string): Promise<Kysely<Database>> {
  const { default: pg } = await import('pg')
  const getTypeParser = (id: number, format?: 'text' | 'binary') =>
    id === int8 ? Number : (pg.types.getTypeParser(id, format as 'text') as (value: string) => unknown)
  const pool = new pg.Pool({
    connectionString: url,
    max: 20,
    // A connection that something between cut without a word is known as broken in minutes.
    keepAlive: true,
    types: { getTypeParser: getTypeParser as typeof pg.types.getTypeParser },
  })
  pool.on('error', () => {}) // an idle connection that broke is replaced with the next use
  // One that breaks within a transaction, between two queries, would end the process; the next query says it.
  pool.on('connect', (client) => client.on('error', () => {}))
  const lending = { connect: () => lend(pool), end: () => pool.end() }
  return new Kysely<Database>({ dialect: new PostgresDialect({ pool: lending }) })
}

/** Refuses a database on which no service has run yet. */
async function requireTables(db: Kysely<Database>, url: string): Promise<void> {
  const { rows } = await sql<{ table: unknown }>`select to_regclass('kysely_migration') as table`.execute(db)
  if (rows[0]?.table) return
  throw new UsageError(
    'no_database',
    `No service has run on the database ${shown(url)} yet: check --database-url, and the search_path of its user.`,
  )
}

/**
 * Opens PostgreSQL (14 or newer) by its connection URL.
 *
 * @param options.mustExist Refuses a database on which no service has run yet, in place of making its tables.
 * @throws UsageError `database_unreachable`, `no_database`
 */
export async function openPostgres(url: string, { mustExist = false } = {}): Promise<Store> {
  const db = await connectPostgres(url)
  try {
    if (mustExist) await requireTables(db, url)
    await migrate(db, 'postgres')
  } catch (error) {
    await db.destroy()
    if (error instanceof UsageError) throw error
    throw new UsageError(
      'database_unreachable',
      `Cannot use the database ${shown(url)}: ${(error as Error).message}. Check --database-url, and that PostgreSQL runs there.`,
      { cause: error },
    )
  }
  return {
    dialect: 'postgres',
    settled: async () => {}, // nobody sees a commit before it is on disk
    db,
    write: createWrite(db),
    scrub: async () => true,
    close: () => db.destroy(),
  }
}
