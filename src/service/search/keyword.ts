import { mixedOf } from './conditions'
import { placesIn } from './in-order'
import type { Lookup } from './lookup'
import { type Clause, isIndexed, type WordsLeaf } from './query-parts'
import { type Documents, gone } from './segments/documents'
import { type Postings, usualWeight } from './segments/postings'
import type { Segment } from './segments/rows'
import { stemOf } from './terms/stem'

// BM25 (Robertson and Zaragoza, "The Probabilistic Relevance Framework", 2009) over the segments of an
// account, with the statistics of only the messages in scope.

/** Saturation of repeated words (k1), and weight of the message length (b). */
const saturation = 1.5
const lengthWeight = 0.75

/** Greatest score of a related word beside the least of the only word of a query, as a share of that. */
const relatedBelow = 0.99

/** Maximum number of ranked words; of more, the rarest. */
export const maxWords = 64

/** A word of the query, with its count there. */
export interface ScoredWord {
  readonly leaf: WordsLeaf
  readonly times: number
  /** Other words that count for it, each by a share of its worth: of all, only the best one of a message. */
  readonly others?: readonly { readonly leaf: WordsLeaf; readonly share: number }[]
}

/** Words to look up in the index. */
export interface KeywordPlan {
  readonly scored: readonly ScoredWord[]
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

/** Postings of a word in scope, or of one that counts for it, in each segment, with their worth. */
interface Counted {
  readonly postings: readonly Postings[]
  readonly worth: number
}

/** A word with those that count for it. */
interface CountedWord extends Counted {
  readonly having: number
  readonly others: readonly Counted[]
}

/** Calls back with the score that a word has in each of its documents in a segment. */
function eachScore(
  { postings, worth }: Counted,
  which: number,
  { lengths }: Documents,
  averageLength: number,
  use: (document: number, score: number) => void,
): void {
  const { count, documents, weights } = postings[which]!
  const fixed = saturation * (1 - lengthWeight)
  const perWord = (saturation * lengthWeight) / averageLength
  for (let i = 0; i < count; i++) {
    const document = documents[i]!
    const occurrences = weights[i]! / usualWeight
    use(
      document,
      (worth * occurrences * (saturation + 1)) / (occurrences + fixed + perWord * lengths[document]!),
    )
  }
}

/** Adds the scores of a word to those of the documents: in each, the best of the word and of the others. */
function addScores(
  scores: Float64Array,
  word: CountedWord,
  which: number,
  documents: Documents,
  averageLength: number,
): void {
  if (word.others.length === 0) {
    eachScore(word, which, documents, averageLength, (document, score) => {
      scores[document] = scores[document]! + score
    })
    return
  }
  const best = new Float64Array(scores.length)
  for (const counted of [word, ...word.others])
    eachScore(counted, which, documents, averageLength, (document, score) => {
      if (score > best[document]!) best[document] = score
    })
  for (let i = 0; i < best.length; i++) scores[i] = scores[i]! + best[i]!
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

/** Keyword results, with the messages that must come first. */
export interface KeywordMatches extends Matches {
  /** `created_seq` of messages that alone have a word of the query. */
  readonly alone: ReadonlySet<number>
  /** Least score of a message that has the only word of the query itself, not only a related one. */
  readonly leastOfWord: number
}

/** Counts a word of the query, and those that count for it, over the messages in scope. */
function counted({ leaf, times, others = [] }: ScoredWord, mail: OpenMail, lookup: Lookup): CountedWord {
  const postingsOf = (one: WordsLeaf) =>
    mail.segments.map(({ segment, allowed }) => keepAllowed(lookup.postings(segment, one), allowed))
  const havingOf = (all: readonly Postings[]) => all.reduce((sum, { count }) => sum + count, 0)
  const postings = postingsOf(leaf)
  const having = havingOf(postings)
  const worth = worthOf(having, mail.messages)
  return {
    ...{ postings, having, worth: times * worth },
    others: others.map((other) => {
      const own = postingsOf(other.leaf)
      const ownWorth = worthOf(havingOf(own), mail.messages)
      return {
        postings: own,
        worth: times * other.share * (having > 0 ? Math.min(worth, ownWorth) : ownWorth),
      }
    }),
  }
}

/**
 * Lowers the worth of other words of a query of one word, so that the messages with the word come first.
 * Returns the words, and the least score of such a message.
 */
function withWordFirst(
  words: readonly CountedWord[],
  { segments, averageLength }: OpenMail,
): { words: readonly CountedWord[]; leastOfWord: number } {
  const [word, ...more] = words
  if (!word || more.length > 0 || word.having === 0) return { words, leastOfWord: 0 }
  let [least, most] = [Number.POSITIVE_INFINITY, 0]
  for (const [which, { documents }] of segments.entries()) {
    eachScore(word, which, documents, averageLength, (_, score) => {
      least = Math.min(least, score)
    })
    for (const other of word.others)
      eachScore(other, which, documents, averageLength, (_, score) => {
        most = Math.max(most, score)
      })
  }
  const factor = Math.min(1, (relatedBelow * least) / (most || 1))
  const others = word.others.map((other) => ({ ...other, worth: factor * other.worth }))
  return { words: [{ ...word, others }], leastOfWord: least }
}

/** Returns the messages that alone have a word. */
function aloneIn(words: readonly CountedWord[], { segments }: OpenMail): Set<number> {
  const alone = new Set<number>()
  for (const { having, postings } of words)
    if (having === 1)
      for (const [which, { count, documents }] of postings.entries())
        if (count > 0) alone.add(segments[which]!.documents.seqs[documents[0]!]!)
  return alone
}

/**
 * Scores the documents that meet the required conditions by their words; unranked, all of them are results.
 */
export function scoreMail(
  mail: OpenMail,
  lookup: Lookup,
  plan: KeywordPlan,
  isRanked: boolean,
): KeywordMatches {
  const { words, leastOfWord } = withWordFirst(
    plan.scored.map((word) => counted(word, mail, lookup)),
    mail,
  )
  const told = plan.demanded.filter((clause) => clause.every(({ leaf }) => isIndexed(leaf)))
  const mixed = mixedOf(plan.demanded)
  const parts = mail.segments.map((part, which): ScoredDocuments => {
    const scores = new Float64Array(part.segment.documents)
    for (const word of words) addScores(scores, word, which, part.documents, mail.averageLength)
    const allowed = fitting(told, part, lookup)
    return { seqs: part.documents.seqs, scores, allowed, open: openIn(mixed, part, lookup) }
  })
  return { parts, least: isRanked ? 0 : Number.NEGATIVE_INFINITY, alone: aloneIn(words, mail), leastOfWord }
}

/** Added to the scores of messages that come first, whatever the others have. */
const firstBonus = 1e6

/** Puts messages first among the results, in place. */
export function putFirst(found: Matches, seqs: ReadonlySet<number>): Matches {
  const placeOf = placesIn(Float64Array.from(seqs).sort())
  if (seqs.size > 0)
    for (const { seqs: all, scores } of found.parts)
      for (let i = 0; i < scores.length; i++)
        if (scores[i]! > found.least && placeOf(all[i]!) >= 0) scores[i] = scores[i]! + firstBonus
  return found
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
): ScoredWord[] {
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
