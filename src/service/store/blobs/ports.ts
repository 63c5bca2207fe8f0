import type { Kysely, Transaction } from 'kysely'
import type { Clock } from '../../ports'
import type { Database } from '../tables'

/** The database, as far as blobs need it. */
export interface BlobRows {
  readonly db: Kysely<Database>
  /** The clock that its times are of; without one that of the machine. */
  readonly clock?: Clock
  write<T>(work: (tx: Transaction<Database>) => Promise<T>): Promise<T>
}
