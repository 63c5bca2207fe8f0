import { type Selectable, sql, type Transaction } from 'kysely'
import { refuse } from '../base/refuse'
import type { LogEntry } from '../ports'
import { selectShortText, shortTextOf } from '../store/message-text'
import { insertPrepared, runPrepared } from '../store/prepared'
import type { AccountTable } from '../store/tables/account-tables'
import type { EventTable } from '../store/tables/log-tables'
import type { Database } from '../store/tables/schema'
import { type EpochColumns, epochOf, type LogEpoch } from './log-epoch'
import { isMissingTable } from './log-partitions'
import { pollUntil } from './poll-until'
import type { LogPorts } from './ports'

/** A stored event. */
export type NewEventRow = Omit<Selectable<EventTable>, 'tenant_id'>
type EventRow = Omit<NewEventRow, 'thread_id'>

const eventColumns = [
  'events.id',
  'events.type',
  'events.seq',
  'events.inbox_id',
  'events.created_at',
  'events.message_id',
  'events.data',
] as const

/** Filter of events; without inboxes and types, all events pass. */
export interface LogFilter {
  inboxIds?: readonly string[] | undefined
  types?: readonly string[] | undefined
}

/** Page of a log: every event with `from < seq ≤ to` that passes the filter. */
export interface LogPage {
  entries: LogEntry[]
  from: number
  to: number
  head: number
  epoch: LogEpoch
}

/** Topic that is woken with the new entries whenever the log of an account grows. */
export const logTopic = (tenantId: string): string => `log:${tenantId}`

/** Returns the JSON that every reader gets: the text of the message is inserted at the end of `data`. */
export function logEntry(row: EventRow, replyText: string | null): LogEntry {
  const { id, type, seq, inbox_id, created_at, message_id, data } = row
  const head = { id, type, seq, inbox_id, created_at }
  const text = message_id === null ? '' : `,"reply_text":${JSON.stringify(replyText)}`
  const json = `${JSON.stringify(head).slice(0, -1)},"data":${data.slice(0, -1)}${text}}}`
  return { seq, type, inboxId: inbox_id, json }
}

export const passes = (filter: LogFilter, { type, inboxId }: LogEntry): boolean =>
  (!filter.types || filter.types.includes(type)) &&
  (!filter.inboxIds || inboxId === null || filter.inboxIds.includes(inboxId))

/** Columns of an account that hold the start and end of its log. */
type LogReach = Pick<Selectable<AccountTable>, 'seq' | 'log_start'> & EpochColumns & Partial<Held>

/** Columns that name the partition with the end of a log. */
type Held = Pick<Selectable<AccountTable>, 'log_partition' | 'log_partition_after' | 'log_partition_to'>

const heldColumns = ['log_partition', 'log_partition_after', 'log_partition_to'] as const

/** An account whose row is locked. */
type LogEnd = Pick<Selectable<AccountTable>, 'tenant_id' | 'seq'> & Partial<Held>

/**
 * Stores the new end of the log if the old one is still as read. Each partition has its own key, so this
 * check is what keeps a position unique.
 */
async function moveEnd(tx: Transaction<Database>, end: LogEnd, last: number, table: string): Promise<void> {
  const goesOn = table === end.log_partition && end.log_partition_to === end.seq
  const after = goesOn ? end.log_partition_after! : end.seq
  const moved = await runPrepared(tx, 'end of log', [last, table, after, last, end.tenant_id, end.seq], () =>
    tx
      .updateTable('accounts')
      .set({ seq: last, log_partition: table, log_partition_after: after, log_partition_to: last })
      .where('tenant_id', '=', end.tenant_id)
      .where('seq', '=', end.seq)
      .returning('seq'),
  )
  if (moved.length !== 1) throw new Error(`the log of ${end.tenant_id} no longer ends at ${end.seq}`)
}

/** Appends to the log of an account whose row is locked. */
export async function insertEvents(
  { store }: Pick<LogPorts, 'store'>,
  tx: Transaction<Database>,
  end: LogEnd,
  rows: NewEventRow[],
): Promise<void> {
  const last = rows.at(-1)
  if (!last) return
  const { tenant_id } = end
  const inserted = rows.map((row) => ({ tenant_id, ...row }))
  const insert = (some: readonly (typeof inserted)[number][]) => tx.insertInto('events').values(some)
  if (store.dialect === 'postgres') {
    // All rows have the same time, so they are in the same partition.
    const placed = await insertPrepared(tx, 'events', inserted, (some) =>
      insert(some).returning(sql<string>`tableoid::regclass::text`.as('table')),
    )
    return moveEnd(tx, end, last.seq, placed.at(-1)!.table)
  }
  await insertPrepared(tx, 'events', inserted, insert)
  await runPrepared(tx, 'seq', [last.seq, tenant_id], () =>
    tx.updateTable('accounts').set({ seq: last.seq }).where('tenant_id', '=', tenant_id),
  )
}

