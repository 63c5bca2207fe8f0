import { sql } from 'kysely'
import { type Dialect, tables } from '../tables/schema'
import { createDeclared, firstMigration, type Step } from './create-tables'
import { storageTriggers } from './storage-triggers'

/** Statements after the tables that only one of the databases needs. */
const statements: Record<Dialect, readonly string[]> = {
  sqlite: [
    // Commits are numbered, to be compared with the witness outside the database.
    'create table last_commit (id integer primary key, number integer not null, at text not null)',
  ],
  // The log is partitioned by time. Each partition has its own key and indexes.
  postgres: [
    'alter table events rename to events_first',
    'create table events (like events_first) partition by range (created_at)',
    'alter table events attach partition events_first for values from (minvalue) to (maxvalue)',
    // A `ctid` identifies a row only within its partition.
    `create function refuse_events_of_several_accounts() returns trigger language plpgsql as $$
    begin
      if (select min(tenant_id) <> max(tenant_id) from gone) then
        raise exception 'one statement would delete events of several accounts';
      end if;
      return null;
    end $$`,
    `create trigger events_of_one_account after delete on events referencing old table as gone
    for each statement execute function refuse_events_of_several_accounts()`,
  ],
}

/** Creates the tables of the first release. */
export const firstTables: Step = (dialect) => ({
  async up(db) {
    await createDeclared(db, tables, firstMigration, dialect)
    for (const statement of [...statements[dialect], ...storageTriggers(dialect)])
      await sql.raw(statement).execute(db)
  },
})
