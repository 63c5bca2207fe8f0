import { type ExpressionBuilder, type Kysely, type Selectable, sql, type Transaction } from 'kysely'
import { maxAttempts } from '../../protocol/records/consumer'
import { hasInbox, hasThread } from '../inboxes/inboxes'
import { isAnswered } from '../messages/message-filters'
import { notLabelled, padded, runPrepared } from '../store/prepared'
import { olderPrefix } from '../store/tables/connection-tables'
import type { ConsumerLeaseTable, ConsumerTable } from '../store/tables/consumer-tables'
import type { Database } from '../store/tables/schema'

type ConsumerRow = Selectable<ConsumerTable>
export type LeaseRow = Selectable<ConsumerLeaseTable>

/**
 * Condition that a message came after a position, or was unanswered there and did not arrive in a mailbox
 * before that was connected.
 */
const unansweredAt = (until: number) =>
  sql<boolean>`(messages.created_seq > ${until} or (not ${isAnswered(until)}
    and not exists (select 1 from connected_mails older where older.tenant_id = messages.tenant_id
      and older.inbox_id = messages.inbox_id and older.key = ${sql.lit(olderPrefix)} || messages.id)))`

/** Condition that a message is for this consumer, and was not settled out of order. */
export const meantFor =
  ({ name, inbox_id, spam, unanswerable, unanswered_until }: ConsumerRow) =>
  ({ and, not, exists, selectFrom, eb }: ExpressionBuilder<Database, 'messages'>) => {
    const settled = selectFrom('consumer_settled')
      .select('consumer_settled.message_id')
      .whereRef('consumer_settled.tenant_id', '=', 'messages.tenant_id')
      .where('consumer_settled.consumer', '=', name)
      .whereRef('consumer_settled.message_id', '=', 'messages.id')
    return and([
      eb('messages.direction', '=', sql.lit('inbound')),
      hasInbox('messages'),
      hasThread,
      ...(inbox_id === null ? [] : [eb('messages.inbox_id', '=', inbox_id)]),
      ...notLabelled('messages', spam ? ['trash'] : undefined),
      ...(unanswerable ? [] : [eb('messages.unanswerable', 'is', null)]),
      not(exists(settled)),
      ...(unanswered_until === 0 ? [] : [unansweredAt(unanswered_until)]),
    ])
  }

/** Returns a name for the SQL of {@link meantFor}, which differs by consumer. */
export const meantForText = ({ inbox_id, spam, unanswerable, unanswered_until }: ConsumerRow): string =>
  `${inbox_id === null ? 'all' : 'one'} ${spam} ${unanswerable} ${unanswered_until > 0}`
export const meantForParameters = ({
  inbox_id,
  name,
  unanswered_until,
}: ConsumerRow): (string | number)[] => [
  ...(inbox_id === null ? [name] : [inbox_id, name]),
  ...(unanswered_until === 0 ? [] : [unanswered_until, unanswered_until]),
]

/** Selects the leases of a consumer. */
export const selectLeases = (db: Kysely<Database>, { tenant_id, name }: ConsumerRow) =>
  db.selectFrom('consumer_leases').where('tenant_id', '=', tenant_id).where('consumer', '=', name)

/** Selects the messages that wait behind the leases of their thread, oldest first. */
export const selectTail = (
  db: Kysely<Database>,
  consumer: ConsumerRow,
  { thread_id, tail_after }: Pick<LeaseRow, 'thread_id' | 'tail_after'>,
) =>
  db
    .selectFrom('messages')
    .select(['id', 'created_seq'])
    .where('tenant_id', '=', consumer.tenant_id)
    .where('thread_id', '=', thread_id)
    .where('created_seq', '>', tail_after)
    .where(meantFor(consumer))
    .orderBy('created_seq')

/** Returns the row of a message that was never leased. */
export const newLease = (
  { tenant_id, name }: ConsumerRow,
  {
    id,
    thread_id,
    created_seq,
    tail_after,
    on_hold = 0,
  }: Pick<LeaseRow, 'thread_id' | 'created_seq' | 'tail_after'> & { id: string; on_hold?: number },
  time: string,
): LeaseRow => ({
  tenant_id,
  consumer: name,
  message_id: id,
  thread_id,
  created_seq,
  tail_after,
  attempts: 0,
  due_at: time,
  lease_token: null,
  lease_until: null,
  redriven: 0,
  on_hold,
  leased_at: null,
  hands_over: 0,
})

const ofRow = ({ tenant_id, consumer, message_id }: LeaseRow) =>
  sql<boolean>`tenant_id = ${tenant_id} and consumer = ${consumer} and message_id = ${message_id}`

