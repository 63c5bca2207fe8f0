import { sql } from 'kysely'
import type { Step } from './step'

/**
 * Lets nothing be erased that an account had labelled `trash` itself, before the service had a label of that name: it
 * meant what the account meant by it. The step that made it one of the service gave all of it a time; without one it
 * stays until it is put there anew.
 */
export const ownTrash: Step = () => ({
  async up(db) {
    await sql`update message_labels set assigned_at = null where label_id = 'trash' and assigned_at <=
      (select "timestamp" from kysely_migration where name = '0002-system-labels')`.execute(db)
  },
})
