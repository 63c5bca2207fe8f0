import type { Matches } from './keyword'
import type { SemanticHit } from './semantic'

/** The share of the meaning in a score; the rest is that of the words. Tuned once over all collections. */
const meaningShare = 0.65

/** The greatest of some numbers, at least a little. */
function greatest(numbers: Iterable<number>): number {
  let most = Number.MIN_VALUE
  for (const number of numbers) if (number > most) most = number
  return most
}

/** Scores messages anew by their place in the log; what has no score is left out. */
function scored(matches: Matches, scoreOf: (seq: number, words: number) => number): Matches {
  const { count, seqs, scores, open } = matches
  const found = {
    count: 0,
    seqs: new Float64Array(count),
    scores: new Float64Array(count),
    open: new Uint32Array(count),
  }
  for (let i = 0; i < count; i++) {
    const score = scoreOf(seqs[i]!, scores[i]!)
    if (score === 0) continue
    found.seqs[found.count] = seqs[i]!
    found.scores[found.count] = score
    found.open[found.count++] = open[i]!
  }
  return found
}

/** What each message means of what was asked, as a share of the nearest. */
function sharesOf(near: readonly SemanticHit[]): Map<number, { share: number; confidence: number }> {
  const most = greatest(near.map(({ score }) => score))
  return new Map(
    near.map(({ seq, score, confidence }) => [seq, { share: Math.max(0, score) / most, confidence }]),
  )
}

/**
 * Scores by words and by meaning together: a convex combination of both, each as a share of the best. Of a message that
 * is too short to be sure what it means the words count the more. What has neither is left out.
 */
export function fuse(matches: Matches, near: readonly SemanticHit[]): Matches {
  const meanings = sharesOf(near)
  const mostOfWords = greatest(matches.scores.subarray(0, matches.count))
  return scored(matches, (seq, words) => {
    const { share, confidence } = meanings.get(seq) ?? { share: 0, confidence: 1 }
    const weight = meaningShare * confidence
    return (1 - weight) * (words / mostOfWords) + weight * share
  })
}

/** Scores by meaning alone what the other conditions let pass. */
export function onlyMeaning(matches: Matches, near: readonly SemanticHit[]): Matches {
  const meanings = sharesOf(near)
  return scored(matches, (seq) => meanings.get(seq)?.share ?? 0)
}
