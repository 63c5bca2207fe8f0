import { sql } from 'kysely'
import { addColumns, createTables, text, textOrNull } from '../tables'
import type { Step } from './step'

const domainOf = { sqlite: sql`json_extract(data, '$.domain')`, postgres: sql`data::json ->> 'domain'` }

/** Mail that leaves waits by where it goes, and what domains demand of those who send to them (RFC 8461) is kept. */
export const destinations: Step = (dialect) => ({
  async up(db) {
    await addColumns(db, 'jobs', { destination: ['text', "not null default ''"] }, dialect)
    await addColumns(db, 'recipients', { reason: textOrNull, kind: textOrNull }, dialect)
    await sql`update jobs set destination = ${domainOf[dialect]} where queue in ('delivery', 'held:delivery')`.execute(
      db,
    )
    await sql`create index jobs_by_destination on jobs (queue, destination, run_at)`.execute(db)
    await createTables(
      db,
      {
        transport_policies: {
          columns: { domain: text, policy_id: text, policy: text, fetched_at: text, expires_at: text },
          key: ['domain'],
        },
      },
      dialect,
    )
  },
})
