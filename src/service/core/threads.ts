import { type ExpressionBuilder, type Kysely, sql } from 'kysely'
import type { Thread } from '../../protocol/thread'
import type { Database } from '../store/schema'
import { requireReadable } from './account'
import type { Core } from './context'
import { pageOf, readCursor } from './cursor'
import type { Scope } from './keys'
import { labelNamesOf } from './label-names'
import { leavesSpamOut, named } from './message-filters'
import { type ThreadRow, threadRecord } from './records'
import { notFound } from './refuse'
import { markedSpam } from './spam-label'

const list = 'threads'

export interface ThreadQuery {
  inbox_id?: string | undefined
  label?: string | undefined
  include?: 'spam' | undefined
  limit: number
  cursor?: string | undefined
}

type Builder = ExpressionBuilder<Database, 'threads'>

/** Whether a thread has anything but spam: spam that is sent into a conversation must not hide it. */
function hasOtherThanSpam({ or, not, exists, selectFrom }: Builder) {
  const other = selectFrom('messages')
    .select('messages.id')
    .whereRef('messages.tenant_id', '=', 'threads.tenant_id')
    .whereRef('messages.thread_id', '=', 'threads.id')
    .where(({ not }) => not(markedSpam('messages')))
  return or([not(markedSpam('threads')), exists(other)])
}

function withLabel({ exists, selectFrom }: Builder, label: string) {
  const quoted = sql`'%"' || labels.id || '"%'`
  return exists(
    selectFrom('labels')
      .select('labels.id')
      .whereRef('labels.tenant_id', '=', 'threads.tenant_id')
      .where(named(label))
      .where(sql<boolean>`threads.label_ids like ${quoted}`),
  )
}

/** Threads that the key reaches, the last active first. */
export async function listThreads(core: Core, scope: Scope, filters: ThreadQuery) {
  const { inbox_id, label, limit, cursor } = filters
  await requireReadable(core, scope)
  let query = core.store.db
    .selectFrom('threads')
    .selectAll()
    .where('tenant_id', '=', scope.tenantId)
    .orderBy('seq', 'desc')
    .limit(limit + 1)
  if (scope.inboxId) query = query.where('inbox_id', '=', scope.inboxId)
  if (inbox_id !== undefined) query = query.where('inbox_id', '=', inbox_id)
  if (label !== undefined) query = query.where((where) => withLabel(where, label))
  if (leavesSpamOut(filters)) query = query.where(hasOtherThanSpam)
  if (cursor !== undefined) query = query.where('seq', '<', readCursor(list, cursor))
  const { page, next_cursor } = pageOf(list, await query.execute(), limit, (row) => row.seq)
  const labels = await labelNamesOf(core.store.db, scope.tenantId, page)
  return { threads: page.map((row) => threadRecord(row, labels)), next_cursor }
}

/** The row of a thread that the key reaches. @throws ServiceError `not_found` */
export const threadRow = (core: Core, scope: Scope, id: string): Promise<ThreadRow> =>
  threadRowIn(core.store.db, scope, id)

/** A thread by its id or by one that it had before it was joined with another. */
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
    .executeTakeFirst()
}

/** The same, within a transaction. @throws ServiceError `not_found` */
export async function threadRowIn(db: Kysely<Database>, scope: Scope, id: string): Promise<ThreadRow> {
  const row = await findThread(db, scope.tenantId, id)
  if (!row || (scope.inboxId && scope.inboxId !== row.inbox_id)) throw notFound('thread', id)
  return row
}

/** @throws ServiceError `not_found`, `account_expired` */
export async function readThread(core: Core, scope: Scope, id: string): Promise<Thread> {
  await requireReadable(core, scope)
  const row = await threadRow(core, scope, id)
  return threadRecord(row, await labelNamesOf(core.store.db, scope.tenantId, [row]))
}
