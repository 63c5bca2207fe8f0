import {
  type CompiledQuery as Compiled,
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  PostgresDialect,
  type PostgresDialectConfig,
  PostgresDriver,
  type PostgresPoolClient,
  sql,
  type Transaction,
} from 'kysely'
import type { ClientBase, Pool, PoolClient } from 'pg'
import type { Database } from '../tables'

const int8 = 20

/** Bounds of connections and transactions. */
export interface Bounds {
  /** The most connections of one pool. */
  maxConnections: number
  /** The longest time to wait for a connection: for one to be made, or for one of the pool. */
  connectMs: number
  /** The longest time that a statement waits for its answer, but for those after {@link letRunLong}. */
  queryMs: number
  /** The idle time after which TCP probes a connection; ten probes without an answer, one a second, end it. */
  keepAliveMs: number
  /** The longest pause of a process within a transaction: PostgreSQL then ends it, and its locks are free. */
  idleInTransactionMs: number
  /** The longest time that a statement waits for a lock. */
  lockMs: number
}

/**
 * A connection that is lost without a word is given up after 28 s at the latest: probes find one that is idle after 13 s,
 * and a statement that was sent on it a moment before then waits for 15 s.
 */
export const defaultBounds: Bounds = {
  maxConnections: 10,
  connectMs: 10_000,
  queryMs: 15_000,
  keepAliveMs: 3_000,
  idleInTransactionMs: 10_000,
  // Longer than it takes PostgreSQL to find a deadlock (1 s), so that one of its transactions is given up, not both.
  lockMs: 2_000,
}

/** The code of a connection that PostgreSQL ended since it was idle: what came on it later was not done. */
const endedIdle = '57P05'

const runLong = 'set local statement_timeout = 0'

/** Lets the statements of a transaction take as long as they need, as where they read or change a whole table. */
export const letRunLong = async (tx: Transaction<Database>): Promise<void> =>
  void (await sql.raw(runLong).execute(tx))

/** Ends a connection that nobody may be at any more: to say goodbye could take a quarter of an hour. */
export const cutOff = (client: ClientBase): void =>
  (client as unknown as { connection?: { stream: { destroy(): void } } }).connection?.stream.destroy()

/** Lends a connection of a pool. Where PostgreSQL ended it and that was not known yet, another takes its place. */
async function lend(pool: Pool, queryMs: number): Promise<PostgresPoolClient> {
  let client: PoolClient | null = await pool.connect()
  let maxMs = queryMs
  async function ask(asked: PoolClient, text: string, parameters: unknown[]) {
    if (text === runLong) maxMs = 0
    const timer = maxMs > 0 ? setTimeout(() => cutOff(asked), maxMs) : undefined
    try {
      return await asked.query(text, parameters)
    } finally {
      clearTimeout(timer)
    }
  }
  async function query(text: string, parameters: unknown[]) {
    for (;;) {
      client ??= await pool.connect()
      try {
        return await ask(client, text, parameters)
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

/** Bounds each transaction where it begins, in the same message: a pooler keeps nothing that was set for a session. */
class BoundedDriver extends PostgresDriver {
  readonly #begin: Compiled
  constructor(config: PostgresDialectConfig, { idleInTransactionMs, lockMs }: Bounds) {
    super(config)
    this.#begin = CompiledQuery.raw(
      `begin; set local idle_in_transaction_session_timeout = ${idleInTransactionMs}; set local lock_timeout = ${lockMs}`,
    )
  }
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(this.#begin)
  }
}

class BoundedDialect extends PostgresDialect {
  readonly #driver: () => Driver
  constructor(config: PostgresDialectConfig, bounds: Bounds) {
    super(config)
    this.#driver = () => new BoundedDriver(config, bounds)
  }
  override createDriver(): Driver {
    return this.#driver()
  }
}

const endMs = 500

/** Says goodbye on the connections of a pool, and cuts those off that take longer. */
async function endPool(pool: Pool, clients: ReadonlySet<PoolClient>): Promise<void> {
  const timer = setTimeout(() => {
    for (const client of clients) cutOff(client)
  }, endMs)
  await pool.end()
  clearTimeout(timer)
}

/** Makes the dialect of a database at a URL, with a pool of its own. */
export async function connectDialect(url: string, bounds: Bounds): Promise<PostgresDialect> {
  const { default: pg } = await import('pg')
  const getTypeParser = (id: number, format?: 'text' | 'binary') =>
    id === int8 ? Number : (pg.types.getTypeParser(id, format as 'text') as (value: string) => unknown)
  const pool = new pg.Pool({
    connectionString: url,
    max: bounds.maxConnections,
    connectionTimeoutMillis: bounds.connectMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: bounds.keepAliveMs,
    types: { getTypeParser: getTypeParser as typeof pg.types.getTypeParser },
  })
  const clients = new Set<PoolClient>()
  pool.on('error', () => {}) // an idle connection that broke is replaced with the next use
  pool.on('connect', (client) => {
    clients.add(client)
    // One that breaks within a transaction, between two queries, would end the process; the next query says it.
    client.on('error', () => {})
  })
  pool.on('remove', (client) => void clients.delete(client))
  const lending = { connect: () => lend(pool, bounds.queryMs), end: () => endPool(pool, clients) }
  return new BoundedDialect({ pool: lending }, bounds)
}
