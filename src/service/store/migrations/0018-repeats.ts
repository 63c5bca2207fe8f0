import { sql } from 'kysely'
import type { Step } from './step'
import { addColumns, count, textOrNull } from './tables'

/**
 * Consumers may begin with unanswered messages; existing ones keep their position. API keys may expire. The
 * log of an account has an epoch, which a restore begins; null is the first one.
 *
 * A large installation may have created the index that finds answers before, with
 * `create index concurrently`, which cannot run in the transaction of a step.
 */
export const repeats: Step = (dialect) => ({
  async up(db) {
    await addColumns(db, 'consumers', { unanswered_until: count }, dialect)
    await addColumns(db, 'api_keys', { expires_at: textOrNull }, dialect)
    await addColumns(db, 'accounts', { log_epoch: textOrNull, log_epoch_from: count }, dialect)
    await sql`create index api_keys_expiring on api_keys (expires_at) where expires_at is not null`.execute(
      db,
    )
    await sql`create index if not exists messages_outbound_by_thread
      on messages (tenant_id, thread_id, created_seq) where direction = 'outbound'`.execute(db)
  },
})
