import { sql } from 'kysely'
import { createTables, text } from '../tables'
import type { Step } from './step'

/** What a message is and who says so, and threads that turned out to be one. */
export const machines: Step = (dialect) => ({
  async up(db) {
    for (const column of ['auto_reason', 'authentication', 'report', 'about_message_id'])
      await sql`alter table messages add column ${sql.raw(column)} text`.execute(db)
    await sql`alter table messages add column new_participant bigint not null default 0`.execute(db)
    await createTables(
      db,
      {
        thread_aliases: {
          columns: { tenant_id: text, id: text, thread_id: text },
          key: ['tenant_id', 'id'],
          indexes: { thread_aliases_by_thread: 'tenant_id, thread_id' },
        },
      },
      dialect,
    )
  },
})
