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
import type { Database } from '../tables/schema'

const int8 = 20

/** Bounds of connections and transactions. */
export interface Bounds {
  /** Maximum number of connections of one pool. */
  maxConnections: number
  /** Maximum wait in ms for a connection, new or from the pool. */
  connectMs: number
  /** Maximum time in ms that a statement waits for its answer, except after {@link letRunLong}. */
  queryMs: number
  /** Idle time in ms after which TCP probes a connection; ten unanswered probes, one a second, end it. */
  keepAliveMs: number
  /** Maximum pause in ms of a process within a transaction: then PostgreSQL ends it, and frees its locks. */
  idleInTransactionMs: number
  /** Maximum time in ms that a statement waits for a lock. */
  lockMs: number
}

/**
 * Defaults, with which a silently lost connection is dropped after 28 s at the latest. Probes find an idle
 * one after 13 s, and a statement sent just before waits for 15 s.
 */
export const defaultBounds: Bounds = {
  maxConnections: 10,
  connectMs: 10_000,
  queryMs: 15_000,
  keepAliveMs: 3_000,
  idleInTransactionMs: 10_000,
  // Longer than PostgreSQL's deadlock check (1 s), so that one of the transactions is aborted, not both.
  lockMs: 2_000,
}

/** Code of a connection that PostgreSQL ended as idle: a later statement on it was not run. */
const endedIdle = '57P05'

const runLong = 'set local statement_timeout = 0'

/** Removes the time limit of a transaction's statements, such as those on a whole table. */
export const letRunLong = async (tx: Transaction<Database>): Promise<void> =>
  void (await sql.raw(runLong).execute(tx))

/** Destroys a connection that may be dead: a graceful end could take a quarter of an hour. */
export const cutOff = (client: ClientBase): void =>
  (client as unknown as { connection?: { stream: { destroy(): void } } }).connection?.stream.destroy()

/** Lends a connection of a pool. If PostgreSQL has ended it unnoticed, another replaces it. */
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
  // Cursors, which Kysely also supports, are not used.
  return { query: query as unknown as PostgresPoolClient['query'], release: () => client?.release() }
}

/**
 * Sets the bounds of each transaction with its `begin`, in one message: a pooler keeps no session settings.
 */
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

/** Ends the connections of a pool, and cuts off those that take longer. */
async function endPool(pool: Pool, clients: ReadonlySet<PoolClient>): Promise<void> {
  const timer = setTimeout(() => {
    for (const client of clients) cutOff(client)
  }, endMs)
  await pool.end()
  clearTimeout(timer)
}

/** Creates the dialect for a database URL, with its own pool. */
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
  pool.on('error', () => {}) // a broken idle connection is replaced on the next use
  pool.on('connect', (client) => {
    clients.add(client)
    // A break between two queries of a transaction would end the process; the next query reports it.
    client.on('error', () => {})
  })
  pool.on('remove', (client) => void clients.delete(client))
  const lending = { connect: () => lend(pool, bounds.queryMs), end: () => endPool(pool, clients) }
  return new BoundedDialect({ pool: lending }, bounds)
}
