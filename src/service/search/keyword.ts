import { mixedOf } from './conditions'
import { placesIn } from './in-order'
import type { Lookup } from './lookup'
import { type Clause, type IndexLeaf, isIndexed, type WordsLeaf } from './query-parts'
import { type Documents, gone, type Postings, type Segment } from './segments'
import { stemOf } from './terms'

// BM25 (Robertson and Zaragoza, "The Probabilistic Relevance Framework", 2009) over the segments of an
// account, with the statistics of only the messages in scope.

/** Saturation of repeated words (k1), and weight of the message length (b). */
const saturation = 1.5
const lengthWeight = 0.75

/** Maximum number of ranked words; of more, the rarest. */
export const maxWords = 64

/** Words to look up in the index. */
export interface KeywordPlan {
  /** Each with its count in the query. */
  readonly scored: readonly { readonly leaf: IndexLeaf; readonly times: number }[]
  readonly demanded: readonly Clause[]
}

/** Messages in scope of a search. */
export interface KeywordScope {
  /** The only inboxes; null for all. */
  readonly inboxIds: ReadonlySet<string> | null
  /** Last log position in scope. */
  readonly toSeq: number
}

/** Documents of a segment, each with its score. */
export interface ScoredDocuments {
  readonly seqs: Float64Array
  readonly scores: Float64Array
  /** 1 for each document that may be found; null if all may. */
  readonly allowed: Uint8Array | null
  /** Bits of the required conditions that the index cannot decide; null if it decides all. */
  readonly open: Uint32Array | null
}

/** Results, without a copy: in a large account they may be nearly all messages. */
export interface Matches {
  readonly parts: readonly ScoredDocuments[]
  /** A result has a score above this. */
  readonly least: number
}

export interface SearchedSegment {
  readonly segment: Segment
  readonly documents: Documents
}

/** Marks the documents of a segment in scope by 1; null if all are. */
function allowedOf(
  { segment, documents }: SearchedSegment,
  { inboxIds, toSeq }: KeywordScope,
): Uint8Array | null {
  const { seqs, lengths, inboxes } = documents
  const isWhole = inboxIds === null && segment.last_seq <= toSeq
  if (isWhole && segment.live === segment.documents) return null
  const isOpen = Uint8Array.from(documents.inboxIds, (id) => (inboxIds === null || inboxIds.has(id) ? 1 : 0))
  const allowed = new Uint8Array(seqs.length)
  for (let i = 0; i < seqs.length; i++)
    allowed[i] = lengths[i] !== gone && seqs[i]! <= toSeq && isOpen[inboxes[i]!] === 1 ? 1 : 0
  return allowed
}

function keepAllowed(postings: Postings, allowed: Uint8Array | null): Postings {
  if (allowed === null) return postings
  const kept = postings.documents.slice(0, postings.count)
  const weights = postings.weights.slice(0, postings.count)
  let count = 0
  for (let i = 0; i < kept.length; i++) {
    if (allowed[kept[i]!] === 0) continue
    kept[count] = kept[i]!
    weights[count++] = weights[i]!
  }
  return { count, documents: kept, weights }
}

interface OpenSegment extends SearchedSegment {
  readonly allowed: Uint8Array | null
}

/** Messages in scope, with their statistics. */
export interface OpenMail {
  readonly segments: readonly OpenSegment[]
  readonly messages: number
  readonly averageLength: number
}

/** Returns the documents in scope, their number and average length. */
export function openMail(searched: readonly SearchedSegment[], scope: KeywordScope): OpenMail {
  const segments = searched.map((one): OpenSegment => ({ ...one, allowed: allowedOf(one, scope) }))
  let messages = 0
  let words = 0
  for (const { segment, documents, allowed } of segments) {
    if (allowed === null) {
      messages += segment.live
      words += segment.words
      continue
    }
    for (let i = 0; i < allowed.length; i++) {
      if (allowed[i] === 0) continue
      messages++
      words += documents.lengths[i]!
    }
  }
  return { segments, messages, averageLength: Math.max(1, words / Math.max(1, messages)) }
}

interface Part extends OpenSegment {
  readonly postings: readonly Postings[]
}

/** Adds the worth of one condition to the scores of its documents. */
function addScores(
  scores: Float64Array,
  part: Part,
  which: number,
  worth: number,
  averageLength: number,
): void {
  const { count, documents, weights } = part.postings[which]!
  const { lengths } = part.documents
  const fixed = saturation * (1 - lengthWeight)
  const perWord = (saturation * lengthWeight) / averageLength
  for (let i = 0; i < count; i++) {
    const document = documents[i]!
    const weight = weights[i]!
    scores[document] =
      scores[document]! +
      (worth * weight * (saturation + 1)) / (weight + fixed + perWord * lengths[document]!)
  }
}

