import { sql } from 'kysely'
import type { Step } from './step'

/** What keeping things for a time, and no longer, needs to find. */
export const retention: Step = () => ({
  async up(db) {
    await sql`alter table accounts add column erased_at text`.execute(db)
    await sql`create index accounts_by_expiry on accounts (unclaimed_expires_at) where unclaimed_expires_at is not null`.execute(
      db,
    )
  },
})
