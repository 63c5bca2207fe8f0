import { type ExpressionBuilder, type JoinBuilder, type Kysely, sql } from 'kysely'
import { type AwayLabelId, type IncludeAway, leftOutOf } from '../../protocol/records/label-names'
import type { Thread } from '../../protocol/records/thread'
import { requireReader } from '../accounts/account'
import type { Caller, Scope } from '../accounts/keys'
import { decodeCursor, pageOf } from '../base/cursor'
import { notFound } from '../base/refuse'
import { narrowThread } from '../base/sender'
import { hasInbox, hasInboxIn } from '../inboxes/inboxes'
import { labelled, notLabelled } from '../store/prepared'
import type { Database } from '../store/tables/schema'
import { labelNamesOf } from './label-names'
import { findLabelId } from './labels'
import type { MessagePorts } from './ports'
import { type ThreadRow, threadRecord } from './records'
import { isOfMessagesOnly } from './system-labels'
import { oneByOne, type ThreadStateFilters, threadConditions } from './thread-filters'

const list = 'threads'

interface ThreadQuery extends ThreadStateFilters {
  inbox_id?: string | undefined
  label?: string | undefined
  include?: IncludeAway | undefined
  limit: number
  cursor?: string | undefined
}

type Builder = ExpressionBuilder<Database, 'threads'>

/** Condition that a thread has messages besides these: spam in a conversation must not hide it. */
const hasOtherThan =
  (leftOut: readonly AwayLabelId[]) =>
  ({ and, or, exists, selectFrom }: Builder) => {
    const other = selectFrom('messages')
      .select('messages.id')
      .whereRef('messages.tenant_id', '=', 'threads.tenant_id')
      .whereRef('messages.thread_id', '=', 'threads.id')
      .where((where) => where.and(notLabelled('messages', leftOut)))
      .modifyEnd(oneByOne)
    return or([and(notLabelled('threads', leftOut)), exists(other)])
  }

/** Condition that a thread has a message with a label that threads do not repeat. */
const withMessage =
  (tenantId: string, labelId: 'unread', leftOut: readonly AwayLabelId[]) =>
  ({ eb, selectFrom }: Builder) =>
    eb(
      'threads.id',
      'in',
      selectFrom('messages')
        .select('messages.thread_id')
        .where('messages.tenant_id', '=', tenantId)
        .where((where) => where.and([labelled('messages', labelId), ...notLabelled('messages', leftOut)])),
    )

