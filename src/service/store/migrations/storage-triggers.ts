import type { Dialect } from '../tables/schema'

/**
 * Stored bytes of a row, by table. Only the first 256 KiB of a message that was too large are kept
 * (`maxKeptBytes`), while `size` is that of the whole message. A sent draft keeps no files.
 */
const bytesOf: Record<string, (row: string) => string> = {
  messages: (row) =>
    `case when ${row}.raw is not null then length(${row}.raw) when ${row}.size > 262144 and ${row}.flaws like '%"too_large"%' then 262144 else ${row}.size end`,
  uploads: (row) => `${row}.size`,
  draft_files: (row) =>
    `case when ${row}.raw is null and ${row}.blob_hash is null then 0 else ${row}.size end`,
}

const add = (bytes: string, tenant: string) =>
  `update accounts set stored_bytes = stored_bytes + (${bytes}) where tenant_id = ${tenant}`

const sqliteTriggers = (table: string, bytes: (row: string) => string): string[] => [
  `create trigger ${table}_stored after insert on ${table} begin ${add(bytes('new'), 'new.tenant_id')}; end`,
  `create trigger ${table}_removed after delete on ${table} begin ${add(`-(${bytes('old')})`, 'old.tenant_id')}; end`,
  `create trigger ${table}_rewritten after update of raw, blob_hash, size on ${table} begin ${add(`(${bytes('new')}) - (${bytes('old')})`, 'new.tenant_id')}; end`,
]

/** One update for all rows of a statement: a batch of messages updates its account once. */
const postgresTriggers = (table: string, bytes: (row: string) => string): string[] => {
  const body = (sign: string) => `
    begin
      update accounts set stored_bytes = stored_bytes ${sign} changed.bytes
        from (select tenant_id, sum(${bytes('one')})::bigint as bytes from touched one group by tenant_id) changed
        where accounts.tenant_id = changed.tenant_id;
      return null;
    end`
  // A statement with a qualified table name may run with another search path: use the `accounts` of the same
  // schema.
  const define = (name: string, text: string) =>
    `create function ${name}() returns trigger language plpgsql set search_path from current as $$ ${text} $$`
  return [
    define(`count_${table}_stored`, body('+')),
    define(`count_${table}_removed`, body('-')),
    define(
      `count_${table}_rewritten`,
      `begin ${add(`(${bytes('new')}) - (${bytes('old')})`, 'new.tenant_id')}; return null; end`,
    ),
    `create trigger ${table}_stored after insert on ${table} referencing new table as touched
      for each statement execute function count_${table}_stored()`,
    `create trigger ${table}_removed after delete on ${table} referencing old table as touched
      for each statement execute function count_${table}_removed()`,
    `create trigger ${table}_rewritten after update of raw, blob_hash, size on ${table}
      for each row execute function count_${table}_rewritten()`,
  ]
}

/** Returns the statements that create the triggers which count the bytes that each account stores. */
export function storageTriggers(dialect: Dialect): string[] {
  const triggersOf = dialect === 'sqlite' ? sqliteTriggers : postgresTriggers
  return Object.entries(bytesOf).flatMap(([table, bytes]) => triggersOf(table, bytes))
}
