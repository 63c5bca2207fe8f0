import { sql } from 'kysely'
import type { SearchMode, SearchWarning } from '../../protocol/routes/params'
import type { Caller } from '../accounts/keys'
import { decodeCursor, decodeNumbersCursor, positionOfNumbers } from '../base/cursor'
import { type MessageFilters, matches } from '../messages/message-filters'
import type { MessagePorts } from '../messages/ports'
import { bestOf, type Found, type Place } from './best'
import { type Conditions, conditionsOf } from './conditions'
import { withCorrections, withRelated } from './expansion'
import { fuse, maxReranked, minZScore, onlySemantic, reranked } from './fusion'
import { type IndexPorts, indexMessages } from './index-messages'
import {
  chooseWords,
  type KeywordMatches,
  type KeywordPlan,
  type KeywordScope,
  type Matches,
  maxWords,
  type OpenMail,
  openMail,
  putFirst,
  scoreMail,
  takeOut,
} from './keyword'
import { Lookup } from './lookup'
import { type Query, readPart, readQuery } from './query'
import { type Clause, isIndexed, type Leaf, type WordsLeaf } from './query-parts'
import { documentsOfSegments, selectSegments } from './segments/rows'
import type { NearMessages } from './semantic/scan'
import type { SemanticQuery, SemanticScope } from './semantic/semantic-search'
import { isForeign } from './terms/language'
import { soughtTokens } from './terms/tokens'

export type Order = 'relevance' | 'desc' | 'asc'

export interface SearchPorts extends MessagePorts, IndexPorts {}

/** A search: filters, and words in all fields or one. */
export interface SearchQuery extends MessageFilters {
  q?: string | undefined
  from?: string | undefined
  to?: string | undefined
  subject?: string | undefined
  mode?: SearchMode | undefined
  order: Order
  limit: number
  cursor?: string | undefined
  /** Last log position in scope, if it is known. */
  toSeq?: number | undefined
}

/** A found message. */
export interface Hit extends Place {
  readonly id: string
  readonly thread_id: string
}

/** A page of results, best first, with one more than the limit if there are more. */
export interface SearchResult {
  readonly hits: readonly Hit[]
  readonly modeUsed: SearchMode
  readonly warnings: readonly SearchWarning[]
  /** Last log position in scope: later messages do not change the next pages. */
  readonly toSeq: number
  /** Words of the query. */
  readonly leaves: readonly WordsLeaf[]
}

/** A parsed search. */
interface Asked {
  readonly query: Query
  readonly demanded: readonly Clause[]
}

/** Returns null if a given text has no words. */
function readAsked(asked: SearchQuery, nowMs: number): Asked | null {
  const query = readQuery(asked.q ?? '', nowMs)
  const isEmpty = query.ranked.length === 0 && query.demanded.length === 0
  if (asked.q !== undefined && isEmpty) return null
  const places = { subject: asked.subject, sender: asked.from, recipients: asked.to }
  const parts = Object.entries(places).map(([field, text]) =>
    text === undefined ? [] : readPart(field as keyof typeof places, text),
  )
  if (parts.includes(null)) return null
  return { query, demanded: [...parts.flatMap((part) => part ?? []), ...query.demanded] }
}

const wordsIn = (clauses: readonly Clause[]): WordsLeaf[] =>
  clauses.flatMap((clause) =>
    clause.flatMap(({ leaf, isDenied }) => (leaf.kind === 'words' && !isDenied ? [leaf] : [])),
  )

/** Returns all conditions of a plan. */
const leavesOf = ({ scored, demanded }: KeywordPlan): Leaf[] => [
  ...scored.flatMap(({ leaf, others = [] }) => [leaf, ...others.map((other) => other.leaf)]),
  ...demanded.flat().map(({ leaf }) => leaf),
]

/** Returns the plan; in time order nothing is ranked, and every word is required. */
function planOf({ query, demanded }: Asked, order: Order, ranked: KeywordPlan['scored']): KeywordPlan {
  if (order !== 'relevance') {
    const words = query.ranked.map((leaf): Clause => [{ leaf, isDenied: false }])
    return { scored: [], demanded: [...demanded, ...words] }
  }
  const demandedWords = wordsIn(demanded).filter(({ field }) => field === null)
  const scored = [...ranked, ...demandedWords.map((leaf) => ({ leaf, times: 1 }))]
  return { scored, demanded }
}

const tooManyWords = `More than ${maxWords} words: the ${maxWords} rarest count.`

async function chosenWords(lookup: Lookup, query: Query, warnings: SearchWarning[]) {
  const all = chooseWords(query.ranked, null)
  const words = all.filter(({ leaf }) => leaf.words.length === 1)
  if (words.length <= maxWords) return all
  warnings.push({ column: 1, message: tooManyWords })
  const rarity = await lookup.rarity(words.map(({ leaf }) => leaf))
  return chooseWords(
    words.flatMap(({ leaf, times }) => Array<WordsLeaf>(times).fill(leaf)),
    rarity,
  )
}

