import type { Kysely, Transaction } from 'kysely'
import type { Database } from './schema'
import type { SearchIndex } from './search-index'

export type Dialect = 'sqlite' | 'postgres'

/**
 * Runs work in a transaction and resolves once it is committed to disk. The work waits for nothing but the
 * database and may be run again, so it changes nothing but the database.
 */
export type Write = <T>(work: (tx: Transaction<Database>) => Promise<T>) => Promise<T>

/** The database behind the service; both dialects behave alike. */
export interface Store {
  readonly dialect: Dialect
  /** For reading. */
  readonly db: Kysely<Database>
  /** For everything that changes something. */
  readonly write: Write
  /**
   * Resolves once what was committed until now is on disk. What is read may be newer than that: who is told of it
   * outside is told afterwards, since the next power failure may undo it.
   */
  settled(): Promise<void>
  readonly search: SearchIndex
  /**
   * Sees to it that what was deleted is not left in files of the database, as far as the dialect can. False where
   * somebody who reads them from outside is in the way.
   */
  scrub(): Promise<boolean>
  close(): Promise<void>
}
