import type { Found } from './best'
import { placesIn } from './in-order'
import type { Matches, ScoredDocuments } from './keyword'
import type { SemanticHits } from './semantic'

/** Weight of an embedding endpoint's similarity in a score; the rest is the keyword score. */
const endpointShare = 0.65
/** Number of best keyword results and nearest messages that are compared for their agreement. */
const compared = 20
/** Added to both sides of the agreement: without keywords or agreement, the embedding still counts. */
const doubt = 0.25

/**
 * Returns the weight of a learned model for a query, from 0 to 1: the share of its nearest messages among the
 * best keyword results. If they agree, it improves the order. If not, it has misread the query more often
 * than found what keywords miss. Tuned once over all collections.
 */
export function agreementOf(byWords: readonly Found[], near: SemanticHits): number {
  const best = byWords.slice(0, compared)
  const nearest = new Set(near.seqs.subarray(0, compared))
  const shared = best.filter(({ seq }) => nearest.has(seq)).length
  return Math.sqrt((shared + doubt) / (best.length + doubt))
}

/** Returns the greatest of some numbers, at least the smallest positive one. */
function greatest(numbers: Float64Array): number {
  let most = Number.MIN_VALUE
  for (let i = 0; i < numbers.length; i++) if (numbers[i]! > most) most = numbers[i]!
  return most
}

/**
 * Similarity of messages to the query, in log order: as a share of the greatest, each with its confidence.
 */
interface Meanings {
  readonly seqs: Float64Array
  readonly shares: Float64Array
  readonly confidences: Float64Array
}

function meaningsOf({ seqs, scores, confidences }: SemanticHits): Meanings {
  const most = greatest(scores)
  const inOrder = Uint32Array.from(seqs.keys()).sort((one, other) => seqs[one]! - seqs[other]!)
  return {
    seqs: Float64Array.from(inOrder, (i) => seqs[i]!),
    shares: Float64Array.from(inOrder, (i) => Math.max(0, scores[i]!) / most),
    confidences: Float64Array.from(inOrder, (i) => confidences[i]!),
  }
}

const mean = (numbers: Float64Array) =>
  numbers.reduce((sum, number) => sum + number, 0) / Math.max(1, numbers.length)

/** Messages with their keyword scores. */
interface ByWords {
  /** Messages with a semantic score. */
  readonly some: ScoredDocuments
  readonly others: readonly ScoredDocuments[]
  /** The greatest keyword score. */
  readonly most: number
}

/**
 * Scores messages by keywords and embedding, each with its weight. A message without a score is not a result.
 */
function scored({ some, others, most }: ByWords, meanings: Meanings, meaningShare: number): Matches {
  const placeOf = placesIn(meanings.seqs)
  // A message without a similarity gets none, at the mean confidence.
  const otherConfidence = mean(meanings.confidences)
  const scores = some.scores.map((score, i) => {
    const place = placeOf(some.seqs[i]!)
    const weight = meaningShare * (place < 0 ? otherConfidence : meanings.confidences[place]!)
    return (1 - weight) * (score / most) + (place < 0 ? 0 : weight * meanings.shares[place]!)
  })
  const otherWeight = meaningShare * otherConfidence
  for (const part of others)
    for (let i = 0; i < part.scores.length; i++) part.scores[i] = (1 - otherWeight) * (part.scores[i]! / most)
  return { parts: [...others, { ...some, scores }], least: 0 }
}

/**
 * Combines keyword and semantic scores: a convex combination, each as a share of the best. For a message too
 * short for a sure embedding, keywords count more. A message with neither is not a result. The others are
 * scored in place.
 *
 * @param agreement From {@link agreementOf}, for a learned model.
 */
export const fuse = (byWords: ByWords, near: SemanticHits, agreement: number): Matches =>
  scored(byWords, meaningsOf(near), near.isLearned ? agreement : endpointShare)

/** Scores messages by embedding alone. */
export function onlyMeaning(some: ScoredDocuments, near: SemanticHits): Matches {
  const { seqs, shares, confidences } = meaningsOf(near)
  return scored({ some, others: [], most: 1 }, { seqs, shares, confidences: confidences.fill(1) }, 1)
}
