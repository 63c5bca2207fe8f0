import { sql } from 'kysely'
import type { Step } from './step'

/**
 * Keeps messages that an account itself had labelled `trash` before the service had this label: the account
 * gave it its own meaning. Step 0002 gave them all a time; without one, they stay until moved to the trash
 * again.
 */
export const ownTrash: Step = () => ({
  async up(db) {
    await sql`update message_labels set assigned_at = null where label_id = 'trash' and assigned_at <=
      (select "timestamp" from kysely_migration where name = '0002-system-labels')`.execute(db)
  },
})
