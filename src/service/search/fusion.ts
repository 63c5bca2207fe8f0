import type { Found } from './best'
import { placesIn } from './in-order'
import type { Matches, ScoredDocuments } from './keyword'
import type { SemanticHits } from './semantic'

/** The share in a score of what an endpoint says of the meaning; the rest is that of the words. */
const endpointShare = 0.65
/** So many of the best by words, and of the nearest, are compared to tell how far both agree. */
const compared = 20
/** Counts as part of one that both have: with no words to compare with, and with no agreement, meaning counts still. */
const doubt = 0.25

/**
 * Tells how much what was learned from the mail counts for a question, from 0 to 1: the more, the more of its nearest
 * are also among the best by words. Where it agrees with them it puts them into a better order; where it does not, it
 * has more often mistaken the question than found what no word tells. Tuned once over all collections.
 */
export function agreementOf(byWords: readonly Found[], near: SemanticHits): number {
  const best = byWords.slice(0, compared)
  const nearest = new Set(near.seqs.subarray(0, compared))
  const shared = best.filter(({ seq }) => nearest.has(seq)).length
  return Math.sqrt((shared + doubt) / (best.length + doubt))
}

/** The greatest of some numbers, at least a little. */
function greatest(numbers: Float64Array): number {
  let most = Number.MIN_VALUE
  for (let i = 0; i < numbers.length; i++) if (numbers[i]! > most) most = numbers[i]!
  return most
}

/** The nearness of messages to the question, in the order of the log: as a share of the nearest, each with its confidence. */
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

/** Messages with their scores by words. */
interface ByWords {
  /** Those that are compared in their meaning. */
  readonly some: ScoredDocuments
  readonly others: readonly ScoredDocuments[]
  /** The greatest of the scores. */
  readonly most: number
}

/** Scores messages by words and by meaning, of which each has its share. What has no score was not found. */
function scored({ some, others, most }: ByWords, meanings: Meanings, meaningShare: number): Matches {
  const placeOf = placesIn(meanings.seqs)
  // A message that was not compared means nothing of it, as surely as the others.
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
 * Scores by words and by meaning together: a convex combination of both, each as a share of the best. Of a message that
 * is too short to be sure what it means the words count the more. What has neither was not found. The others are scored
 * in place.
 *
 * @param agreement From {@link agreementOf}, for what was learned from the mail.
 */
export const fuse = (byWords: ByWords, near: SemanticHits, agreement: number): Matches =>
  scored(byWords, meaningsOf(near), near.isLearned ? agreement : endpointShare)

/** Scores messages by meaning alone. */
export function onlyMeaning(some: ScoredDocuments, near: SemanticHits): Matches {
  const { seqs, shares, confidences } = meaningsOf(near)
  return scored({ some, others: [], most: 1 }, { seqs, shares, confidences: confidences.fill(1) }, 1)
}