/** Changes a lease. */
export const setLease = (tx: Transaction<Database>, row: LeaseRow, values: Partial<LeaseRow>) =>
  tx.updateTable('consumer_leases').set(values).where(ofRow(row)).execute()

/** Returns those of the threads that have leased or queued messages. */
export async function busyThreads(
  tx: Transaction<Database>,
  consumer: ConsumerRow,
  threadIds: readonly string[],
): Promise<Set<string>> {
  if (threadIds.length === 0) return new Set()
  const ids = padded([...new Set(threadIds)])
  const parameters = [consumer.tenant_id, consumer.name, ...ids]
  const rows = await runPrepared(tx, `busy threads ${ids.length}`, parameters, () =>
    selectLeases(tx, consumer).select('thread_id').distinct().where('thread_id', 'in', ids),
  )
  return new Set(rows.map((row) => row.thread_id))
}

/** Maximum number of queued threads; the others are found in the order of their messages. */
const maxInLine = 200

/** Condition that nobody holds the thread of a lease. Literal, to match the partial index. */
export const isNotOnHold = sql<boolean>`on_hold = 0`

async function freePlaces(tx: Transaction<Database>, consumer: ConsumerRow): Promise<number> {
  const rows = await selectLeases(tx, consumer)
    .select('message_id')
    .where(isNotOnHold)
    // Leads SQLite to the index without messages on hold.
    .where('due_at', '>', '')
    .limit(maxInLine)
    .execute()
  return maxInLine - rows.length
}

/** Returns the position of the next message by thread, behind leases that end. */
async function nextInThreads(
  tx: Transaction<Database>,
  consumer: ConsumerRow,
  messageIds: readonly string[],
): Promise<Map<string, number>> {
  const ids = padded(messageIds)
  const { tenant_id, name } = consumer
  const rows = await runPrepared(
    tx,
    `next in threads ${ids.length} ${meantForText(consumer)}`,
    [...meantForParameters(consumer), tenant_id, name, ...ids],
    () =>
      selectLeases(tx, consumer)
        .select('thread_id')
        .select(({ selectFrom }) =>
          selectFrom('messages')
            .select((message) => message.fn.min('messages.created_seq').as('next_seq'))
            .whereRef('messages.tenant_id', '=', 'consumer_leases.tenant_id')
            .whereRef('messages.thread_id', '=', 'consumer_leases.thread_id')
            .whereRef('messages.created_seq', '>', 'consumer_leases.tail_after')
            .where((where) => meantFor(consumer)(where as unknown as ExpressionBuilder<Database, 'messages'>))
            .as('next_seq'),
        )
        .where('message_id', 'in', ids),
  )
  return new Map(
    rows.flatMap((row) => (row.next_seq === null ? [] : [[row.thread_id, Number(row.next_seq)]])),
  )
}

/**
 * Queues messages. One beyond the cursor is found by the scan anyway, but queued it keeps its turn.
 *
 * @param heldIds Threads that people hold.
 */
async function putInLine(
  tx: Transaction<Database>,
  consumer: ConsumerRow,
  positions: readonly number[],
  heldIds: ReadonlySet<string>,
  time: string,
): Promise<void> {
  const messages = await tx
    .selectFrom('messages')
    .select(['id', 'thread_id', 'created_seq'])
    .where('tenant_id', '=', consumer.tenant_id)
    .where('created_seq', 'in', positions)
    .orderBy('created_seq')
    .execute()
  const isBeyond = ({ created_seq }: { created_seq: number }) => created_seq > consumer.cursor
  const behind = messages.filter((message) => !isBeyond(message))
  const free = Math.max(0, (await freePlaces(tx, consumer)) - behind.length)
  const rows = [...behind, ...messages.filter(isBeyond).slice(0, free)].map((message) =>
    newLease(
      consumer,
      { ...message, tail_after: message.created_seq, on_hold: heldIds.has(message.thread_id) ? 1 : 0 },
      time,
    ),
  )
  if (rows.length > 0) await tx.insertInto('consumer_leases').values(rows).execute()
}

/**
 * Deletes leases, and queues the next message of each thread behind the waiting ones.
 *
 * @returns Whether any of these threads has another message.
 */
export async function endLeases(
  tx: Transaction<Database>,
  consumer: ConsumerRow,
  rows: readonly LeaseRow[],
  time: string,
): Promise<boolean> {
  if (rows.length === 0) return false
  const messageIds = rows.map((row) => row.message_id)
  const next = await nextInThreads(tx, consumer, messageIds)
  const ids = padded(messageIds)
  await runPrepared(tx, `end leases ${ids.length}`, [consumer.tenant_id, consumer.name, ...ids], () =>
    tx
      .deleteFrom('consumer_leases')
      .where('tenant_id', '=', consumer.tenant_id)
      .where('consumer', '=', consumer.name)
      .where('message_id', 'in', ids),
  )
  const threadIds = rows.map((row) => row.thread_id)
  const busy = await busyThreads(tx, consumer, threadIds)
  const free = [...next].flatMap(([threadId, position]) => (busy.has(threadId) ? [] : position))
  const heldIds = new Set(rows.filter((row) => row.on_hold === 1).map((row) => row.thread_id))
  if (free.length > 0) await putInLine(tx, consumer, free, heldIds, time)
  return free.length > 0 || busy.size > 0
}

