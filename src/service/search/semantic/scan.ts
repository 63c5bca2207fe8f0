import { productOf, productsOf } from './products'
import { quantized, type VectorRow } from './vectors'

/** Similar messages in columns, nearest first, which a thread transfers faster. */
export interface NearMessages {
  readonly seqs: Float64Array
  /** Cosine of each with the query. */
  readonly cosines: Float64Array
  /** z-score of each cosine among the other messages in scope. */
  readonly zScores: Float64Array
}

/** Messages in scope. */
export interface ScanScope {
  /** Null for all. */
  readonly inboxIds: readonly string[] | null
  readonly toSeq: number
}

/** Wanted messages: the nearest of all, or given ones with the query moved towards relevant ones. */
export type Wanted = { limit: number } | { among: Float64Array; like: readonly number[] }

/** Weight of relevant messages in the query vector (Rocchio, 1971). */
const shareOfLike = 0.5
/** Rows of a block, which one call of the kernel compares. */
const rowsPerBlock = 256

const lengthOf = (numbers: Int8Array) => Math.sqrt(productOf(numbers, 0, numbers))

/** Returns the best cosine of the passages of each message with a query; null without vectors of its width. */
export function cosinesOf(rows: readonly Pick<VectorRow, 'numbers'>[], query: Int8Array): (number | null)[] {
  const width = query.length
  const ofQuery = lengthOf(query)
  return rows.map(({ numbers }) => {
    if (numbers.length === 0 || numbers.length % width !== 0) return null
    let best = -1
    for (let at = 0; at < numbers.length; at += width) {
      const length = lengthOf(numbers.subarray(at, at + width))
      best = Math.max(best, productOf(numbers, at / width, query) / (length * ofQuery || 1))
    }
    return best
  })
}

/** Vectors of up to {@link rowsPerBlock} messages. */
interface VectorBlock {
  readonly rows: VectorRow[]
  readonly numbers: Int8Array
  readonly lengths: Float64Array
}

/** Vectors of an account in memory, one for each message, with a width that the first one sets. */
export class VectorSet {
  readonly #blocks: VectorBlock[] = []
  readonly #places = new Map<number, [VectorBlock, number]>()
  #width = 0
  version = 0

  get bytes(): number {
    return this.#blocks.length * rowsPerBlock * (this.#width + 100)
  }

  /** Adds rows; an empty one replaces that of an erased message. A row may be loaded again. */
  load(rows: readonly VectorRow[], version: number): void {
    for (const row of rows) {
      const { numbers } = row
      this.#width ||= numbers.length
      const place = this.#places.get(row.seq)
      if (place) {
        if (numbers.length === 0) this.#forget(...place)
      } else if (numbers.length > 0 && numbers.length === this.#width) this.#add(row)
    }
    this.version = version
  }

  #add(row: VectorRow): void {
    let block = this.#blocks.at(-1)
    if (!block || block.rows.length === rowsPerBlock) {
      const numbers = new Int8Array(rowsPerBlock * this.#width)
      block = { rows: [], numbers, lengths: new Float64Array(rowsPerBlock) }
      this.#blocks.push(block)
    }
    const at = block.rows.length
    block.numbers.set(row.numbers, at * this.#width)
    block.lengths[at] = lengthOf(row.numbers)
    block.rows.push({ ...row, numbers: block.numbers.subarray(at * this.#width, (at + 1) * this.#width) })
    this.#places.set(row.seq, [block, at])
  }

  #forget(block: VectorBlock, at: number): void {
    block.rows[at]!.numbers.fill(0)
    block.lengths[at] = 0
  }

  /** Finds the messages nearest to a vector within a scope: exactly, by comparing each. */
  nearest({ inboxIds, toSeq }: ScanScope, vector: Float32Array, limit: number): NearMessages {
    const query = quantized([vector])
    if (query.length !== this.#width) return inColumns([], [])
    const ofQuery = lengthOf(query) || 1
    const found: [seq: number, cosine: number][] = []
    for (const { rows, numbers, lengths } of this.#blocks) {
      const products = productsOf(numbers.subarray(0, rows.length * this.#width), query)
      for (const [i, { seq, inboxId }] of rows.entries()) {
        if (seq > toSeq || lengths[i] === 0 || inboxIds?.includes(inboxId) === false) continue
        found.push([seq, products[i]! / (lengths[i]! * ofQuery)])
      }
    }
    const all = found.map(([, cosine]) => cosine)
    return inColumns(found.sort(byCosine).slice(0, limit), all)
  }

  /** Scores some messages with the query moved towards the relevant ones. */
  among(vector: Float32Array, seqs: Float64Array, like: readonly number[]): NearMessages {
    const query = quantized([this.#nearer(vector, like)])
    if (query.length !== this.#width) return inColumns([], [])
    const rows = [...new Set(seqs)].flatMap((seq) => {
      const place = this.#places.get(seq)
      return place && place[0].lengths[place[1]]! > 0 ? [place[0].rows[place[1]]!] : []
    })
    const cosines = cosinesOf(rows, query)
    const found = rows.map(({ seq }, i): [number, number] => [seq, cosines[i] ?? -1])
    return inColumns(
      found.sort(byCosine),
      found.map(([, cosine]) => cosine),
    )
  }

  /** Adds the mean vector of some messages to a vector of length 1. */
  #nearer(vector: Float32Array, like: readonly number[]): Float32Array {
    const sum = Float32Array.from(vector)
    for (const seq of like) {
      const place = this.#places.get(seq)
      if (!place || place[0].lengths[place[1]] === 0) continue
      const { numbers } = place[0].rows[place[1]]!
      const factor = shareOfLike / like.length / place[0].lengths[place[1]]!
      for (let d = 0; d < sum.length; d++) sum[d] = sum[d]! + factor * numbers[d]!
    }
    return sum
  }
}

type Scored = readonly [seq: number, cosine: number]
const byCosine = ([seq, cosine]: Scored, [otherSeq, other]: Scored) => other - cosine || otherSeq - seq

/** @param all Cosines of all messages in scope, from which z-scores are taken. */
const inColumns = (found: readonly Scored[], all: readonly number[]): NearMessages => {
  const cosines = Float64Array.from(found, ([, cosine]) => cosine)
  return {
    seqs: Float64Array.from(found, ([seq]) => seq),
    cosines,
    zScores: zScoresAmongOthers(cosines, all),
  }
}

/**
 * Returns how many standard deviations each number is above the mean of the others: without itself, one of
 * very few can also stand out. A number without others has no z-score, and gets the lowest.
 */
function zScoresAmongOthers(numbers: Float64Array, all: readonly number[]): Float64Array {
  const sum = all.reduce((before, one) => before + one, 0)
  const squares = all.reduce((before, one) => before + one * one, 0)
  const others = all.length - 1
  return numbers.map((one) => {
    if (others < 1) return Number.NEGATIVE_INFINITY
    const mean = (sum - one) / others
    const deviation = Math.sqrt(Math.max(0, (squares - one * one) / others - mean * mean))
    return (one - mean) / Math.max(deviation, 1e-6)
  })
}
