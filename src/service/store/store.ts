import type { Kysely, Transaction } from 'kysely'
import type { DatabaseClock } from './postgres/clock'
import type { Database, Dialect } from './tables/schema'

/**
 * Runs work in a transaction and resolves once it is committed to disk. The work waits only for the database.
 * It may be run again, so it changes nothing else.
 *
 * @param queue Names the lock that the work needs first. Work of one queue waits in memory, so that it holds
 * two connections at most; without a queue, work that waits for a lock for 2 s fails.
 */
export type Write = <T>(work: (tx: Transaction<Database>) => Promise<T>, queue?: string) => Promise<T>

/** The database behind the service; both dialects behave alike. */
export interface Store {
  readonly dialect: Dialect
  /** Connection for reading. */
  readonly db: Kysely<Database>
  /** Runs every write. */
  readonly write: Write
  /**
   * Resolves once earlier commits are on disk. Reads may return newer data: await this before reporting it to
   * clients, since a power failure may undo it.
   */
  settled(): Promise<void>
  /**
   * Clears deleted data from the database files, as far as the dialect can. Returns false if another process
   * that reads them prevents it.
   */
  scrub(): Promise<boolean>
  /**
   * Clock of the database, shared by all nodes: leases and due times use it. Undefined if the database has
   * one process, whose clock counts.
   */
  readonly clock?: DatabaseClock
  /** Facts that the administrator should know, each in a sentence. */
  readonly warnings?: readonly string[]
  close(): Promise<void>
}

/**
 * Runs work in a transaction. If it fails, it throws the work's error, not that of the rollback, which does
 * not show the cause.
 */
export async function inTransaction<T>(
  db: Kysely<Database>,
  work: (tx: Transaction<Database>) => Promise<T>,
): Promise<T> {
  let first: { error: unknown } | undefined
  try {
    return await db.transaction().execute((tx) =>
      work(tx).catch((error) => {
        first = { error }
        throw error
      }),
    )
  } catch (error) {
    throw first ? first.error : error
  }
}
