import { mixedOf } from './conditions'
import { placesIn } from './in-order'
import type { Lookup } from './lookup'
import { type Clause, type IndexLeaf, isIndexed, type WordsLeaf } from './query-parts'
import { type Documents, gone, type Postings, type Segment } from './segments'
import { stemOf } from './terms'

// BM25 (Robertson and Zaragoza, "The Probabilistic Relevance Framework", 2009) over the segments of an account, with the
// statistics of the mail that may be found and of no other.

/** The repetition at which a word counts no more, and the weight of the length of a message. */
const saturation = 1.5
const lengthWeight = 0.75

/** The most words that are ranked; of more, the rarest. */
export const maxWords = 64

/** The words to be looked for in the index. */
export interface KeywordPlan {
  /** Each with how often it was asked for. */
  readonly scored: readonly { readonly leaf: IndexLeaf; readonly times: number }[]
  readonly demanded: readonly Clause[]
}

/** The mail that may be found. */
export interface KeywordScope {
  /** The only inboxes; null for all. */
  readonly inboxIds: ReadonlySet<string> | null
  /** The last place in the log that counts. */
  readonly toSeq: number
}

/** Documents, as a segment has them, each with its score. */
export interface ScoredDocuments {
  readonly seqs: Float64Array
  readonly scores: Float64Array
  /** Ones where a document may be found; null where all may. */
  readonly allowed: Uint8Array | null
  /** The demanded conditions, as bits, of which the index cannot tell whether they hold; null where it tells of all. */
  readonly open: Uint32Array | null
}

/** Hold what was found, without a copy of it: of a large account that may be nearly all mail. */
export interface Matches {
  readonly parts: readonly ScoredDocuments[]
  /** Count as found what has a higher score. */
  readonly least: number
}

export interface SearchedSegment {
  readonly segment: Segment
  readonly documents: Documents
}

/** The documents of a segment that may be found, as ones; null where these are all. */
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

/** The mail that may be found, with what its statistics say. */
export interface OpenMail {
  readonly segments: readonly OpenSegment[]
  readonly messages: number
  readonly averageLength: number
}

/** Tells which documents may be found, how many they are, and how long. */
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

/** Adds to the scores of documents what one of the conditions is worth to them. */
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

/** Unites the documents of the alternatives of a condition that the index can tell. */
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

/** Leaves of some documents those that are also among others. */
function both(some: Uint8Array, others: Uint8Array): Uint8Array {
  for (let i = 0; i < some.length; i++) if (others[i] === 0) some[i] = 0
  return some
}

/** Mark the documents that may be found and meet all conditions that the index can tell; null where all do. */
function fitting(told: readonly Clause[], part: OpenSegment, lookup: Lookup): Uint8Array | null {
  const all = [...told.map((clause) => holdsIn(clause, part, lookup)), part.allowed].filter(
    (one) => one !== null,
  )
  return all.length === 0 ? null : all.reduce(both)
}

/** Mark for each document, by a bit each, the conditions that only what the index cannot tell may still meet. */
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

/** Scores what has the words, of what is demanded; without words all of that was found. */
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
 * Takes messages out of the rest, by their places in the log: those that may be found, whatever their scores. In the rest
 * they have none any more.
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

/** The words that are ranked: each once, with how often it was asked for; of too many the rarest that there are. */
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
