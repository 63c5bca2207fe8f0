import type { Kysely } from 'kysely'
import type { Message } from '../../protocol/message'
import type { Database } from '../store/schema'
import { requireReadable } from './account'
import type { Core } from './context'
import { pageOf, readCursor } from './cursor'
import type { Scope } from './keys'
import { labelNamesOf } from './label-names'
import { type MessageFilters, matches } from './message-filters'
import { readOriginal } from './originals'
import {
  type AttachmentRow,
  type MessageRow,
  messageColumns,
  messageRecord,
  selectReplyText,
  summaryColumns,
  summaryRecord,
} from './records'
import { notFound } from './refuse'
import { searchMessages } from './search'

const list = 'messages'

export interface MessageQuery extends MessageFilters {
  q?: string | undefined
  order: 'asc' | 'desc'
  limit: number
  cursor?: string | undefined
}

/** The attachments of messages, by message. */
export async function attachmentsOf(
  db: Kysely<Database>,
  tenantId: string,
  messageIds: string[],
): Promise<Map<string, AttachmentRow[]>> {
  const found = new Map<string, AttachmentRow[]>()
  if (messageIds.length === 0) return found
  const rows = await db
    .selectFrom('attachments')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('message_id', 'in', messageIds)
    .orderBy('position')
    .execute()
  for (const row of rows) found.set(row.message_id, [...(found.get(row.message_id) ?? []), row])
  return found
}

function selectMessages(core: Core, scope: Scope, query: MessageQuery) {
  let select = core.store.db
    .selectFrom('messages')
    .select(summaryColumns)
    .select(selectReplyText.as('reply_text'))
    .where('tenant_id', '=', scope.tenantId)
    .orderBy('created_seq', query.order)
    .limit(query.limit + 1)
  if (scope.inboxId) select = select.where('inbox_id', '=', scope.inboxId)
  select = select.where(matches(core, query))
  if (query.cursor !== undefined) {
    select = select.where('created_seq', query.order === 'desc' ? '<' : '>', readCursor(list, query.cursor))
  }
  return select
}

/** The messages that are looked for; what they must be is in the search already. */
async function foundMessages(core: Core, scope: Scope, query: MessageQuery & { q: string }) {
  const ids = await searchMessages(core, scope, list, query)
  if (ids.length === 0) return []
  const { order, limit } = query
  return selectMessages(core, scope, { order, limit, include: 'spam' }).where('id', 'in', ids).execute()
}

/** Messages that the key reaches, in the order in which they came to be. */
export async function listMessages(core: Core, scope: Scope, query: MessageQuery) {
  await requireReadable(core, scope)
  const { q } = query
  const rows = await (q === undefined
    ? selectMessages(core, scope, query).execute()
    : foundMessages(core, scope, { ...query, q }))
  const { page, next_cursor } = pageOf(list, rows, query.limit, (row) => row.created_seq)
  const attachments = await attachmentsOf(
    core.store.db,
    scope.tenantId,
    page.map((row) => row.id),
  )
  const labels = await labelNamesOf(core.store.db, scope.tenantId, page)
  return {
    messages: page.map((row) => summaryRecord(row, attachments.get(row.id) ?? [], labels)),
    next_cursor,
    mode_used: 'keyword' as const,
  }
}

/** The row of a message that the key reaches. @throws ServiceError `not_found` */
export const messageRow = (core: Core, scope: Scope, id: string): Promise<MessageRow> =>
  messageRowIn(core.store.db, scope, id)

/** The same, within a transaction. @throws ServiceError `not_found` */
export async function messageRowIn(db: Kysely<Database>, scope: Scope, id: string): Promise<MessageRow> {
  const row = await db
    .selectFrom('messages')
    .select(messageColumns)
    .where('tenant_id', '=', scope.tenantId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row || (scope.inboxId && scope.inboxId !== row.inbox_id)) throw notFound('message', id)
  return row
}

/** @throws ServiceError `not_found`, `account_expired` */
export async function readMessage(core: Core, scope: Scope, id: string): Promise<Message> {
  await requireReadable(core, scope)
  const row = await messageRow(core, scope, id)
  const attachments = await attachmentsOf(core.store.db, scope.tenantId, [id])
  const labels = await labelNamesOf(core.store.db, scope.tenantId, [row])
  return messageRecord(row, attachments.get(id) ?? [], labels)
}

/** The original, byte for byte. @throws ServiceError `not_found`, `account_expired` */
export async function readRaw(core: Core, scope: Scope, id: string): Promise<Uint8Array> {
  await requireReadable(core, scope)
  await messageRow(core, scope, id)
  return readOriginal(core, scope.tenantId, id)
}
