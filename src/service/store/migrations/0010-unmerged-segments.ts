import { sql } from 'kysely'
import type { Step } from './step'
import { addColumns, count } from './tables'

/** The index of an account counts the segments that nobody has looked through yet for what to merge. */
export const unmergedSegments: Step = (dialect) => ({
  async up(db) {
    await addColumns(db, 'search_cursors', { unmerged: count }, dialect)
    // So many that every index is looked through once.
    await sql`update search_cursors set unmerged = 8`.execute(db)
  },
})