/** Returns threads in the order of these ids; missing ones are left out. */
export async function threadsByIds(
  ports: MessagePorts,
  scope: Caller,
  ids: readonly string[],
): Promise<Thread[]> {
  if (ids.length === 0) return []
  const { db } = ports.store
  const rows = await db
    .selectFrom('threads')
    .selectAll()
    .where('tenant_id', '=', scope.tenantId)
    .where('id', 'in', ids)
    .where(hasInboxIn('threads', scope))
    .execute()
  const labels = await labelNamesOf(db, scope.tenantId, rows)
  const byId = new Map(rows.map((row) => [row.id, narrowThread(threadRecord(row, labels), scope)]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

/** Returns those of the threads that pass the filters. @throws ServiceError `invalid_request` */
export async function filteredThreads(
  { store }: MessagePorts,
  scope: Scope,
  ids: readonly string[],
  filters: ThreadStateFilters,
): Promise<ReadonlySet<string>> {
  const conditions = threadConditions(scope, filters)
  if (conditions.length === 0 || ids.length === 0) return new Set(ids)
  const rows = await store.db
    .selectFrom('threads')
    .select('id')
    .where('tenant_id', '=', scope.tenantId)
    .where('id', 'in', ids)
    .where(({ and }) => and(conditions))
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/** Returns the threads that the key reaches, last active first. */
export async function listThreads(ports: MessagePorts, scope: Caller, filters: ThreadQuery) {
  const { inbox_id, label, limit, cursor } = filters
  requireReader(ports, scope)
  const { db } = ports.store
  const labelId = label === undefined ? undefined : await findLabelId(db, scope.tenantId, label)
  if (labelId === null) return { threads: [], next_cursor: null }
  // With a label, the order is that of its index, which has the same values.
  const byLabel = labelId !== undefined && !isOfMessagesOnly(labelId)
  const seq = sql.ref<number>(byLabel ? 'thread_labels.seq' : 'threads.seq')
  const isLabelled = (join: JoinBuilder<Database, 'threads' | 'thread_labels'>) =>
    join
      .onRef('thread_labels.tenant_id', '=', 'threads.tenant_id')
      .onRef('thread_labels.thread_id', '=', 'threads.id')
      .on('thread_labels.tenant_id', '=', scope.tenantId)
      .on('thread_labels.label_id', '=', labelId!)
  let query = db
    .selectFrom('threads')
    .$if(byLabel, (all) => all.innerJoin('thread_labels', isLabelled))
    .selectAll('threads')
    .where('threads.tenant_id', '=', scope.tenantId)
    .where(hasInboxIn('threads', scope))
    // An expression instead of the column: otherwise SQLite would read all threads in this order.
    .orderBy(filters.has_suggestion ? sql`${seq} + 0` : seq, 'desc')
    .limit(limit + 1)
  if (scope.inboxId) query = query.where('threads.inbox_id', '=', scope.inboxId)
  if (inbox_id !== undefined) query = query.where('threads.inbox_id', '=', inbox_id)
  for (const condition of threadConditions(scope, filters)) query = query.where(condition)
  const leftOut = leftOutOf({ ...filters, label: labelId })
  if (labelId !== undefined && isOfMessagesOnly(labelId))
    query = query.where(withMessage(scope.tenantId, labelId, leftOut))
  else if (leftOut.length > 0) query = query.where(hasOtherThan(leftOut))
  if (cursor !== undefined) query = query.where(seq, '<', decodeCursor(list, cursor))
  const { page, next_cursor } = pageOf(list, await query.execute(), limit, (row) => row.seq)
  const labels = await labelNamesOf(db, scope.tenantId, page)
  return { threads: page.map((row) => narrowThread(threadRecord(row, labels), scope)), next_cursor }
}

/** Returns the row of a thread that the key reaches. @throws ServiceError `not_found` */
const threadRow = (ports: MessagePorts, scope: Scope, id: string): Promise<ThreadRow> =>
  threadRowIn(ports.store.db, scope, id)

/** Finds a thread by its id, or by one that it had before a merge. */
export function findThread(
  db: Kysely<Database>,
  tenantId: string,
  id: string,
): Promise<ThreadRow | undefined> {
  const alias = db
    .selectFrom('thread_aliases')
    .select('thread_id')
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
  return db
    .selectFrom('threads')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where((or) => or.or([or('id', '=', id), or('id', '=', alias)]))
    .where(hasInbox('threads'))
    .executeTakeFirst()
}

/** Returns the row of a thread that the key reaches, in a transaction. @throws ServiceError `not_found` */
export async function threadRowIn(
  db: Kysely<Database>,
  scope: Pick<Scope, 'tenantId' | 'inboxId'>,
  id: string,
): Promise<ThreadRow> {
  const row = await findThread(db, scope.tenantId, id)
  if (!row || (scope.inboxId && scope.inboxId !== row.inbox_id)) throw notFound('thread', id)
  return row
}

/** Returns a thread as the caller may see it. */
export async function threadAnswer(db: Kysely<Database>, scope: Scope, row: ThreadRow): Promise<Thread> {
  return narrowThread(threadRecord(row, await labelNamesOf(db, scope.tenantId, [row])), scope)
}

/** @throws ServiceError `not_found`, `account_expired` */
export async function readThread(ports: MessagePorts, scope: Caller, id: string): Promise<Thread> {
  requireReader(ports, scope)
  const row = await threadRow(ports, scope, id)
  return threadAnswer(ports.store.db, scope, row)
}
