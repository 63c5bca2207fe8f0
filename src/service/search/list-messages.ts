import type { Highlights, ListedMessage } from '../../protocol/records/message'
import { requireReader } from '../accounts/account'
import type { Caller, Scope } from '../accounts/keys'
import { decodeCursor, pageOf } from '../base/cursor'
import { seesNames } from '../base/sender'
import { findLabelId } from '../messages/labels'
import { matches } from '../messages/message-filters'
import { summariesOf } from '../messages/messages'
import { summaryColumns } from '../messages/records'
import { isOfMessagesOnly } from '../messages/system-labels'
import { findThread } from '../messages/threads'
import { listedTextOf, selectListedText, selectShortText } from '../store/message-text'
import { fileHighlightsOf } from './file-texts'
import { highlightsOf, soughtIn } from './highlight'
import {
  listOf,
  type Order,
  positionOf,
  type SearchPorts,
  type SearchQuery,
  type SearchResult,
  searchMessages,
} from './search'

const list = 'messages'
const noFiles: ReadonlyMap<string, Highlights['files']> = new Map()

/** Selection of messages as requested. */
export interface Selection extends Omit<SearchQuery, 'labelId' | 'withoutLabelId' | 'order'> {
  /** Name or id. */
  label?: string | undefined
  /** Name or id of a label that they do not have. */
  without?: string | undefined
  /** By relevance with `q`, newest first without. */
  order?: Order | undefined
}

interface MessageQuery extends Selection {
  /** True to include the text of messages. */
  body: boolean
  /** True to include highlights. */
  highlight: boolean
}

const inTime = ({ order }: SearchQuery) => (order === 'asc' ? 'asc' : 'desc')
const beyond = ({ order }: SearchQuery) => (order === 'asc' ? '>' : '<')

const selectSummaries = ({ store }: SearchPorts, { tenantId }: Scope) =>
  store.db
    .selectFrom('messages')
    .select(summaryColumns)
    .select(selectShortText)
    .where('tenant_id', '=', tenantId)

function selectMessages(ports: SearchPorts, scope: Caller, query: SearchQuery) {
  const select = selectSummaries(ports, scope)
    .where(matches(scope, query))
    .orderBy('created_seq', inTime(query))
    .limit(query.limit + 1)
  if (query.cursor === undefined) return select
  return select.where('created_seq', beyond(query), decodeCursor(list, query.cursor))
}

/** Returns the ids of messages with a label, found by the label: few of many may have it. */
async function labelledMessages(ports: SearchPorts, scope: Caller, query: SearchQuery, labelId: string) {
  let select = ports.store.db
    .selectFrom('message_labels')
    .crossJoin('messages')
    .select('messages.id')
    .where('message_labels.tenant_id', '=', scope.tenantId)
    .where('message_labels.label_id', '=', labelId)
    .whereRef('messages.tenant_id', '=', 'message_labels.tenant_id')
    .whereRef('messages.id', '=', 'message_labels.message_id')
    .where(matches(scope, query))
    .orderBy('message_labels.created_seq', inTime(query))
    .limit(query.limit + 1)
  if (query.cursor !== undefined)
    select = select.where('message_labels.created_seq', beyond(query), decodeCursor(list, query.cursor))
  return (await select.execute()).map((row) => row.id)
}

/** Resolves names and former ids to current ids; null if there is no such label or thread. */
export async function resolved(
  ports: SearchPorts,
  { tenantId, inboxId }: Scope,
  { label, without, thread_id, order, ...query }: Selection,
): Promise<SearchQuery | null> {
  const { db } = ports.store
  const labelId = label === undefined ? undefined : await findLabelId(db, tenantId, label)
  const thread = thread_id === undefined ? undefined : ((await findThread(db, tenantId, thread_id)) ?? null)
  const withoutLabelId = without === undefined ? null : await findLabelId(db, tenantId, without)
  if (labelId === null || thread === null) return null
  if (thread && inboxId !== null && thread.inbox_id !== inboxId) return null
  const usual = query.q === undefined ? 'desc' : 'relevance'
  return {
    ...query,
    order: order ?? usual,
    labelId,
    withoutLabelId: withoutLabelId ?? undefined,
    thread_id: thread?.id,
  }
}

/** Returns messages in time order, without a text search. */
async function listedPage(ports: SearchPorts, scope: Caller, query: SearchQuery) {
  const { labelId } = query
  if (labelId === undefined || isOfMessagesOnly(labelId)) {
    const rows = await selectMessages(ports, scope, query).execute()
    return pageOf(list, rows, query.limit, (row) => row.created_seq)
  }
  const ids = await labelledMessages(ports, scope, query, labelId)
  const rows =
    ids.length === 0
      ? []
      : await selectSummaries(ports, scope)
          .where('id', 'in', ids)
          .orderBy('created_seq', inTime(query))
          .execute()
  return pageOf(list, rows, query.limit, (row) => row.created_seq)
}

async function foundPage(
  ports: SearchPorts,
  scope: Caller,
  { order, limit }: SearchQuery,
  { hits, toSeq }: SearchResult,
) {
  const { page, next_cursor } = pageOf(listOf(order), [...hits], limit, (hit) =>
    positionOf(order, toSeq, hit),
  )
  const ids = page.map(({ id }) => id)
  const rows = ids.length === 0 ? [] : await selectSummaries(ports, scope).where('id', 'in', ids).execute()
  const byId = new Map(rows.map((row) => [row.id, row]))
  return { page: ids.flatMap((id) => byId.get(id) ?? []), next_cursor }
}

type Texts = Pick<ListedMessage, 'body_text' | 'body_truncated'>

/** Returns the texts of messages, by message. */
async function textsOf(
  { store: { db } }: SearchPorts,
  tenantId: string,
  ids: readonly string[],
): Promise<Map<string, Texts>> {
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

/** Returns messages that the key reaches, in time order, or best first for a text search. */
export async function listMessages(
  ports: SearchPorts,
  scope: Caller,
  { body, highlight, ...asked }: MessageQuery,
) {
  requireReader(ports, scope)
  const query = await resolved(ports, scope, asked)
  const found = query && (await searchMessages(ports, scope, query))
  const { page, next_cursor } = !query
    ? { page: [], next_cursor: null }
    : found
      ? await foundPage(ports, scope, query, found)
      : await listedPage(ports, scope, query)
  const summaries = await summariesOf(ports, scope.tenantId, page, seesNames(scope))
  const isShown = highlight && found
  const texts = await textsOf(ports, scope.tenantId, body || isShown ? page.map((row) => row.id) : [])
  const isSought = isShown ? soughtIn(found.leaves) : undefined
  const files = isSought ? await fileHighlightsOf(ports.store, scope.tenantId, page, isSought) : noFiles
  return {
    messages: summaries.map((summary): ListedMessage => {
      const text = texts.get(summary.id)
      const highlights: { highlights?: Highlights } = isSought
        ? {
            highlights: highlightsOf(
              summary.subject,
              text?.body_text ?? '',
              files.get(summary.id) ?? [],
              isSought,
            ),
          }
        : {}
      return { ...summary, ...(body && text), ...highlights }
    }),
    next_cursor,
    mode_used: found?.modeUsed ?? ('keyword' as const),
    warnings: found ? [...found.warnings] : [],
  }
}