/** Makes a message a dead letter; returns true if another of its thread is ready now. */
export async function buryLease(
  tx: Transaction<Database>,
  consumer: ConsumerRow,
  row: LeaseRow,
  time: string,
): Promise<boolean> {
  const { tenant_id, message_id, created_seq, attempts } = row
  const letter = { tenant_id, consumer: consumer.name, message_id, created_seq, attempts }
  await tx
    .insertInto('consumer_settled')
    .values({ ...letter, state: 'dead', settled_at: time })
    .execute()
  return endLeases(tx, consumer, [row], time)
}

export const isExhausted = ({ attempts }: LeaseRow): boolean => attempts >= maxAttempts

/** Selects the messages that a consumer passed and skipped as unanswerable. */
export const selectSkipped = (db: Kysely<Database>, consumer: ConsumerRow) =>
  db
    .selectFrom('messages')
    .where('tenant_id', '=', consumer.tenant_id)
    .where('created_seq', '>', consumer.began_after)
    .where('created_seq', '<=', consumer.unanswerable ? consumer.began_after : consumer.cursor)
    .where('unanswerable', 'is not', null)
    .where(meantFor({ ...consumer, unanswerable: 1 }))

const countOf = async (query: { executeTakeFirstOrThrow(): Promise<{ count: number }> }) =>
  Number((await query.executeTakeFirstOrThrow()).count)

/** Log positions that one statement counts in, so that none takes long. */
const maxCountedPositions = 20_000

/** Counts the messages for a consumer beyond its cursor. */
async function countAhead(db: Kysely<Database>, consumer: ConsumerRow): Promise<number> {
  const { tenant_id, cursor } = consumer
  const account = await db
    .selectFrom('accounts')
    .select('seq')
    .where('tenant_id', '=', tenant_id)
    .executeTakeFirst()
  const head = account?.seq ?? cursor
  let ahead = 0
  for (let after = cursor; after < head; after += maxCountedPositions)
    ahead += await countOf(
      db
        .selectFrom('messages')
        .select((rows) => rows.fn.countAll<number>().as('count'))
        .where('tenant_id', '=', tenant_id)
        .where('created_seq', '>', after)
        .where('created_seq', '<=', Math.min(head, after + maxCountedPositions))
        .where(meantFor(consumer)),
    )
  return ahead
}

/** Counts a consumer's messages: waiting, leased, dead letters, and skipped. */
export async function countWork(db: Kysely<Database>, consumer: ConsumerRow, time: string) {
  const { tenant_id, name, cursor } = consumer
  const threads = selectLeases(db, consumer)
    .select(['thread_id', (rows) => rows.fn.max('tail_after').as('tail_after')])
    .groupBy('thread_id')
    .as('threads')
  const [ahead, behind, all, leased, dead, skipped] = await Promise.all([
    countAhead(db, consumer),
    countOf(
      db
        .selectFrom(['messages', threads])
        .select((rows) => rows.fn.countAll<number>().as('count'))
        .where('messages.tenant_id', '=', tenant_id)
        .whereRef('messages.thread_id', '=', 'threads.thread_id')
        .whereRef('messages.created_seq', '>', 'threads.tail_after')
        .where('messages.created_seq', '<=', cursor)
        .where((where) => meantFor(consumer)(where as unknown as ExpressionBuilder<Database, 'messages'>)),
    ),
    countOf(
      selectLeases(db, consumer)
        .select((rows) => rows.fn.countAll<number>().as('count'))
        .where('created_seq', '<=', cursor),
    ),
    countOf(
      selectLeases(db, consumer)
        .select((rows) => rows.fn.countAll<number>().as('count'))
        .where('lease_until', '>', time),
    ),
    countOf(
      db
        .selectFrom('consumer_settled')
        .select((rows) => rows.fn.countAll<number>().as('count'))
        .where('tenant_id', '=', tenant_id)
        .where('consumer', '=', name)
        .where('state', '=', 'dead'),
    ),
    countOf(selectSkipped(db, consumer).select((rows) => rows.fn.countAll<number>().as('count'))),
  ])
  return { waiting: ahead + behind + all - leased, leased, dead, skipped }
}
