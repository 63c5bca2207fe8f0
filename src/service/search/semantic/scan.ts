import { quantize } from '../lsa'
import type { PackedVectors } from './packed'
import { productOf, productsOf } from './products'

/** A message with a near embedding. */
export interface NearMessage {
  readonly seq: number
  /** Cosine of the two vectors, at most 1. */
  readonly score: number
  /** From 0 to 1: the embedding of a short message is less sure. */
  readonly confidence: number
}

/** Near messages in columns, which a thread transfers faster. */
export interface NearMessages {
  readonly seqs: Float64Array
  readonly scores: Float64Array
  readonly confidences: Float64Array
}

/** Messages in scope. */
export interface ScanScope {
  /** Null for all. */
  readonly inboxIds: readonly string[] | null
  readonly toSeq: number
}

/** Vectors of an account, by inbox and first message of each block. */
export type VectorSet = ReadonlyMap<string, ReadonlyMap<number, PackedVectors>>

/** Weight of relevant messages in the query vector (Rocchio, 1971). */
const shareOfLike = 0.5

/** Number of steps into which cosine scores are divided to select the best. */
const steps = 8192
const stepOf = (score: number) => {
  const step = ((score + 1) * (steps / 2)) | 0
  return step < 0 ? 0 : step < steps ? step : steps - 1
}

function* blocksIn(vectors: VectorSet, { inboxIds }: ScanScope): Generator<PackedVectors> {
  for (const [inboxId, blocks] of vectors) if (!inboxIds || inboxIds.includes(inboxId)) yield* blocks.values()
}

/** A stored vector. */
interface StoredVector {
  readonly numbers: Int8Array
  readonly scale: number
}

/** Adds the mean vector of `count` messages to a vector, as far as they exist. */
export function nearerTo(vector: Float32Array, like: readonly StoredVector[], count: number): Float32Array {
  const sum = Float32Array.from(vector)
  for (const { numbers, scale } of like) {
    const factor = (shareOfLike / count) * scale
    for (let d = 0; d < sum.length; d++) sum[d] = sum[d]! + factor * numbers[d]!
  }
  const length = Math.sqrt(sum.reduce((squares, value) => squares + value * value, 0)) || 1
  return sum.map((value) => value / length)
}

/** Returns the vectors of some messages, in log order. */
function storedOf(vectors: VectorSet, scope: ScanScope, wanted: readonly number[]): StoredVector[] {
  const found: (StoredVector & { seq: number })[] = []
  for (const { seqs, scales, numbers, dimensions } of blocksIn(vectors, scope))
    for (const seq of wanted) {
      const at = firstFrom(seqs, seq)
      if (seqs[at] === seq)
        found.push({
          seq,
          scale: scales[at]!,
          numbers: numbers.subarray(at * dimensions, (at + 1) * dimensions),
        })
    }
  return found.sort((one, other) => one.seq - other.seq)
}

/** Quantizes a vector for comparison. */
export function queryOf(vector: Float32Array): StoredVector {
  const numbers = new Int8Array(vector.length)
  return { scale: quantize(vector, numbers), numbers }
}

const messageIn = (block: PackedVectors, i: number, score: number): NearMessage => ({
  seq: block.seqs[i]!,
  score: Math.min(1, score),
  confidence: block.confidences[i]! / 255,
})

/** Returns at most `limit` messages, nearest first. */
export function inColumns(found: NearMessage[], limit = found.length): NearMessages {
  const best = found.sort((one, other) => other.score - one.score || other.seq - one.seq).slice(0, limit)
  return {
    seqs: Float64Array.from(best, ({ seq }) => seq),
    scores: Float64Array.from(best, ({ score }) => score),
    confidences: Float64Array.from(best, ({ confidence }) => confidence),
  }
}

/** The first messages of a block, which are in scope, with their products with the query vector. */
interface Compared {
  readonly block: PackedVectors
  readonly products: Int32Array
}

const scoreIn = ({ block, products }: Compared, i: number, { scale }: StoredVector): number =>
  products[i]! * block.scales[i]! * scale

/** Finds the messages nearest to a vector within a scope: exactly, by comparing each. */
export function nearest(
  vectors: VectorSet,
  scope: ScanScope,
  vector: Float32Array,
  limit: number,
): NearMessages {
  const query = queryOf(vector)
  const counts = new Uint32Array(steps)
  const all: Compared[] = []
  for (const block of blocksIn(vectors, scope)) {
    if (block.dimensions !== vector.length) continue
    const open = firstFrom(block.seqs, scope.toSeq + 1)
    const compared = {
      block,
      products: productsOf(block.numbers.subarray(0, open * block.dimensions), query.numbers),
    }
    count(compared, query, counts)
    all.push(compared)
  }
  const least = leastStep(counts, limit)
  const found: NearMessage[] = []
  for (const compared of all) takeFrom(compared, query, least, found)
  return inColumns(found, limit)
}

/** Counts the scores in each step. */
function count(compared: Compared, query: StoredVector, counts: Uint32Array): void {
  for (let i = 0; i < compared.products.length; i++) {
    const step = stepOf(scoreIn(compared, i, query))
    counts[step] = counts[step]! + 1
  }
}

function takeFrom(compared: Compared, query: StoredVector, least: number, found: NearMessage[]): void {
  for (let i = 0; i < compared.products.length; i++) {
    const score = scoreIn(compared, i, query)
    if (stepOf(score) >= least) found.push(messageIn(compared.block, i, score))
  }
}

/** Rescores found messages with the query moved towards the relevant ones. */
export function nearestAmong(
  vectors: VectorSet,
  scope: ScanScope,
  vector: Float32Array,
  among: Float64Array,
  like: readonly number[],
): NearMessages {
  const query = queryOf(nearerTo(vector, storedOf(vectors, scope, like), like.length))
  const wanted = among.toSorted()
  const found: NearMessage[] = []
  for (const block of blocksIn(vectors, scope)) {
    const { seqs, dimensions } = block
    if (dimensions !== vector.length || seqs.length === 0) continue
    for (let at = firstFrom(wanted, seqs[0]!); at < wanted.length && wanted[at]! <= seqs.at(-1)!; at++) {
      const i = firstFrom(seqs, wanted[at]!)
      if (seqs[i] !== wanted[at] || wanted[at] === wanted[at - 1]) continue
      const product = productOf(block.numbers, i, query.numbers)
      found.push(messageIn(block, i, product * block.scales[i]! * query.scale))
    }
  }
  return inColumns(found)
}

/** Returns the first index in ascending numbers with at least this value. */
function firstFrom(numbers: Float64Array, least: number): number {
  let [from, to] = [0, numbers.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if (numbers[middle]! < least) from = middle + 1
    else to = middle
  }
  return from
}

/** Returns the step from which on there are enough scores. */
function leastStep(counts: Uint32Array, limit: number): number {
  let step = steps - 1
  for (let found = counts[step]!; step > 0 && found < limit; found += counts[step]!) step--
  return step
}
