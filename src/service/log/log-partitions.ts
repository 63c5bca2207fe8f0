import { type Kysely, sql, type Transaction } from 'kysely'
import { dayMs, timeOf } from '../base/time'
import { letRunLong } from '../store/postgres/connections'
import type { Database } from '../store/tables/schema'
import type { LogPorts } from './ports'

/**
 * Ports of partitions. On PostgreSQL the log is one table partitioned by time, and old partitions are dropped
 * whole.
 */
type PartitionPorts = Pick<LogPorts, 'store' | 'clock'>
type Db = Kysely<Database>
type Tx = Transaction<Database>

interface Partition {
  name: string
  /** Inclusive lower bound of the event times; null if unbounded. */
  from: string | null
  /** Exclusive upper bound of the event times; null if unbounded. */
  to: string | null
  /** Check constraints, which it has while it is changed. */
  checks: string[]
}

/** Checks for the error of a table that was dropped meanwhile. */
export const isMissingTable = (error: unknown): boolean => (error as { code?: string }).code === '42P01'

/** Checks whether another node removed the check or the table that this node worked on. */
const wasTakenOver = (error: unknown): boolean =>
  isMissingTable(error) || (error as { code?: string }).code === '42704'

/** Returns the time span of a partition in ms, for a log that is kept for `keepMs`. */
const spanOf = (keepMs: number) => Math.max(1, Math.floor(keepMs / 4 / dayMs)) * dayMs

/**
 * Time in ms that an event may be kept beyond `keepMs`; after it, events in an undroppable partition are
 * deleted one by one.
 */
export const lateMs = (keepMs: number): number => spanOf(keepMs) + 2 * dayMs

const startOfDay = (ms: number) => Math.floor(ms / dayMs) * dayMs

async function readPartitions(db: Db): Promise<Partition[]> {
  const { rows } = await sql<{ name: string; bound: string; checks: string[] }>`
    select c.relname::text as name, pg_get_expr(c.relpartbound, c.oid) as bound,
      array(select conname::text from pg_constraint where conrelid = c.oid and contype = 'c') as checks
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'events'::regclass`.execute(db)
  const partitions = rows.map(({ name, bound, checks }) => {
    const [, from, to] = /FROM \((?:MINVALUE|'(.+?)')\) TO \((?:MAXVALUE|'(.+?)')\)/.exec(bound) ?? []
    return { name, from: from ?? null, to: to ?? null, checks }
  })
  return partitions.sort((a, b) => ((a.from ?? '') < (b.from ?? '') ? -1 : 1))
}

/**
 * Changes partitions in a transaction, one node at a time. Readers and writers queue behind it, so it gives
 * up before PostgreSQL looks for deadlocks. It runs again an hour later.
 */
const changePartitions = <T>(
  { store }: PartitionPorts,
  work: (tx: Tx, partitions: Partition[]) => Promise<T>,
) =>
  store.write(async (tx) => {
    await letRunLong(tx)
    await sql`set local lock_timeout = '800ms'`.execute(tx)
    await sql`select pg_advisory_xact_lock('events'::regclass::oid::bigint)`.execute(tx)
    return work(tx, await readPartitions(tx))
  })

const minimum = sql.raw('minvalue')
const maximum = sql.raw('maxvalue')

async function createPartition(tx: Tx, name: string, like: string): Promise<void> {
  await sql`create table ${sql.id(name)} (like ${sql.id(like)} including all excluding constraints)`.execute(
    tx,
  )
}

async function attach(tx: Tx, name: string, from: string | null, to: string | null): Promise<void> {
  const range = [from === null ? minimum : sql.lit(from), to === null ? maximum : sql.lit(to)] as const
  await sql`alter table events attach partition ${sql.id(name)}
    for values from (${range[0]}) to (${range[1]})`.execute(tx)
}

const detach = (tx: Tx, name: string) => sql`alter table events detach partition ${sql.id(name)}`.execute(tx)

const dropCheck = (tx: Tx, name: string, check: string) =>
  sql`alter table ${sql.id(name)} drop constraint if exists ${sql.id(check)}`.execute(tx)

/** Removes check constraints left by a node that died midway. */
async function dropChecks(tx: Tx, partitions: Partition[], prefix: string): Promise<void> {
  for (const { name, checks } of partitions)
    for (const check of checks) if (check.startsWith(prefix)) await dropCheck(tx, name, check)
}

const nameOf = (prefix: string, time: string) => `${prefix}_${time.slice(0, 10).replaceAll('-', '')}`

/** A partition, and the time at which it is to end. */
interface Split {
  partition: Partition
  at: string
  check: string
}

/** Finds the partition of tomorrow if it spans too long. */
function splitOf(partitions: Partition[], nowMs: number, spanMs: number): Split | null {
  const soonMs = nowMs + dayMs
  const soon = timeOf(soonMs)
  const partition = partitions.find(
    ({ from, to }) => (from === null || from <= soon) && (to === null || soon < to),
  )
  if (!partition) return null
  const { from, to } = partition
  if (to !== null && to <= timeOf(soonMs + 2 * spanMs)) return null
  const fullMs = from === null ? 0 : startOfDay(Date.parse(from)) + spanMs
  const at = timeOf(Math.max(fullMs, startOfDay(nowMs) + 2 * dayMs))
  return to === null || at < to ? { partition, at, check: nameOf('until', at) } : null
}

