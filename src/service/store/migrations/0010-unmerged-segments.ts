import { sql } from 'kysely'
import type { Step } from './step'
import { addColumns, count } from './tables'

/** The index of an account counts the segments added since the last check for merges. */
export const unmergedSegments: Step = (dialect) => ({
  async up(db) {
    await addColumns(db, 'search_cursors', { unmerged: count }, dialect)
    // Large enough that every index is checked once.
    await sql`update search_cursors set unmerged = 8`.execute(db)
  },
})
