import { sql } from 'kysely'
import type { Step } from './step'

/** A draft that is sent finds the send that it came from. */
export const scheduledSends: Step = () => ({
  async up(db) {
    await sql`create index sends_by_draft on sends (tenant_id, draft_id) where draft_id is not null`.execute(
      db,
    )
  },
})
