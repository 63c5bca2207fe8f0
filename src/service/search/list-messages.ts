import type { ListedMessage } from '../../protocol/records'
import { type Caller, requireReader, type Scope } from '../accounts'
import { decodeCursor, pageOf } from '../base'
import { findLabelId, findThread, type MessagePorts, matches, summariesOf, summaryColumns } from '../messages'
import { listedTextOf, selectListedText, selectShortText } from '../store'
import { type SearchQuery, searchMessages } from './search'

const list = 'messages'

interface ListQuery extends Omit<SearchQuery, 'labelId'> {
  /** Name or id. */
  label?: string | undefined
}

export interface MessageQuery extends ListQuery {
  /** True where the messages have their text. */
  body: boolean
}

const beyond = ({ order }: SearchQuery) => (order === 'desc' ? '<' : '>')

function selectMessages(ports: MessagePorts, scope: Caller, query: SearchQuery) {
  const select = ports.store.db
    .selectFrom('messages')
    .select(summaryColumns)
    .select(selectShortText)
    .where('tenant_id', '=', scope.tenantId)
    .where(matches(ports, scope, query))
    .orderBy('created_seq', query.order)
    .limit(query.limit + 1)
  if (query.cursor === undefined) return select
  return select.where('created_seq', beyond(query), decodeCursor(list, query.cursor))
}

/** The ids of messages with a label, found by the label: it may be on few of many. */
async function labelledMessages(ports: MessagePorts, scope: Caller, query: SearchQuery, labelId: string) {
  let select = ports.store.db
    .selectFrom('message_labels')
    .crossJoin('messages')
    .select('messages.id')
    .where('message_labels.tenant_id', '=', scope.tenantId)
    .where('message_labels.label_id', '=', labelId)
    .whereRef('messages.tenant_id', '=', 'message_labels.tenant_id')
    .whereRef('messages.id', '=', 'message_labels.message_id')
    .where(matches(ports, scope, query))
    .orderBy('message_labels.created_seq', query.order)
    .limit(query.limit + 1)
  if (query.cursor !== undefined)
    select = select.where('message_labels.created_seq', beyond(query), decodeCursor(list, query.cursor))
  return (await select.execute()).map((row) => row.id)
}

/** The ids of messages that words or a label lead to; null where neither is given, and all must be looked through. */
const foundMessages = async (
  ports: MessagePorts,
  scope: Caller,
  query: SearchQuery,
): Promise<string[] | null> =>
  (await searchMessages(ports, scope, list, query)) ??
  (query.labelId === undefined ? null : labelledMessages(ports, scope, query, query.labelId))

/** Resolves names and former ids to the ids of today; null where there is no such label or thread. */
async function resolved(
  ports: MessagePorts,
  { tenantId, inboxId }: Scope,
  { label, thread_id, ...query }: ListQuery,
): Promise<SearchQuery | null> {
  const { db } = ports.store
  const labelId = label === undefined ? undefined : await findLabelId(db, tenantId, label)
  const thread = thread_id === undefined ? undefined : ((await findThread(db, tenantId, thread_id)) ?? null)
  if (labelId === null || thread === null) return null
  if (thread && inboxId !== null && thread.inbox_id !== inboxId) return null
  return { ...query, labelId, thread_id: thread?.id }
}

async function messagesOf(ports: MessagePorts, scope: Caller, asked: ListQuery) {
  const query = await resolved(ports, scope, asked)
  if (query === null) return []
  const ids = await foundMessages(ports, scope, query)
  if (ids === null) return selectMessages(ports, scope, query).execute()
  if (ids.length === 0) return []
  const { order, limit } = query
  return selectMessages(ports, scope, { order, limit, include: 'spam' }).where('id', 'in', ids).execute()
}

/** The texts of messages, by message. */
async function textsOf({ store: { db } }: MessagePorts, tenantId: string, ids: string[]) {
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
export async function listMessages(ports: MessagePorts, scope: Caller, { body, ...query }: MessageQuery) {
  requireReader(ports, scope)
  const rows = await messagesOf(ports, scope, query)
  const { page, next_cursor } = pageOf(list, rows, query.limit, (row) => row.created_seq)
  const summaries = await summariesOf(ports, scope.tenantId, page)
  const ids = body ? page.map((row) => row.id) : []
  const texts = await textsOf(ports, scope.tenantId, ids)
  return {
    messages: summaries.map((summary): ListedMessage => ({ ...summary, ...texts.get(summary.id) })),
    next_cursor,
    mode_used: 'keyword' as const,
  }
}