/** Marks the documents that meet any indexed alternative of a condition. */
function holdsIn(clause: Clause, part: SearchedSegment, lookup: Lookup): Uint8Array {
  const { segment } = part
  const holds = new Uint8Array(segment.documents)
  for (const { leaf, isDenied } of clause) {
    if (!isIndexed(leaf)) continue
    const { count, documents } = lookup.postings(segment, leaf)
    if (!isDenied) for (let i = 0; i < count; i++) holds[documents[i]!] = 1
    else {
      const has = new Uint8Array(segment.documents)
      for (let i = 0; i < count; i++) has[documents[i]!] = 1
      for (let i = 0; i < has.length; i++) if (has[i] === 0) holds[i] = 1
    }
  }
  return holds
}

/** Intersects marked documents, in place. */
function both(some: Uint8Array, others: Uint8Array): Uint8Array {
  for (let i = 0; i < some.length; i++) if (others[i] === 0) some[i] = 0
  return some
}

/** Marks the documents in scope that meet all indexed conditions; null if all do. */
function fitting(told: readonly Clause[], part: OpenSegment, lookup: Lookup): Uint8Array | null {
  const all = [...told.map((clause) => holdsIn(clause, part, lookup)), part.allowed].filter(
    (one) => one !== null,
  )
  return all.length === 0 ? null : all.reduce(both)
}

/** Sets for each document the bits of conditions that only alternatives outside the index may still meet. */
function openIn(mixed: readonly Clause[], part: OpenSegment, lookup: Lookup): Uint32Array | null {
  if (mixed.length === 0) return null
  const open = new Uint32Array(part.segment.documents)
  for (const [bit, clause] of mixed.entries()) {
    const holds = holdsIn(clause, part, lookup)
    for (let i = 0; i < holds.length; i++) if (holds[i] === 0) open[i] = (open[i]! | (1 << bit)) >>> 0
  }
  return open
}

const worthOf = (having: number, messages: number) => Math.log(1 + (messages - having + 0.5) / (having + 0.5))

/**
 * Scores the documents that meet the required conditions by their words; unranked, all of them are results.
 */
export function scoreMail(
  { segments, messages, averageLength }: OpenMail,
  lookup: Lookup,
  plan: KeywordPlan,
  isRanked: boolean,
): Matches {
  const parts = segments.map((one): Part => {
    const of = ({ leaf }: KeywordPlan['scored'][number]) => lookup.postings(one.segment, leaf)
    return { ...one, postings: plan.scored.map((scored) => keepAllowed(of(scored), one.allowed)) }
  })
  const worths = plan.scored.map(({ times }, which) => {
    const having = parts.reduce((sum, { postings }) => sum + postings[which]!.count, 0)
    return times * worthOf(having, messages)
  })
  const told = plan.demanded.filter((clause) => clause.every(({ leaf }) => isIndexed(leaf)))
  const mixed = mixedOf(plan.demanded)
  const scored = parts.map((part): ScoredDocuments => {
    const scores = new Float64Array(part.segment.documents)
    for (const [which, worth] of worths.entries()) addScores(scores, part, which, worth, averageLength)
    const allowed = fitting(told, part, lookup)
    return { seqs: part.documents.seqs, scores, allowed, open: openIn(mixed, part, lookup) }
  })
  return { parts: scored, least: isRanked ? 0 : Number.NEGATIVE_INFINITY }
}

/**
 * Moves the messages in scope at these log positions out of the parts, with any score. In the parts their
 * scores become 0.
 */
export function takeOut(parts: readonly ScoredDocuments[], wanted: Float64Array): ScoredDocuments {
  const placeOf = placesIn(wanted.toSorted())
  const taken: { seq: number; score: number; open: number }[] = []
  for (const { seqs, scores, allowed, open } of parts)
    for (let i = 0; i < seqs.length; i++) {
      if (placeOf(seqs[i]!) < 0 || allowed?.[i] === 0) continue
      taken.push({ seq: seqs[i]!, score: scores[i]!, open: open?.[i] ?? 0 })
      scores[i] = 0
    }
  return {
    seqs: Float64Array.from(taken, ({ seq }) => seq),
    scores: Float64Array.from(taken, ({ score }) => score),
    allowed: null,
    open: Uint32Array.from(taken, ({ open }) => open),
  }
}

/** Returns the ranked words, each once with its count; of too many, the rarest that exist. */
export function chooseWords(
  ranked: readonly WordsLeaf[],
  rarity: ((leaf: WordsLeaf) => number) | null,
): { leaf: WordsLeaf; times: number }[] {
  const byKey = new Map<string, { leaf: WordsLeaf; times: number }>()
  for (const leaf of ranked) {
    const key = `${leaf.words.map(stemOf).join(' ')}${leaf.isPrefix ? '*' : ''}`
    const known = byKey.get(key)
    if (known) known.times++
    else byKey.set(key, { leaf, times: 1 })
  }
  const all = [...byKey.values()]
  if (rarity === null || all.length <= maxWords) return all
  return all
    .map((one) => ({ one, having: rarity(one.leaf) }))
    .sort((first, second) => first.having - second.having)
    .slice(0, maxWords)
    .map(({ one }) => one)
}
