import { expressionBuilder, type Transaction } from 'kysely'
import type { Database } from '../store/schema'
import type { SearchDocument, SearchPhrase } from '../store/search-index'
import type { Core } from './context'
import { readCursor } from './cursor'
import type { Caller } from './keys'
import { type MessageFilters, matches } from './message-filters'
import { bodyTextOf, selectVerbatim } from './message-text'
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
    .select(selectVerbatim)
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
    const words = {
      subject: wordsOf(subject),
      sender: wordsOf(`${from_name ?? ''} ${from_addr}`),
      recipients: wordsOf([to_addrs, cc_addrs, bcc_addrs].join(' ')),
      rest: wordsOf([...names, bodyTextOf(row).slice(0, mostBodyCharacters)].join('\n')),
    }
    return { message_id: id, created_seq, words }
  })
}

/** Takes the next messages of an account into the index. False where that were the last ones. */
const indexSome = (core: Core, tenantId: string): Promise<boolean> =>
  core.store.write(async (tx) => {
    const isPostgres = core.store.dialect === 'postgres'
    const account = tx.selectFrom('accounts').select('seq').where('tenant_id', '=', tenantId)
    // An account that is being erased stays so: nothing of it comes back behind.
    const [head] = await (isPostgres ? account.forKeyShare() : account).execute()
    if (!head) return false
    await tx
      .insertInto('search_cursors')
      .values({ tenant_id: tenantId, seq: 0 })
      .onConflict((conflict) => conflict.column('tenant_id').doNothing())
      .execute()
    const cursor = tx.selectFrom('search_cursors').select('seq').where('tenant_id', '=', tenantId)
    const { seq } = await (isPostgres ? cursor.forUpdate() : cursor).executeTakeFirstOrThrow()
    const documents = await documentsAfter(tx, tenantId, seq)
    await core.store.search.add(tx, tenantId, documents)
    const isLast = documents.length < mostAtOnce
    const reached = Math.max(seq, documents.at(-1)?.created_seq ?? 0, isLast ? head.seq : 0)
    await tx.updateTable('search_cursors').set({ seq: reached }).where('tenant_id', '=', tenantId).execute()
    return !isLast
  })

/** Whether the log of an account has grown since its messages were taken into the index. */
async function hasGrown(core: Core, tenantId: string): Promise<boolean> {
  const { db } = core.store
  const account = db.selectFrom('accounts').select('seq').where('tenant_id', '=', tenantId)
  const cursor = db.selectFrom('search_cursors').select('seq').where('tenant_id', '=', tenantId)
  const [head, reached] = [await account.executeTakeFirst(), await cursor.executeTakeFirst()]
  return head?.seq !== reached?.seq
}

/** Lets everything else have its turn. */
const goOn = (): Promise<boolean> => new Promise((resolve) => setImmediate(resolve, true))

/**
 * Takes all messages of an account into the index that are not in it yet, with pauses for what else there is to do;
 * one that gives false ends it.
 */
export async function indexMessages(core: Core, tenantId: string, pause = goOn): Promise<void> {
  if (!(await hasGrown(core, tenantId))) return
  while ((await indexSome(core, tenantId)) && (await pause()));
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
  q?: string | undefined
  order: 'asc' | 'desc'
  limit: number
  cursor?: string | undefined
}

/** What is looked for by words, and in which place of a message. */
const lookedFor = { q: undefined, subject: 'subject', from: 'sender', to: 'recipients' } as const

type Texts = Pick<SearchQuery, keyof typeof lookedFor>

/** Null where nothing is looked for by words; empty where there is no word in what is. */
function phrasesOf(query: Texts): SearchPhrase[] | null {
  const given = (Object.keys(lookedFor) as (keyof Texts)[]).filter((name) => query[name] !== undefined)
  if (given.length === 0) return null
  const phrases = given.map((name) =>
    searchTerms(query[name]!).map((term) => ({ ...term, field: lookedFor[name] })),
  )
  return phrases.some((terms) => terms.length === 0) ? [] : phrases.flat()
}

/**
 * The ids of the messages that have all that is looked for, one more than the limit where there are more; null
 * where nothing is looked for by words.
 */
export async function searchMessages(
  core: Core,
  scope: Caller,
  list: string,
  query: SearchQuery,
): Promise<string[] | null> {
  const phrases = phrasesOf(query)
  if (phrases === null) return null
  if (phrases.length === 0) return []
  await indexMessages(core, scope.tenantId)
  const where = expressionBuilder<Database, 'messages'>()
  return core.store.search.find(core.store.db, {
    tenantId: scope.tenantId,
    phrases,
    condition: matches(core, scope, query)(where),
    order: query.order,
    after: query.cursor === undefined ? undefined : readCursor(list, query.cursor),
    limit: query.limit + 1,
  })
}