/**
 * Validates the rows of a partition without blocking. @returns The time of the first row beyond its new end;
 * null if none.
 */
async function findAhead({ store }: PartitionPorts, { partition, at, check }: Split): Promise<string | null> {
  try {
    await store.db.transaction().execute(async (tx) => {
      await letRunLong(tx)
      await sql`alter table ${sql.id(partition.name)} validate constraint ${sql.id(check)}`.execute(tx)
    })
    return null
  } catch (error) {
    if ((error as { code?: string }).code !== '23514') throw error
    return store.db.transaction().execute(async (tx) => {
      await letRunLong(tx)
      const { rows } = await sql<{ first: string | null }>`select min(created_at) as first
        from ${sql.id(partition.name)} where created_at >= ${at}`.execute(tx)
      return rows[0]!.first
    })
  }
}

/** Moves the rows beyond the end of a detached partition to where they belong. */
async function moveAhead(tx: Tx, name: string, at: string): Promise<string> {
  await sql`with ahead as (delete from ${sql.id(name)} where created_at >= ${at} returning *)
    insert into events select * from ahead`.execute(tx)
  // Accounts name this table as the end of their logs. Under a new name it is not found, and all partitions
  // are queried.
  const renamed = `${name}_cut`
  await sql`alter table ${sql.id(name)} rename to ${sql.id(renamed)}`.execute(tx)
  return renamed
}

/**
 * Splits a partition in two, or in three if a clock was ahead, so that its rows do not block later splits.
 *
 * @returns The name of the first part.
 */
async function cut(tx: Tx, { name, from, to }: Partition, at: string, ahead: string | null): Promise<string> {
  const far = ahead === null ? at : timeOf(startOfDay(Date.parse(ahead)))
  await detach(tx, name)
  const begins = far > at ? [at, far] : [at]
  for (const [i, begin] of begins.entries()) {
    const next = nameOf('events', begin)
    await createPartition(tx, next, name)
    await attach(tx, next, begin, begins[i + 1] ?? to)
  }
  const rest = ahead === null ? name : await moveAhead(tx, name, at)
  await attach(tx, rest, from, at)
  return rest
}

/**
 * Creates the partition of the next days, at least a day ahead. The last partition is unbounded, so every
 * event fits, even if this did not run for weeks or a clock is wrong.
 */
export async function makePartitions(ports: PartitionPorts, keepMs: number): Promise<void> {
  const split = await changePartitions(ports, async (tx, partitions) => {
    const found = splitOf(partitions, ports.clock.now(), spanOf(keepMs))
    await dropChecks(tx, partitions, 'until_')
    if (!found) return null
    const { partition, at, check } = found
    const begins = partition.from === null ? sql`` : sql`created_at >= ${sql.lit(partition.from)} and `
    await sql`alter table ${sql.id(partition.name)} add constraint ${sql.id(check)}
      check (${begins}created_at < ${sql.lit(at)}) not valid`.execute(tx)
    return found
  })
  if (!split) return
  const { partition, at, check } = split
  // Validating the rows first, without blocking, makes the change under the lock short.
  let failed: { error: unknown } | undefined
  const ahead = await findAhead(ports, split).catch((error) => {
    failed = { error }
    return null
  })
  // Another node removed the check and continues.
  if (failed && wasTakenOver(failed.error)) return
  await changePartitions(ports, async (tx, partitions) => {
    const same = partitions.find(({ name }) => name === partition.name)
    // Another node finished first.
    if (!same?.checks.includes(check)) return
    const name =
      !failed && same.from === partition.from && same.to === partition.to
        ? await cut(tx, same, at, ahead)
        : same.name
    await dropCheck(tx, name, check)
  })
  if (failed) throw failed.error
}

/** Accounts whose logs are shortened in one statement. */
const maxAccounts = 500

interface LastEvent {
  tenant_id: string
  last: number
  /** True if an earlier event is young: a clock was late. */
  is_late: boolean
  /** True if an earlier event is in the future: a clock was ahead. */
  has_ahead: boolean
}

const readLastEvents = (db: Db, name: string, after: string, { before, soon }: Kept) =>
  sql<LastEvent>`
    select old.tenant_id, old.last, exists (select 1 from events where events.tenant_id = old.tenant_id
      and events.seq <= old.last and events.created_at >= ${before} and events.created_at < ${soon}) as is_late,
      exists (select 1 from events where events.tenant_id = old.tenant_id
      and events.seq <= old.last and events.created_at >= ${soon}) as has_ahead
    from (select tenant_id, max(seq) as last from ${sql.id(name)} where tenant_id > ${after}
      group by tenant_id order by tenant_id limit ${sql.lit(maxAccounts)}) old
    order by old.tenant_id`.execute(db)

