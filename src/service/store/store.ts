import type { Kysely, Transaction } from 'kysely'
import type { DatabaseClock } from './postgres'
import type { Database, Dialect } from './tables'

/**
 * Runs work in a transaction and resolves once it is committed to disk. The work waits for nothing but the
 * database and may be run again, so it changes nothing but the database.
 *
 * @param queue Names the lock that the work needs first. Work of one queue waits in memory, so that it holds two
 *   connections at most; without a queue, work that waits for a lock for 2 s fails.
 */
export type Write = <T>(work: (tx: Transaction<Database>) => Promise<T>, queue?: string) => Promise<T>

/** The database behind the service; both dialects behave alike. */
export interface Store {
  readonly dialect: Dialect
  /** The connection for reading. */
  readonly db: Kysely<Database>
  /** Runs everything that changes something. */
  readonly write: Write
  /**
   * Resolves once what was committed until now is on disk. What is read may be newer than that: who is told of it
   * outside is told afterwards, since the next power failure may undo it.
   */
  settled(): Promise<void>
  /**
   * Clears the files of the database of what was deleted, as far as the dialect can. False where a process that reads
   * them from outside is in the way.
   */
  scrub(): Promise<boolean>
  /**
   * The clock of the database, which is the same for all nodes: each lease and due time goes by it. Undefined if the
   * database has one process, whose clock counts.
   */
  readonly clock?: DatabaseClock
  /** Facts that its host should know, each in a sentence. */
  readonly warnings?: readonly string[]
  close(): Promise<void>
}

/**
 * Runs work in a transaction. Where it fails, its own failure is thrown, not one of the rollback, which tells nothing
 * of the reason.
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
