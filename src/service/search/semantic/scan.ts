import { quantize } from '../lsa'
import type { PackedVectors } from './packed'

/** A message that is near in meaning. */
export interface NearMessage {
  readonly seq: number
  /** The cosine between both, at most 1. */
  readonly score: number
  /** From 0 to 1: a short message says less surely what it means. */
  readonly confidence: number
}

/** The messages that may be found. */
export interface ScanScope {
  /** Null for all. */
  readonly inboxIds: readonly string[] | null
  readonly toSeq: number
}

/** The vectors of an account: by inbox, and by the first message of each block. */
export type VectorSet = ReadonlyMap<string, ReadonlyMap<number, PackedVectors>>

/** The share of the mail that is probably meant in what is looked for (Rocchio, 1971). */
const shareOfLike = 0.5

/** Scores are cosines; so many steps of them are told apart when the best are chosen. */
const steps = 8192
const stepOf = (score: number) => Math.max(0, Math.min(steps - 1, Math.floor(((score + 1) / 2) * steps)))

function* blocksIn(vectors: VectorSet, { inboxIds }: ScanScope): Generator<PackedVectors> {
  for (const [inboxId, blocks] of vectors) if (!inboxIds || inboxIds.includes(inboxId)) yield* blocks.values()
}

/** Adds the middle of the vectors of some messages to a vector. */
function nearer(
  vectors: VectorSet,
  scope: ScanScope,
  vector: Float32Array,
  like: readonly number[],
): Float32Array {
  const sum = Float32Array.from(vector)
  for (const { seqs, scales, numbers, dimensions } of blocksIn(vectors, scope))
    for (const seq of like) {
      const at = seqs.indexOf(seq)
      if (at < 0) continue
      const factor = (shareOfLike / like.length) * scales[at]!
      for (let d = 0; d < dimensions; d++) sum[d] = sum[d]! + factor * numbers[at * dimensions + d]!
    }
  const length = Math.sqrt(sum.reduce((squares, value) => squares + value * value, 0)) || 1
  return sum.map((value) => value / length)
}

/** The sum of the products of two rows of numbers. Nearly all the time of a search goes here. */
function product(numbers: Int8Array, from: number, query: Int8Array): number {
  let [sum, other] = [0, 0]
  let d = 0
  for (const end = query.length - 3; d < end; d += 4) {
    sum += Math.imul(numbers[from + d]!, query[d]!) + Math.imul(numbers[from + d + 1]!, query[d + 1]!)
    other +=
      Math.imul(numbers[from + d + 2]!, query[d + 2]!) + Math.imul(numbers[from + d + 3]!, query[d + 3]!)
  }
  for (; d < query.length; d++) sum += Math.imul(numbers[from + d]!, query[d]!)
  return sum + other
}

/**
 * Finds the messages nearest to a vector among all of a scope: exactly, by looking at each.
 *
 * @param like Messages that are probably meant: others like them come nearer.
 */
export function nearest(
  vectors: VectorSet,
  scope: ScanScope,
  vector: Float32Array,
  limit: number,
  like: readonly number[] = [],
): NearMessage[] {
  const asked = like.length > 0 ? nearer(vectors, scope, vector, like) : vector
  const query = new Int8Array(asked.length)
  const scale = quantize(asked, query)
  const counts = new Uint32Array(steps)
  const scored: { block: PackedVectors; scores: Float32Array }[] = []
  for (const block of blocksIn(vectors, scope)) {
    if (block.dimensions !== query.length) continue
    const scores = new Float32Array(block.seqs.length)
    for (let i = 0; i < scores.length; i++) {
      scores[i] = product(block.numbers, i * query.length, query) * block.scales[i]! * scale
      if (block.seqs[i]! <= scope.toSeq) counts[stepOf(scores[i]!)]!++
    }
    scored.push({ block, scores })
  }
  const least = leastStep(counts, limit)
  const found: NearMessage[] = []
  for (const { block, scores } of scored)
    for (let i = 0; i < scores.length; i++)
      if (stepOf(scores[i]!) >= least && block.seqs[i]! <= scope.toSeq)
        found.push({
          seq: block.seqs[i]!,
          score: Math.min(1, scores[i]!),
          confidence: block.confidences[i]! / 255,
        })
  return found.sort((a, b) => b.score - a.score || b.seq - a.seq).slice(0, limit)
}

/** The step from which on there are enough. */
function leastStep(counts: Uint32Array, limit: number): number {
  let step = steps - 1
  for (let found = counts[step]!; step > 0 && found < limit; found += counts[step]!) step--
  return step
}
