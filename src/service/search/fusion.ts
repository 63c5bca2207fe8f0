import type { Matches } from './keyword'

/** The share of the words in a score; the rest is that of the meaning. Tuned once over all collections. */
export const keywordShare = 0.5

/** The greatest of some numbers, at least a little. */
function greatest(numbers: Iterable<number>): number {
  let most = Number.MIN_VALUE
  for (const number of numbers) if (number > most) most = number
  return most
}

/**
 * Scores by words and by meaning together: a convex combination of both, each as a share of the best. What has neither
 * is left out.
 *
 * @param meanings The scores by meaning, by the places of messages in the log.
 */
export function fuse(matches: Matches, meanings: ReadonlyMap<number, number>, share = keywordShare): Matches {
  const { count, seqs, scores, open } = matches
  const mostOfWords = greatest(scores.subarray(0, count))
  const mostOfMeaning = greatest(meanings.values())
  const fused = {
    count: 0,
    seqs: new Float64Array(count),
    scores: new Float64Array(count),
    open: new Uint32Array(count),
  }
  for (let i = 0; i < count; i++) {
    const meaning = Math.max(0, meanings.get(seqs[i]!) ?? 0) / mostOfMeaning
    const score = share * (scores[i]! / mostOfWords) + (1 - share) * meaning
    if (score === 0) continue
    fused.seqs[fused.count] = seqs[i]!
    fused.scores[fused.count] = score
    fused.open[fused.count++] = open[i]!
  }
  return fused
}
