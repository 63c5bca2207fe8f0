import type { Kysely, Transaction } from 'kysely'
import type { Clock } from '../../ports'
import type { Database } from '../tables/schema'

/** The database as blobs need it. */
export interface BlobRows {
  readonly db: Kysely<Database>
  /** Clock of its times; the machine's by default. */
  readonly clock?: Clock
  write<T>(work: (tx: Transaction<Database>) => Promise<T>): Promise<T>
}