/** Reads the start and end of an account's log. @throws ServiceError `account_not_found` */
async function readReach(
  ports: Pick<LogPorts, 'store'>,
  tenantId: string,
  db = ports.store.db,
): Promise<LogReach> {
  const held = ports.store.dialect === 'postgres' ? heldColumns : []
  const row = await db
    .selectFrom('accounts')
    .select(['seq', 'log_start', 'log_epoch', 'log_epoch_from', ...held])
    .where('tenant_id', '=', tenantId)
    .executeTakeFirst()
  if (!row) throw refuse('account_not_found', 'The account of this key no longer exists.')
  return row
}

/**
 * Returns the table to query for events after a position: one partition if it has them all, since planning a
 * query over all partitions costs as much again.
 */
function tableAfter(reach: LogReach, after: number): 'events' {
  const { log_partition, log_partition_after, log_partition_to } = reach
  const holds = log_partition && log_partition_to === reach.seq && after >= log_partition_after!
  return (holds ? `${log_partition} as events` : 'events') as 'events'
}

/** Part of a log after a position: its table and its last position. */
interface LogTail {
  table: 'events'
  to: number
}

/** Returns the table and end of a log after a position, for reads within a transaction. */
export async function logTail(
  { store }: Pick<LogPorts, 'store'>,
  tx: Transaction<Database>,
  tenantId: string,
  after: number,
): Promise<LogTail> {
  if (store.dialect === 'sqlite') return { table: 'events', to: Number.MAX_SAFE_INTEGER }
  const reach = await readReach({ store }, tenantId, tx)
  return { table: tableAfter(reach, after), to: reach.seq }
}

/** Returns the newest position of an account's log. */
export async function logHead(ports: LogPorts, tenantId: string): Promise<number> {
  const { seq } = await readReach(ports, tenantId)
  await ports.store.settled()
  return seq
}

/** Refusal of a cursor before or after the log, such as after a restore from a backup. */
function cursorExpired(after: number, start: number, head: number) {
  return refuse(
    'cursor_expired',
    `The log begins after ${start} and ends at ${head}, but the cursor is ${after}. Read the records again, then continue from the cursor that GET /events?after=now returns.`,
  )
}

/**
 * Reads on from a cursor.
 *
 * @param reaches Start and end of the log, if the caller has just read the account.
 * @throws ServiceError `cursor_expired`
 */
export async function readLog(
  ports: LogPorts,
  tenantId: string,
  after: number,
  filter: LogFilter,
  limit: number,
  reaches?: LogReach,
): Promise<LogPage> {
  const reach = reaches ?? (await readReach(ports, tenantId))
  const { seq: head, log_start: start } = reach
  await ports.store.settled()
  if (after < start || after > head) throw cursorExpired(after, start, head)
  const epoch = epochOf(reach)
  if (after === head) return { entries: [], from: after, to: head, head, epoch }
  const table = tableAfter(reach, after)
  let query = ports.store.db
    .selectFrom(table)
    .leftJoin('messages', (join) =>
      join
        .onRef('messages.tenant_id', '=', 'events.tenant_id')
        .onRef('messages.id', '=', 'events.message_id'),
    )
    .select(eventColumns)
    .select(selectShortText)
    .where('events.tenant_id', '=', tenantId)
    .where('events.seq', '>', after)
    .where('events.seq', '<=', head)
    .orderBy('events.seq')
    .limit(limit)
  const { types, inboxIds } = filter
  if (types) query = query.where('events.type', 'in', types)
  if (inboxIds)
    query = query.where((or) =>
      or.or([or('events.inbox_id', 'is', null), or('events.inbox_id', 'in', inboxIds)]),
    )
  const rows = await query.execute().catch((error) => {
    if (table === 'events' || !isMissingTable(error)) throw error
    return null
  })
  if (!rows)
    return readLog(ports, tenantId, after, filter, limit, {
      ...(await readReach(ports, tenantId)),
      log_partition: null,
    })
  const entries = rows.map(({ short_text, verbatim, ...row }) =>
    // A deleted message has no text.
    logEntry(row, short_text === null ? null : shortTextOf({ short_text, verbatim })),
  )
  return { entries, from: after, to: entries.length === limit ? entries.at(-1)!.seq : head, head, epoch }
}

/**
 * Reads on from a cursor, waiting up to `waitMs` for an event that passes the filter. A page may be empty and
 * still advance the cursor.
 */
export async function awaitLog(
  ports: LogPorts,
  tenantId: string,
  after: number,
  filter: LogFilter,
  limit: number,
  waitMs: number,
  signal?: AbortSignal,
): Promise<LogPage> {
  let cursor = after
  const topics = { [logTopic(tenantId)]: () => true }
  return pollUntil(ports, { waitMs, signal, topics }, async () => {
    const page = await readLog(ports, tenantId, cursor, filter, limit)
    cursor = page.to
    return { answer: { ...page, from: after }, done: page.entries.length > 0 }
  })
}
