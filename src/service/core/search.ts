import { expressionBuilder, type Transaction } from 'kysely'
import type { Database } from '../store/schema'
import type { SearchDocument } from '../store/search-index'
import type { Core } from './context'
import { readCursor } from './cursor'
import type { Scope } from './keys'
import { type MessageFilters, matches } from './message-filters'
import { searchTerms, wordsOf } from './search-words'

/** Topic that is woken when there are messages whose words are not in the index yet. */
export const searchTopic = 'search'

const mostAtOnce = 25
const mostBodyCharacters = 100_000

const indexedColumns = [
  'id',
  'created_seq',
  'from_addr',
  'from_name',
  'to_addrs',
  'cc_addrs',
  'bcc_addrs',
  'subject',
  'body_text',
] as const

async function documentsAfter(
  tx: Transaction<Database>,
  tenantId: string,
  after: number,
): Promise<SearchDocument[]> {
  const rows = await tx
    .selectFrom('messages')
    .select(indexedColumns)
    .where('tenant_id', '=', tenantId)
    .where('created_seq', '>', after)
    .orderBy('created_seq')
    .limit(mostAtOnce)
    .execute()
  if (rows.length === 0) return []
  const files = await tx
    .selectFrom('attachments')
    .select(['message_id', 'filename'])
    .where('tenant_id', '=', tenantId)
    .where(
      'message_id',
      'in',
      rows.map((row) => row.id),
    )
    .execute()
  return rows.map((row) => {
    const names = files.filter((file) => file.message_id === row.id).map((file) => file.filename ?? '')
    const { id, created_seq, from_addr, from_name, to_addrs, cc_addrs, bcc_addrs, subject } = row
    const body = row.body_text.slice(0, mostBodyCharacters)
    const texts = [subject, from_name ?? '', from_addr, to_addrs, cc_addrs, bcc_addrs, ...names, body]
    return { message_id: id, created_seq, words: wordsOf(texts.join(' \n')) }
  })
}

/** Takes the next messages of an account into the index. False where that were the last ones. */
const indexSome = (core: Core, tenantId: string): Promise<boolean> =>
  core.store.write(async (tx) => {
    await tx
      .insertInto('search_cursors')
      .values({ tenant_id: tenantId, seq: 0 })
      .onConflict((conflict) => conflict.column('tenant_id').doNothing())
      .execute()
    const cursor = tx.selectFrom('search_cursors').select('seq').where('tenant_id', '=', tenantId)
    const locked = core.store.dialect === 'postgres' ? cursor.forUpdate() : cursor
    const { seq } = await locked.executeTakeFirstOrThrow()
    const account = tx.selectFrom('accounts').select('seq').where('tenant_id', '=', tenantId)
    const head = (await account.executeTakeFirst())?.seq ?? 0
    const documents = await documentsAfter(tx, tenantId, seq)
    await core.store.search.add(tx, tenantId, documents)
    const isLast = documents.length < mostAtOnce
    const reached = Math.max(seq, documents.at(-1)?.created_seq ?? 0, isLast ? head : 0)
    await tx.updateTable('search_cursors').set({ seq: reached }).where('tenant_id', '=', tenantId).execute()
    return !isLast
  })

/** Takes all messages of an account into the index that are not in it yet. */
export async function indexMessages(core: Core, tenantId: string): Promise<void> {
  while (await indexSome(core, tenantId)) await new Promise(setImmediate)
}

/** Accounts whose log has grown since their messages were taken into the index. */
export async function accountsToIndex(core: Core, limit: number): Promise<string[]> {
  const rows = await core.store.db
    .selectFrom('accounts')
    .leftJoin('search_cursors', 'search_cursors.tenant_id', 'accounts.tenant_id')
    .select('accounts.tenant_id')
    .where((or) =>
      or.or([or('search_cursors.seq', 'is', null), or('accounts.seq', '>', or.ref('search_cursors.seq'))]),
    )
    .limit(limit)
    .execute()
  return rows.map((row) => row.tenant_id)
}

export interface SearchQuery extends MessageFilters {
  q: string
  order: 'asc' | 'desc'
  limit: number
  cursor?: string | undefined
}

/** The ids of the messages that have all that is looked for, one more than the limit where there are more. */
export async function searchMessages(
  core: Core,
  scope: Scope,
  list: string,
  query: SearchQuery,
): Promise<string[]> {
  const phrases = searchTerms(query.q)
  if (phrases.length === 0) return []
  await indexMessages(core, scope.tenantId)
  const where = expressionBuilder<Database, 'messages'>()
  const { tenantId, inboxId } = scope
  const filters = inboxId ? [where('messages.inbox_id', '=', inboxId)] : []
  return core.store.search.find(core.store.db, {
    tenantId,
    phrases,
    condition: where.and([matches(core, query)(where), ...filters]),
    order: query.order,
    after: query.cursor === undefined ? undefined : readCursor(list, query.cursor),
    limit: query.limit + 1,
  })
}
