import { sql } from 'kysely'
import { tables } from '../tables/schema'
import type { Step } from './create-tables'
import { createDeclared } from './create-tables'

/** Adds holds of threads. */
export const holds: Step = (dialect) => ({
  async up(db) {
    // Indexes that know holds replace them.
    for (const index of ['consumer_leases_by_time', 'consumer_leases_by_thread'])
      await sql`drop index if exists ${sql.id(index)}`.execute(db)
    await createDeclared(db, tables, '0003-holds', dialect)
  },
})
