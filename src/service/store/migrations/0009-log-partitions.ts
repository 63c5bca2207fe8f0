import { sql } from 'kysely'
import type { Step } from './step'
import { addColumns, count, textOrNull } from './tables'

const statements = [
  'alter table events rename to events_first',
  'create table events (like events_first) partition by range (created_at)',
  // An unbounded range needs no scan of the rows. Each partition has its own key and indexes.
  'alter table events attach partition events_first for values from (minvalue) to (maxvalue)',
  // Nodes of the version before erase an account by the `ctid` of its rows, which other rows have in the next
  // partition.
  `create function refuse_events_of_several_accounts() returns trigger language plpgsql as $$
    begin
      if (select min(tenant_id) <> max(tenant_id) from gone) then
        raise exception 'one statement would delete events of several accounts';
      end if;
      return null;
    end $$`,
  `create trigger events_of_one_account after delete on events referencing old table as gone
    for each statement execute function refuse_events_of_several_accounts()`,
]

/** Partitions the log by time, on PostgreSQL: the present table becomes the first partition unchanged. */
export const logPartitions: Step = (dialect) => ({
  async up(db) {
    if (dialect === 'sqlite') return
    const known = { log_partition: textOrNull, log_partition_after: count, log_partition_to: count }
    await addColumns(db, 'accounts', known, dialect)
    for (const statement of statements) await sql.raw(statement).execute(db)
  },
})
