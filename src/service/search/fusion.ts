import type { Found } from './best'
import { placesIn } from './in-order'
import type { KeywordMatches, Matches, ScoredDocuments } from './keyword'
import type { NearMessages } from './semantic/scan'

/** Weight of an embedder's similarity in a score; the rest is the keyword score. */
const embedderShare = 0.65
/**
 * z-score that the similarity of a message without words of the query must exceed, among the messages in
 * scope. Of random ones about two in a hundred do.
 */
export const minZScore = 2

/** Returns the greatest of some numbers, at least the smallest positive one. */
const greatest = (numbers: Float64Array): number =>
  numbers.reduce((most, one) => Math.max(most, one), Number.MIN_VALUE)

/** Messages with their keyword scores. */
interface ByWords {
  /** Messages that may have a similarity. */
  readonly some: ScoredDocuments
  readonly others: readonly ScoredDocuments[]
  /** The greatest keyword score. */
  readonly most: number
}

/**
 * Combines keyword scores and similarities, each as a share of the greatest, by a share of the similarity. A
 * message with neither is not a result. The others are scored in place.
 */
function combined({ some, others, most }: ByWords, { seqs, cosines }: NearMessages, share: number): Matches {
  const greatestCosine = greatest(cosines)
  const inOrder = Uint32Array.from(seqs.keys()).sort((one, other) => seqs[one]! - seqs[other]!)
  const placeOf = placesIn(Float64Array.from(inOrder, (i) => seqs[i]!))
  const scores = some.scores.map((score, i) => {
    const place = placeOf(some.seqs[i]!)
    const similarity = place < 0 ? 0 : Math.max(0, cosines[inOrder[place]!]!) / greatestCosine
    return (1 - share) * (score / most) + share * similarity
  })
  for (const { scores } of others)
    for (let i = 0; i < scores.length; i++) scores[i] = (1 - share) * (scores[i]! / most)
  return { parts: [...others, { ...some, scores }], least: 0 }
}

/** Combines keyword scores and the similarities of an embedder that finds messages without the words. */
export const fuse = (byWords: ByWords, near: NearMessages): Matches => combined(byWords, near, embedderShare)

/** Scores messages by their similarity alone. */
export const onlySemantic = (some: ScoredDocuments, near: NearMessages): Matches =>
  combined({ some, others: [], most: 1 }, near, 1)

/** Number of best results by words that the built-in encoder ranks again. */
export const maxReranked = 200
/** Weight of the z-score of the similarity beside the keyword score, as a share of the greatest. */
const zScoreWeights = { hybrid: 0.12, semantic: 0.5 } as const
/** Added to all scores, so that none is negative: of 200 numbers, no z-score is below -14.2. */
const base = 10

/** Added to the scores of messages with the only word of a query: no difference of z-scores is as great. */
const withWord = 20

/** Returns how many standard deviations each number is above the mean of all. */
function zScoresOf(numbers: Float64Array): Float64Array {
  const mean = numbers.reduce((sum, one) => sum + one, 0) / numbers.length
  const deviation = Math.sqrt(numbers.reduce((sum, one) => sum + (one - mean) ** 2, 0) / numbers.length)
  return numbers.map((one) => (deviation > 1e-9 ? (one - mean) / deviation : 0))
}

/**
 * Ranks the best results by words again, by both scores; later ones keep their order behind them. Changes the
 * scores in place.
 *
 * @param best The results to rank, best first.
 */
export function reranked(
  { parts, least, leastOfWord }: KeywordMatches,
  best: readonly Found[],
  { seqs, cosines }: NearMessages,
  mode: 'hybrid' | 'semantic',
): Matches {
  const most = Math.max(best[0]?.score ?? 0, Number.MIN_VALUE)
  const zScores = zScoresOf(cosines)
  const lowestOf = (score: number) => (leastOfWord > 0 && score >= leastOfWord ? base + withWord : base)
  const bySeq = new Map(Array.from(seqs, (seq, i) => [seq, zScores[i]!]))
  const ranked = best
    .map(({ seq, score }) => ({
      seq,
      score: lowestOf(score) + score / most + zScoreWeights[mode] * (bySeq.get(seq) ?? 0),
    }))
    .sort((one, other) => one.seq - other.seq)
  const placeOf = placesIn(Float64Array.from(ranked, ({ seq }) => seq))
  const lowest = ranked.reduce((min, { score }) => Math.min(min, score), base + withWord)
  const lastByWords = (best.at(-1)?.score ?? 0) / most
  for (const { seqs: all, scores } of parts)
    for (let i = 0; i < scores.length; i++) {
      const place = placeOf(all[i]!)
      if (!(scores[i]! > least)) scores[i] = 0
      else if (place >= 0) scores[i] = ranked[place]!.score
      else scores[i] = lowest - 1e-6 + Math.max(-1, scores[i]! / most - lastByWords)
    }
  return { parts, least: 0 }
}