/** Loads the messages in scope. */
async function mailIn(ports: SearchPorts, scope: KeywordScope & { tenantId: string }): Promise<OpenMail> {
  const { db } = ports.store
  const { tenantId } = scope
  const segments = (await selectSegments(db, tenantId).execute()).filter(
    (one) => one.first_seq <= scope.toSeq,
  )
  const documents = await documentsOfSegments(db, tenantId, segments)
  const searched = segments.flatMap((segment) => {
    const found = documents.get(segment.id)
    return found ? [{ segment, documents: found }] : []
  })
  return openMail(searched, scope)
}

/** Searches the word index of an account. */
async function findByWords(
  ports: SearchPorts,
  tenantId: string,
  mail: OpenMail,
  asked: Asked,
  order: Order,
  warnings: SearchWarning[],
) {
  const { db, dialect } = ports.store
  const segments = mail.segments.map(({ segment }) => segment)
  const bySize = segments.toSorted((one, other) => other.documents - one.documents)
  const lookup = new Lookup({ db, dialect, tenantId, segments: bySize })
  const chosen = await chosenWords(lookup, asked.query, warnings)
  const isRanked = order === 'relevance' && asked.query.ranked.length > 0
  const words = isRanked ? withRelated(chosen, asked.query) : chosen
  const uncorrected = planOf(asked, order, words)
  await lookup.read(leavesOf(uncorrected).filter(isIndexed))
  for (const prefix of lookup.cut)
    warnings.push({ column: 1, message: `Too many words begin with ${prefix}: only some of them count.` })
  if (!isRanked) return { plan: uncorrected, scored: scoreMail(mail, lookup, uncorrected, isRanked) }
  const corrected = await withCorrections(words, lookup, mail, asked.query, warnings)
  const plan = planOf(asked, order, corrected)
  await lookup.read(leavesOf(plan).filter(isIndexed))
  return { plan, scored: scoreMail(mail, lookup, plan, isRanked) }
}

/** Maximum number of nearest messages in a semantic search. */
const maxNearest = 1_000
/** Number of best results that count as relevant, so that similar ones rank higher. */
const likeBest = 3

/**
 * Searches by embedding, combined with the keyword scores in hybrid mode, which it changes. A message without
 * words of the query must stand out among all. Null if the search is impossible; then the scores are
 * unchanged.
 */
async function findBySimilarity(
  query: SemanticQuery,
  nearest: Promise<NearMessages | null>,
  { parts }: Matches,
  mode: SearchMode,
): Promise<Matches | null> {
  const near = await nearest
  if (near === null || near.seqs.length === 0) return null
  const outstanding = near.seqs.filter((_, i) => near.zScores[i]! > minZScore)
  const wordy = bestOf({ parts, least: 0 }, maxNearest)
  const among = Float64Array.of(...outstanding, ...wordy.map(({ seq }) => seq))
  const some = takeOut(parts, among)
  if (mode === 'semantic') return onlySemantic(some, near)
  const words = { some, others: parts, most: wordy[0]?.score ?? 1 }
  const best = bestOf(fuse({ ...words, others: [] }, near), likeBest).map(({ seq }) => seq)
  return fuse(words, (await query.among(among, best)) ?? near)
}

/** Starts to embed a query; null if it is not English, and the embedder knows nothing else. */
function seek({ semantics }: SearchPorts, scope: SemanticScope, text: string): SemanticQuery | null {
  if (semantics.isEnglish && isForeign(soughtTokens(text))) return null
  return semantics.seek(scope, text)
}

/** Ranks what words have found by similarity, too; null if no message has a vector. */
async function rankAgain(query: SemanticQuery, found: KeywordMatches, mode: 'hybrid' | 'semantic') {
  const best = bestOf(found, maxReranked)
  const near = await query.among(
    Float64Array.from(best, ({ seq }) => seq),
    [],
  )
  return near && near.seqs.length > 0 ? reranked(found, best, near, mode) : null
}

/** Returns the results that pass the other filters. */
async function passing(
  ports: SearchPorts,
  scope: Caller,
  filters: MessageFilters,
  { always, open }: Conditions,
  found: readonly Found[],
): Promise<Hit[]> {
  if (found.length === 0) return []
  const bits = open.map(
    ({ bit, holds }) => sql<number>`case when ${holds} then ${sql.lit(1 << bit)} else 0 end`,
  )
  const rows = await ports.store.db
    .selectFrom('messages')
    .select(['id', 'thread_id', 'created_seq'])
    .select((bits.length === 0 ? sql<number>`0` : sql<number>`(${sql.join(bits, sql` + `)})`).as('holds'))
    .where('tenant_id', '=', scope.tenantId)
    .where(
      'created_seq',
      'in',
      found.map(({ seq }) => seq),
    )
    .where(matches(scope, filters))
    .where((eb) => eb.and([...always]))
    .execute()
  const bySeq = new Map(rows.map((row) => [row.created_seq, row]))
  return found.flatMap(({ seq, score, open }) => {
    const row = bySeq.get(seq)
    return row && (open & ~Number(row.holds)) === 0
      ? [{ seq, score, id: row.id, thread_id: row.thread_id }]
      : []
  })
}

