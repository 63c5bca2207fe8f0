import type { Found } from './best'
import { placesIn } from './in-order'
import type { Matches } from './keyword'
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

/** The greatest of the first of some numbers, at least a little. */
function greatest(numbers: Float64Array, count: number): number {
  let most = Number.MIN_VALUE
  for (let i = 0; i < count; i++) if (numbers[i]! > most) most = numbers[i]!
  return most
}

/** The nearness of messages to the question, in the order of the log: as a share of the nearest, each with its confidence. */
interface Meanings {
  readonly seqs: Float64Array
  readonly shares: Float64Array
  readonly confidences: Float64Array
}

function meaningsOf({ seqs, scores, confidences }: SemanticHits): Meanings {
  const most = greatest(scores, scores.length)
  const inOrder = Uint32Array.from(seqs.keys()).sort((one, other) => seqs[one]! - seqs[other]!)
  return {
    seqs: Float64Array.from(inOrder, (i) => seqs[i]!),
    shares: Float64Array.from(inOrder, (i) => Math.max(0, scores[i]!) / most),
    confidences: Float64Array.from(inOrder, (i) => confidences[i]!),
  }
}

const mean = (numbers: Float64Array) =>
  numbers.reduce((sum, number) => sum + number, 0) / Math.max(1, numbers.length)

/** Scores messages anew, by words and by meaning, of which each has its share; what has no score is left out. */
function scored(
  { count, seqs, scores, open }: Matches,
  { seqs: compared, shares, confidences }: Meanings,
  meaningShare: number,
): Matches {
  const found = {
    count: 0,
    seqs: new Float64Array(count),
    scores: new Float64Array(count),
    open: new Uint32Array(count),
  }
  const placeOf = placesIn(compared)
  const mostOfWords = greatest(scores, count)
  // A message that was not compared means nothing of it, as surely as the others.
  const otherConfidence = mean(confidences)
  for (let i = 0; i < count; i++) {
    const place = placeOf(seqs[i]!)
    const weight = meaningShare * (place < 0 ? otherConfidence : confidences[place]!)
    const score = (1 - weight) * (scores[i]! / mostOfWords) + (place < 0 ? 0 : weight * shares[place]!)
    if (score === 0) continue
    found.seqs[found.count] = seqs[i]!
    found.scores[found.count] = score
    found.open[found.count++] = open[i]!
  }
  return found
}

/**
 * Scores by words and by meaning together: a convex combination of both, each as a share of the best. Of a message that
 * is too short to be sure what it means the words count the more. What has neither is left out.
 *
 * @param agreement From {@link agreementOf}, for what was learned from the mail.
 */
export const fuse = (matches: Matches, near: SemanticHits, agreement: number): Matches =>
  scored(matches, meaningsOf(near), near.isLearned ? agreement : endpointShare)

/** Scores by meaning alone what the other conditions let pass. */
export function onlyMeaning(matches: Matches, near: SemanticHits): Matches {
  if (near.seqs.length === 0) return { ...matches, count: 0 }
  const meanings = meaningsOf(near)
  return scored(matches, { ...meanings, confidences: meanings.confidences.fill(1) }, 1)
}