/** Moves the start of logs past the events of a partition. @returns Whether this worked for all accounts. */
async function beginAfter({ store }: PartitionPorts, name: string, kept: Kept): Promise<boolean> {
  let all = true
  for (let after = ''; ; ) {
    const { rows } = await store.db.transaction().execute(async (tx) => {
      await letRunLong(tx)
      return readLastEvents(tx, name, after, kept)
    })
    const old = rows.filter(({ is_late }) => !is_late)
    all &&= old.length === rows.length
    if (old.length > 0)
      await store.write(async (tx) => {
        const last = sql.join(old.map((row) => sql`(${row.tenant_id}, ${row.last}::bigint)`))
        await sql`with held as materialized (select tenant_id from accounts
            where tenant_id in (${sql.join(old.map(({ tenant_id }) => tenant_id))})
            order by tenant_id for no key update)
          update accounts set log_start = greatest(log_start, last.seq)
          from (values ${last}) last (tenant_id, seq), held
          where accounts.tenant_id = last.tenant_id and held.tenant_id = last.tenant_id`.execute(tx)
        // Earlier events with a time in the future are as old, whatever their time.
        for (const { tenant_id } of old.filter(({ has_ahead }) => has_ahead))
          await sql`delete from events where tenant_id = ${tenant_id} and created_at >= ${kept.soon}
            and seq <= (select log_start from accounts where tenant_id = ${tenant_id})`.execute(tx)
      })
    if (rows.length < maxAccounts) return all
    after = rows.at(-1)!.tenant_id
  }
}

const closed = 'closed'

/** Time before which nothing is kept, and time after which no correct clock has written. */
interface Kept {
  before: string
  soon: string
}

/** Returns the kept times, by the clock of this node and that of the database. */
async function keptNow({ store, clock }: PartitionPorts, keepMs: number): Promise<Kept> {
  const { rows } = await sql<{ ms: number }>`select (extract(epoch from now()) * 1000)::bigint as ms`.execute(
    store.db,
  )
  const both = [clock.now(), Number(rows[0]!.ms)]
  // Clocks of nodes differ: a day of margin covers it.
  return { before: timeOf(Math.min(...both) - keepMs - dayMs), soon: timeOf(Math.max(...both) + dayMs) }
}

/** A partition past its end, closed to writes. */
interface OldPartition extends Partition {
  isEmpty: boolean
}

/** Finds the partitions past their end, and closes them to writes, even from a wrong clock. */
const closeOldPartitions = (ports: PartitionPorts, before: string) =>
  changePartitions(ports, async (tx, partitions) => {
    const old: OldPartition[] = []
    for (const partition of partitions.filter(({ to }) => to !== null && to <= before)) {
      const { rows } = await sql`select 1 from ${sql.id(partition.name)} limit 1`.execute(tx)
      old.push({ ...partition, isEmpty: rows.length === 0 })
    }
    // The first partition has no lower bound: it is for late clocks, and mostly empty.
    if (old.length === 1 && old[0]!.isEmpty && old[0]!.checks.length === 0) return []
    for (const { name, checks } of old)
      if (!checks.includes(closed))
        await sql`alter table ${sql.id(name)} add constraint ${sql.id(closed)} check (false) not valid`.execute(
          tx,
        )
    return old
  })

/** Groups partitions into runs without gaps. */
const runsOf = (partitions: OldPartition[]): OldPartition[][] =>
  partitions.reduce<OldPartition[][]>((runs, partition) => {
    const run = runs.at(-1)
    if (run && run.at(-1)!.to === partition.from) run.push(partition)
    else runs.push([partition])
    return runs
  }, [])

/**
 * Drops the partitions in which every event is older than the log is kept. A partition stays if an account
 * has an old event after younger ones, since a clock was late; its events are deleted one by one.
 */
export async function dropOldPartitions(ports: PartitionPorts, keepMs: number): Promise<void> {
  const kept = await keptNow(ports, keepMs)
  const old = await closeOldPartitions(ports, kept.before)
  const over: OldPartition[] = []
  for (const partition of old)
    try {
      if (partition.isEmpty || (await beginAfter(ports, partition.name, kept))) over.push(partition)
    } catch (error) {
      if (isMissingTable(error)) return // another node finished first
      throw error
    }
  if (old.length === 0) return
  await changePartitions(ports, async (tx, partitions) => {
    const isClosed = ({ name }: Partition) =>
      partitions.some((one) => one.name === name && one.checks.includes(closed))
    for (const run of runsOf(over.filter(isClosed))) {
      const [{ from, isEmpty }] = run as [OldPartition]
      if (run.length === 1 && isEmpty) continue
      const { to } = run.at(-1)!
      for (const { name } of run) await sql`drop table ${sql.id(name)}`.execute(tx)
      const rest = nameOf('events_until', to!)
      await createPartition(tx, rest, partitions.at(-1)!.name)
      await attach(tx, rest, from, to)
    }
    await dropChecks(tx, await readPartitions(tx), closed)
  })
}
