import { expressionBuilder, type Transaction } from 'kysely'
import type { Caller } from '../accounts'
import { decodeCursor } from '../base'
import type { LogPorts } from '../log'
import { type MessageFilters, type MessagePorts, matches } from '../messages'
import { bodyTextOf, type SearchDocument, type SearchPhrase, selectVerbatim } from '../store'
import type { Database } from '../store/tables'
import { searchTerms, wordsOf } from './search-words'

const maxAtOnce = 25
const maxBodyCharacters = 100_000

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
  limit = maxAtOnce,
): Promise<SearchDocument[]> {
  const rows = await tx
    .selectFrom('messages')
    .select(indexedColumns)
    .select(selectVerbatim)
    .where('tenant_id', '=', tenantId)
    .where('created_seq', '>', after)
    .orderBy('created_seq')
    .limit(limit)
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
      rest: wordsOf([...names, bodyTextOf(row).slice(0, maxBodyCharacters)].join('\n')),
    }
    return { message_id: id, created_seq, words }
  })
}

/** Locks and reads the position up to which the messages of an account are in the index. */
async function lockCursor(
  { store }: Pick<LogPorts, 'store'>,
  tx: Transaction<Database>,
  tenantId: string,
): Promise<number> {
  await tx
    .insertInto('search_cursors')
    .values({ tenant_id: tenantId, seq: 0 })
    .onConflict((conflict) => conflict.column('tenant_id').doNothing())
    .execute()
  const cursor = tx.selectFrom('search_cursors').select('seq').where('tenant_id', '=', tenantId)
  const locked = store.dialect === 'postgres' ? cursor.forUpdate() : cursor
  return (await locked.executeTakeFirstOrThrow()).seq
}

/** Gives a message whose text has changed its new words; one that the index has yet to take in gets them then. */
export async function reindexMessage(
  ports: Pick<LogPorts, 'store'>,
  tx: Transaction<Database>,
  tenantId: string,
  createdSeq: number,
): Promise<void> {
  await lockCursor(ports, tx, tenantId)
  const [document] = await documentsAfter(tx, tenantId, createdSeq - 1, 1)
  if (document) await ports.store.search.replace(tx, tenantId, document)
}

/** Takes the next messages of an account into the index. False where that were the last ones. */
const indexSome = (ports: MessagePorts, tenantId: string): Promise<boolean> =>
  ports.store.write(async (tx) => {
    const isPostgres = ports.store.dialect === 'postgres'
    const account = tx.selectFrom('accounts').select('seq').where('tenant_id', '=', tenantId)
    // An account that is being erased stays so: nothing of it comes back behind.
    const [head] = await (isPostgres ? account.forKeyShare() : account).execute()
    if (!head) return false
    const seq = await lockCursor(ports, tx, tenantId)
    const documents = await documentsAfter(tx, tenantId, seq)
    await ports.store.search.add(tx, tenantId, documents)
    const isLast = documents.length < maxAtOnce
    const reached = Math.max(seq, documents.at(-1)?.created_seq ?? 0, isLast ? head.seq : 0)
    await tx.updateTable('search_cursors').set({ seq: reached }).where('tenant_id', '=', tenantId).execute()
    return !isLast
  })

/** Tells whether the log of an account has grown since its messages were taken into the index. */
async function hasGrown(ports: MessagePorts, tenantId: string): Promise<boolean> {
  const { db } = ports.store
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
export async function indexMessages(ports: MessagePorts, tenantId: string, pause = goOn): Promise<void> {
  if (!(await hasGrown(ports, tenantId))) return
  while ((await indexSome(ports, tenantId)) && (await pause()));
}

/** Accounts whose log has grown since their messages were taken into the index. */
export async function accountsToIndex(ports: MessagePorts, limit: number): Promise<string[]> {
  const rows = await ports.store.db
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

/** The filters that are looked for by words, each with its place in a message. */
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
  ports: MessagePorts,
  scope: Caller,
  list: string,
  query: SearchQuery,
): Promise<string[] | null> {
  const phrases = phrasesOf(query)
  if (phrases === null) return null
  if (phrases.length === 0) return []
  await indexMessages(ports, scope.tenantId)
  const where = expressionBuilder<Database, 'messages'>()
  return ports.store.search.find(ports.store.db, {
    tenantId: scope.tenantId,
    phrases,
    condition: matches(ports, scope, query)(where),
    order: query.order,
    after: query.cursor === undefined ? undefined : decodeCursor(list, query.cursor),
    limit: query.limit + 1,
  })
}
