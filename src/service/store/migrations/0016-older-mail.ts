import { sql } from 'kysely'
import { olderPrefix } from '../tables/connection-tables'
import type { Step } from './create-tables'

/**
 * Marks the messages that are older than the connection of their inbox. Versions before this step compared
 * both times whenever they needed the answer.
 */
export const olderMail: Step = () => ({
  async up(db) {
    await sql`insert into connected_mails (tenant_id, inbox_id, key, message_id)
      select distinct messages.tenant_id, messages.inbox_id, ${sql.lit(olderPrefix)} || messages.id, messages.id
      from messages
      join connections on connections.tenant_id = messages.tenant_id
        and connections.inbox_id = messages.inbox_id
      where messages.direction = 'inbound' and messages.sent_at < connections.created_at
      on conflict do nothing`.execute(db)
  },
})
