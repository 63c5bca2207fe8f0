import { mixedOf } from './conditions'
import { placesIn } from './in-order'
import { type IndexLeaf, isIndexed, type Lookup } from './lookup'
import type { Clause, WordsLeaf } from './query-parts'
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

/** Messages by their places in the log, each with its score. */
export interface Matches {
  readonly count: number
  readonly seqs: Float64Array
  readonly scores: Float64Array
  /** The demanded conditions, as bits, of which the index cannot tell whether they hold. */
  readonly open: Uint32Array
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
    const { count, documents } = lookup.postings(segment.id, leaf, segment.documents)
    if (!isDenied) for (let i = 0; i < count; i++) holds[documents[i]!] = 1
    else {
      const has = new Uint8Array(segment.documents)
      for (let i = 0; i < count; i++) has[documents[i]!] = 1
      for (let i = 0; i < has.length; i++) if (has[i] === 0) holds[i] = 1
    }
  }
  return holds
}

/** Looks what holds of what is demanded; null where nothing is. */
function demandsIn(demanded: readonly Clause[], part: SearchedSegment, lookup: Lookup): Demands | null {
  if (demanded.length === 0) return null
  const failed = new Uint8Array(part.segment.documents)
  const open = new Uint32Array(part.segment.documents)
  for (const clause of demanded.filter((one) => one.every(({ leaf }) => isIndexed(leaf)))) {
    const holds = holdsIn(clause, part, lookup)
    for (let i = 0; i < holds.length; i++) if (holds[i] === 0) failed[i] = 1
  }
  for (const [bit, clause] of mixedOf(demanded).entries()) {
    const holds = holdsIn(clause, part, lookup)
    for (let i = 0; i < holds.length; i++) if (holds[i] === 0) open[i] = (open[i]! | (1 << bit)) >>> 0
  }
  return { failed, open }
}

const worthOf = (having: number, messages: number) => Math.log(1 + (messages - having + 0.5) / (having + 0.5))

/** What is demanded of each document and does not hold, and as bits, what of it cannot be told. */
interface Demands {
  readonly failed: Uint8Array
  readonly open: Uint32Array
}

interface ScoredPart extends Part {
  readonly scores: Float64Array
  readonly demands: Demands | null
}

/** What is demanded, with its scores, of which some is taken. */
export type ScoredMail = readonly ScoredPart[]

/** Finds what is demanded, and scores it. */
export function scoreMail(
  { segments, messages, averageLength }: OpenMail,
  lookup: Lookup,
  plan: KeywordPlan,
): ScoredMail {
  const parts = segments.map((one): Part => {
    const { id, documents } = one.segment
    const of = ({ leaf }: KeywordPlan['scored'][number]) => lookup.postings(id, leaf, documents)
    return { ...one, postings: plan.scored.map((scored) => keepAllowed(of(scored), one.allowed)) }
  })
  const worths = plan.scored.map(({ times }, which) => {
    const having = parts.reduce((sum, { postings }) => sum + postings[which]!.count, 0)
    return times * worthOf(having, messages)
  })
  return parts.map((part): ScoredPart => {
    const scores = new Float64Array(part.segment.documents)
    for (const [which, worth] of worths.entries()) addScores(scores, part, which, worth, averageLength)
    return { ...part, scores, demands: demandsIn(plan.demanded, part, lookup) }
  })
}

/** Some of what was found, by their places in the log. */
export function matchesAmong({ count, seqs, scores, open }: Matches, wanted: Float64Array): Matches {
  const placeOf = placesIn(wanted.toSorted())
  const kept: number[] = []
  for (let i = 0; i < count; i++) if (placeOf(seqs[i]!) >= 0) kept.push(i)
  return {
    count: kept.length,
    seqs: Float64Array.from(kept, (i) => seqs[i]!),
    scores: Float64Array.from(kept, (i) => scores[i]!),
    open: Uint32Array.from(kept, (i) => open[i]!),
  }
}

/** Tells by its place in the log whether a message without a score is taken. */
type IsWanted = (seq: number) => boolean

const any: IsWanted = () => true
const none: IsWanted = () => false

function isAmong(others: Float64Array): IsWanted {
  const placeOf = placesIn(others.toSorted())
  return (seq) => placeOf(seq) >= 0
}

/** Chooses documents of a part, by their numbers. */
function chooseIn({ documents, allowed, scores, demands }: ScoredPart, isWanted: IsWanted): Int32Array {
  const chosen = new Int32Array(scores.length)
  let count = 0
  for (let i = 0; i < scores.length; i++) {
    if (scores[i] === 0 && !isWanted(documents.seqs[i]!)) continue
    if (demands?.failed[i] === 1 || (allowed !== null && allowed[i] === 0)) continue
    chosen[count++] = i
  }
  return chosen.subarray(0, count)
}

/** Takes the messages with a score, and some others by their places in the log; all without those. */
export function takeMatches(parts: ScoredMail, others: Float64Array | null): Matches {
  const isWanted = others === null ? any : others.length === 0 ? none : isAmong(others)
  const chosen = parts.map((part) => chooseIn(part, isWanted))
  const count = chosen.reduce((sum, { length }) => sum + length, 0)
  const found = {
    count,
    seqs: new Float64Array(count),
    scores: new Float64Array(count),
    open: new Uint32Array(count),
  }
  let at = 0
  for (const [which, { documents, scores, demands }] of parts.entries())
    for (const i of chosen[which]!) {
      found.seqs[at] = documents.seqs[i]!
      found.scores[at] = scores[i]!
      found.open[at++] = demands ? demands.open[i]! : 0
    }
  return found
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
