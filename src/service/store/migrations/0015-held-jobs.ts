import { sql } from 'kysely'
import { addColumns, textOrNull } from '../tables'
import type { Step } from './step'

const statements = [
  "update jobs set held = 'restored', queue = substr(queue, 6) where queue like 'held:%'",
  "update jobs set held = 'account' where held is null and run_at = '9999-12-31T23:59:59.999Z'",
  "update jobs set run_at = created_at where run_at = '9999-12-31T23:59:59.999Z'",
  'drop index jobs_due',
  'create index jobs_due on jobs (queue, run_at) where held is null',
]

/** A job that waits for somebody's word says so, in place of a time that never comes. */
export const heldJobs: Step = (dialect) => ({
  async up(db) {
    await addColumns(db, 'jobs', { held: textOrNull }, dialect)
    for (const statement of statements) await sql.raw(statement).execute(db)
  },
})
