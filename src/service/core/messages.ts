import type { Kysely } from 'kysely'
import type { ListedMessage, Message, MessageSummary } from '../../protocol/message'
import type { Database } from '../store/schema'
import { requireReader } from './account'
import type { Core } from './context'
import { pageOf, readCursor } from './cursor'
import type { Caller, Scope } from './keys'
import { labelNamesOf } from './label-names'
import { findLabelId } from './labels'
import { matches } from './message-filters'
import {
  bodyTextOf,
  listedTextOf,
  type ShortTextRow,
  selectListedText,
  selectShortText,
  selectVerbatim,
  shortTextOf,
} from './message-text'
import { hasInbox, hasThread } from './not-erased'
import { readOriginal } from './originals'
import { recipientStatuses } from './recipient-status'
import {
  type AttachmentRow,
  type MessageRow,
  messageColumns,
  messageRecord,
  type SummaryRow,
  summaryColumns,
  summaryRecord,
} from './records'
import { notFound } from './refuse'
import { type SearchQuery, searchMessages } from './search'
import { findThread } from './threads'

const list = 'messages'

interface ListQuery extends Omit<SearchQuery, 'labelId'> {
  /** Name or id. */
  label?: string | undefined
}

export interface MessageQuery extends ListQuery {
  /** Whether the messages have their text. */
  body: boolean
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

const beyond = ({ order }: SearchQuery) => (order === 'desc' ? '<' : '>')

function selectMessages(core: Core, scope: Caller, query: SearchQuery) {
  const select = core.store.db
    .selectFrom('messages')
    .select(summaryColumns)
    .select(selectShortText)
    .where('tenant_id', '=', scope.tenantId)
    .where(matches(core, scope, query))
    .orderBy('created_seq', query.order)
    .limit(query.limit + 1)
  if (query.cursor === undefined) return select
  return select.where('created_seq', beyond(query), readCursor(list, query.cursor))
}

/** The ids of messages with a label, found by the label: it may be on few of many. */
async function labelledMessages(core: Core, scope: Caller, query: SearchQuery, labelId: string) {
  let select = core.store.db
    .selectFrom('message_labels')
    .crossJoin('messages')
    .select('messages.id')
    .where('message_labels.tenant_id', '=', scope.tenantId)
    .where('message_labels.label_id', '=', labelId)
    .whereRef('messages.tenant_id', '=', 'message_labels.tenant_id')
    .whereRef('messages.id', '=', 'message_labels.message_id')
    .where(matches(core, scope, query))
    .orderBy('message_labels.created_seq', query.order)
    .limit(query.limit + 1)
  if (query.cursor !== undefined)
    select = select.where('message_labels.created_seq', beyond(query), readCursor(list, query.cursor))
  return (await select.execute()).map((row) => row.id)
}

/** What was found otherwise than by looking through all: null where nothing leads to it. */
const foundMessages = async (core: Core, scope: Caller, query: SearchQuery): Promise<string[] | null> =>
  (await searchMessages(core, scope, list, query)) ??
  (query.labelId === undefined ? null : labelledMessages(core, scope, query, query.labelId))

/** With the ids that a name, or an id of before, stands for; null where there is no such label or thread. */
async function resolved(
  core: Core,
  { tenantId, inboxId }: Scope,
  { label, thread_id, ...query }: ListQuery,
): Promise<SearchQuery | null> {
  const { db } = core.store
  const labelId = label === undefined ? undefined : await findLabelId(db, tenantId, label)
  const thread = thread_id === undefined ? undefined : ((await findThread(db, tenantId, thread_id)) ?? null)
  if (labelId === null || thread === null) return null
  if (thread && inboxId !== null && thread.inbox_id !== inboxId) return null
  return { ...query, labelId, thread_id: thread?.id }
}

async function messagesOf(core: Core, scope: Caller, asked: ListQuery) {
  const query = await resolved(core, scope, asked)
  if (query === null) return []
  const ids = await foundMessages(core, scope, query)
  if (ids === null) return selectMessages(core, scope, query).execute()
  if (ids.length === 0) return []
  const { order, limit } = query
  return selectMessages(core, scope, { order, limit, include: 'spam' }).where('id', 'in', ids).execute()
}

/** The texts of messages, by message. */
async function textsOf({ store: { db } }: Core, tenantId: string, ids: string[]) {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('messages')
    .select('id')
    .select(selectListedText)
    .where('tenant_id', '=', tenantId)
    .where('id', 'in', ids)
    .execute()
  return new Map(rows.map((row) => [row.id, listedTextOf(row)]))
}

/** Messages that the key reaches, in the order in which they came to be. */
export async function listMessages(core: Core, scope: Caller, { body, ...query }: MessageQuery) {
  requireReader(core, scope)
  const rows = await messagesOf(core, scope, query)
  const { page, next_cursor } = pageOf(list, rows, query.limit, (row) => row.created_seq)
  const summaries = await summariesOf(core, scope.tenantId, page)
  const ids = body ? page.map((row) => row.id) : []
  const texts = await textsOf(core, scope.tenantId, ids)
  return {
    messages: summaries.map((summary): ListedMessage => ({ ...summary, ...texts.get(summary.id) })),
    next_cursor,
    mode_used: 'keyword' as const,
  }
}

type ListedRow = Omit<SummaryRow, 'reply_text'> & ShortTextRow

/** Messages as lists carry them. */
async function summariesOf(
  { store: { db } }: Core,
  tenantId: string,
  rows: readonly ListedRow[],
): Promise<MessageSummary[]> {
  const attachments = await attachmentsOf(
    db,
    tenantId,
    rows.map((row) => row.id),
  )
  const labels = await labelNamesOf(db, tenantId, rows)
  return rows.map((row) =>
    summaryRecord({ ...row, reply_text: shortTextOf(row) }, attachments.get(row.id) ?? [], labels),
  )
}

/** Messages by their ids, as lists carry them; what is not there is left out. */
export async function readSummaries(
  core: Core,
  tenantId: string,
  ids: readonly string[],
): Promise<Map<string, MessageSummary>> {
  if (ids.length === 0) return new Map()
  const rows = await core.store.db
    .selectFrom('messages')
    .select(summaryColumns)
    .select(selectShortText)
    .where('tenant_id', '=', tenantId)
    .where('id', 'in', ids)
    .execute()
  return new Map((await summariesOf(core, tenantId, rows)).map((message) => [message.id, message]))
}

/** The row of a message that the key reaches. @throws ServiceError `not_found` */
export const messageRow = (core: Core, scope: Scope, id: string): Promise<MessageRow> =>
  messageRowIn(core.store.db, scope, id)

/** The same, within a transaction. @throws ServiceError `not_found` */
export async function messageRowIn(db: Kysely<Database>, scope: Scope, id: string): Promise<MessageRow> {
  const row = await db
    .selectFrom('messages')
    .select(messageColumns)
    .select(selectVerbatim)
    .where('tenant_id', '=', scope.tenantId)
    .where('id', '=', id)
    .where(hasInbox('messages'))
    .where(hasThread)
    .executeTakeFirst()
  if (!row || (scope.inboxId && scope.inboxId !== row.inbox_id)) throw notFound('message', id)
  const { verbatim, ...rest } = row
  return { ...rest, body_text: bodyTextOf(row) }
}

/** @throws ServiceError `not_found`, `account_expired` */
export async function readMessage(core: Core, scope: Caller, id: string): Promise<Message> {
  requireReader(core, scope)
  const row = await messageRow(core, scope, id)
  const attachments = await attachmentsOf(core.store.db, scope.tenantId, [id])
  const labels = await labelNamesOf(core.store.db, scope.tenantId, [row])
  // The list of public suffixes behind it takes ten megabytes.
  const { findingsOf } = await import('./findings')
  const record = messageRecord(row, attachments.get(id) ?? [], labels, findingsOf(row))
  if (row.direction === 'inbound') return record
  return { ...record, recipients: await recipientStatuses(core.store.db, scope.tenantId, id) }
}

/** The original, byte for byte. @throws ServiceError `not_found`, `account_expired` */
export async function readRaw(core: Core, scope: Caller, id: string): Promise<Uint8Array> {
  requireReader(core, scope)
  await messageRow(core, scope, id)
  return readOriginal(core, scope.tenantId, id)
}