const maxChunk = 4_000

/** Returns the best results that pass the filters; if few pass, more are checked. */
async function firstPassing(
  found: Matches,
  limit: number,
  after: Place | undefined,
  pass: (some: readonly Found[]) => Promise<Hit[]>,
): Promise<Hit[]> {
  const hits: Hit[] = []
  let from = after
  for (let size = limit + 5; ; size = Math.min(maxChunk, size * 4)) {
    const some = bestOf(found, size, from)
    hits.push(...(await pass(some)))
    if (hits.length >= limit || some.length < size) return hits.slice(0, limit)
    from = some.at(-1)
  }
}

const list = 'messages'
const byRelevance = 'messages-by-relevance'

/** Returns the position of a cursor after a result. */
export const positionOf = (order: Order, toSeq: number, { seq, score }: Place): number | string =>
  order === 'relevance' ? positionOfNumbers([toSeq, score, seq]) : seq

/** Returns the name of the list for cursors of this order. */
export const listOf = (order: Order): string => (order === 'relevance' ? byRelevance : list)

function placeOf(order: Order, cursor: string): { after: Place; toSeq: number } {
  if (order === 'relevance') {
    const [toSeq = 0, score = 0, seq = 0] = decodeNumbersCursor(byRelevance, cursor)
    return { toSeq, after: { score, seq } }
  }
  const seq = decodeCursor(list, cursor)
  return { toSeq: Number.MAX_SAFE_INTEGER, after: { seq, score: order === 'asc' ? -seq : 0 } }
}

/** Replaces the scores by the time order. */
function inOrder(found: Matches, order: Order): Matches {
  if (order !== 'relevance')
    for (const { seqs, scores } of found.parts)
      for (let i = 0; i < scores.length; i++) scores[i] = order === 'asc' ? -seqs[i]! : 0
  return found
}

/** Searches by keywords and embedding. Null if there is no query. */
export async function searchMessages(
  ports: SearchPorts,
  scope: Caller,
  request: SearchQuery,
): Promise<SearchResult | null> {
  const { q, subject, from, to, mode = 'hybrid', order, limit, cursor, toSeq: asOf, ...filters } = request
  if ([q, subject, from, to].every((text) => text === undefined)) return null
  const nothing = { hits: [], modeUsed: 'keyword', warnings: [], toSeq: 0, leaves: [] } as const
  const asked = readAsked(request, ports.clock.now())
  if (asked === null)
    return { ...nothing, warnings: [{ column: 1, message: 'There is no word in it to look for.' }] }
  const { tenantId } = scope
  const page = cursor === undefined ? undefined : placeOf(order, cursor)
  await indexMessages(ports, tenantId)
  const toSeq = Math.min(
    asOf ?? page?.toSeq ?? (await headOf(ports, tenantId, order)),
    filters.to_seq ?? Number.MAX_SAFE_INTEGER,
  )
  const inboxIds = inboxesOf(scope, filters)
  const where = { tenantId, inboxIds, toSeq }
  const warnings = [...asked.query.warnings]
  const mail = await mailIn(ports, where)
  const isSemantic = order === 'relevance' && mode !== 'keyword'
  const query = isSemantic ? seek(ports, where, asked.query.text) : null
  // Another thread compares vectors while this one searches the index.
  const nearest = query?.isBuiltIn ? undefined : query?.nearest(maxNearest)
  const { plan, scored } = await findByWords(ports, tenantId, mail, asked, order, warnings)
  const similar =
    query === null || mode === 'keyword'
      ? null
      : nearest
        ? await findBySimilarity(query, nearest, scored, mode)
        : await rankAgain(query, scored, mode)
  const found = putFirst(similar ?? inOrder(scored, order), scored.alone)
  const conditions = await conditionsOf(ports, tenantId, plan.demanded)
  const include = asked.query.include ?? filters.include
  const hits = await firstPassing(found, limit + 1, page?.after, (some) =>
    passing(ports, scope, { ...filters, include }, conditions, some),
  )
  const counting = plan.scored.flatMap(({ leaf, others = [] }) => [
    leaf,
    ...others.map((other) => other.leaf),
  ])
  const leaves = [...wordsIn(asked.demanded), ...asked.query.ranked, ...counting]
  return { hits, modeUsed: similar ? mode : 'keyword', warnings, toSeq, leaves }
}

/** Returns the end of the index: messages that arrive later do not change the pages. */
async function headOf(ports: SearchPorts, tenantId: string, order: Order): Promise<number> {
  if (order !== 'relevance') return Number.MAX_SAFE_INTEGER
  const row = await ports.store.db
    .selectFrom('search_cursors')
    .select('seq')
    .where('tenant_id', '=', tenantId)
    .executeTakeFirst()
  return row?.seq ?? 0
}

/** Returns the inboxes in scope; null for all. */
function inboxesOf({ inboxId }: Caller, { inbox_id }: MessageFilters): ReadonlySet<string> | null {
  if (inboxId === null) return inbox_id === undefined ? null : new Set([inbox_id])
  return new Set(inbox_id === undefined || inbox_id === inboxId ? [inboxId] : [])
}
