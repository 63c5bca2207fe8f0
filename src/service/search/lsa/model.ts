import type { Embedding } from '../../ports'
import { type Features, isPart } from './features'
import type { SparseRows } from './sparse'
import { truncatedSvd } from './svd'

/**
 * What words mean in the mail of an account, by which words come together in it: a direction for each. It knows words by
 * a number only, and none that fewer than {@link minDocuments} of its documents have.
 */
export interface LsaModel {
  /** The length of a vector. */
  readonly dimensions: number
  /** The numbers of its words and parts of words, the commonest first. */
  readonly keys: Uint32Array
  /** The weight of each: little where it is evenly in everything. */
  readonly weights: Float32Array
  /** The direction of each, `dimensions` numbers, to be multiplied by its scale. */
  readonly scales: Float32Array
  readonly directions: Int8Array
}

/** A word of fewer documents has no meaning to be learned, and would tell of one of them. */
export const minDocuments = 3
/** Fewer documents mean nothing. */
export const minLearned = 50
const maxDimensions = 192
/** A direction needs so many documents to be one. */
export const documentsEach = 8
/** What the rows of a matrix come in. */
const lane = 4
const maxKeys = 40_000
/** The share of the parts of words beside the words themselves. */
const partShare = 0.5

interface Count {
  documents: number
  total: number
  /** The sum of n·log n over the documents that have it n times. */
  spread: number
}

function countAll(documents: readonly Features[]): Map<number, Count> {
  const counts = new Map<number, Count>()
  for (const { keys, counts: times } of documents)
    keys.forEach((key, i) => {
      const n = times[i]!
      const count = counts.get(key)
      if (!count) counts.set(key, { documents: 1, total: n, spread: n * Math.log(n) })
      else {
        count.documents++
        count.total += n
        count.spread += n * Math.log(n)
      }
    })
  return counts
}

/** One where a single document has it, zero where all have it alike (entropy, as in Dumais 1991). */
const weightOf = ({ total, spread }: Count, documents: number): number =>
  Math.max(0, 1 + (spread / total - Math.log(total)) / Math.log(documents))

/** The numbers that are kept, the commonest first: what is used most lies together in memory. */
function keptKeys(counts: ReadonlyMap<number, Count>): Uint32Array {
  const known = [...counts].filter(([, { documents }]) => documents >= minDocuments)
  known.sort(([a, one], [b, other]) => other.documents - one.documents || a - b)
  return Uint32Array.from(known.slice(0, maxKeys), ([key]) => key)
}

/** The place of each number among those of a model. */
export type KeyPlaces = ReadonlyMap<number, number>
export const placesOf = (keys: Uint32Array): KeyPlaces => new Map(Array.from(keys, (key, i) => [key, i]))

interface Row {
  columns: number[]
  values: number[]
  /** The number of its words that are known. */
  words: number
}

/** The factor that brings values to a length. */
const scaleTo = (length: number, squares: number): number => (squares > 0 ? length / Math.sqrt(squares) : 0)

/** A document as a row: words and parts of words each have a length of their own, which long words do not change. */
function rowOf({ keys, counts }: Features, places: KeyPlaces, weights: Float32Array): Row {
  const row: Row = { columns: [], values: [], words: 0 }
  const squares = { words: 0, parts: 0 }
  const areParts: boolean[] = []
  for (let i = 0; i < keys.length; i++) {
    const column = places.get(keys[i]!)
    if (column === undefined) continue
    const value = Math.log1p(counts[i]!) * weights[column]!
    row.columns.push(column)
    row.values.push(value)
    areParts.push(isPart(keys[i]!))
    if (!isPart(keys[i]!)) row.words++
    squares[isPart(keys[i]!) ? 'parts' : 'words'] += value * value
  }
  const [ofWord, ofPart] = [scaleTo(1, squares.words), scaleTo(partShare, squares.parts)]
  row.values = row.values.map((value, i) => value * (areParts[i] ? ofPart : ofWord))
  return row
}

function matrixOf(rows: readonly Row[], columnCount: number): SparseRows {
  const starts = new Uint32Array(rows.length + 1)
  rows.forEach(({ columns }, i) => {
    starts[i + 1] = starts[i]! + columns.length
  })
  const columns = new Uint32Array(starts.at(-1)!)
  const values = new Float32Array(columns.length)
  rows.forEach((row, i) => {
    columns.set(row.columns, starts[i])
    values.set(row.values, starts[i])
  })
  return { starts, columns, values, columnCount }
}

/** Writes rows of numbers with a byte each, and what to multiply each row with. */
function quantized(rows: Float32Array, width: number): Pick<LsaModel, 'scales' | 'directions'> {
  const scales = new Float32Array(rows.length / width)
  const directions = new Int8Array(rows.length)
  for (let row = 0; row < scales.length; row++)
    scales[row] = quantize(rows.subarray(row * width, (row + 1) * width), directions, row * width)
  return { scales, directions }
}

/** Writes numbers as bytes, from an offset on; returns what to multiply them with. */
export function quantize(numbers: ArrayLike<number>, to: Int8Array, offset = 0): number {
  let most = 0
  for (let i = 0; i < numbers.length; i++) most = Math.max(most, Math.abs(numbers[i]!))
  if (most === 0) return 0
  for (let i = 0; i < numbers.length; i++) to[offset + i] = Math.round((numbers[i]! / most) * 127)
  return most / 127
}

/** Learns from documents; null where they are too few to mean anything. */
export function learnModel(documents: readonly Features[]): LsaModel | null {
  if (documents.length < minLearned) return null
  const counts = countAll(documents)
  const keys = keptKeys(counts)
  if (keys.length === 0) return null
  const weights = Float32Array.from(keys, (key) => weightOf(counts.get(key)!, documents.length))
  const places = placesOf(keys)
  const rows = documents.map((document) => rowOf(document, places, weights))
  const rank = Math.min(maxDimensions, lane * Math.ceil(documents.length / documentsEach / lane))
  const { rank: dimensions, columns } = truncatedSvd(matrixOf(rows, keys.length), rank)
  return { dimensions, keys, weights, ...quantized(columns, dimensions) }
}

/** A text of so many words is half sure. */
const halfSureWords = 5

/** Gives a document its vector: surer, the more of its words are known. */
export function embedFeatures(model: LsaModel, places: KeyPlaces, document: Features): Embedding {
  const { dimensions, weights, scales, directions } = model
  const vector = new Float32Array(dimensions)
  const { columns, values, words } = rowOf(document, places, weights)
  for (let i = 0; i < columns.length; i++) {
    const factor = values[i]! * scales[columns[i]!]!
    const from = columns[i]! * dimensions
    for (let d = 0; d < dimensions; d++) vector[d] = vector[d]! + factor * directions[from + d]!
  }
  const factor = scaleTo(
    1,
    vector.reduce((sum, value) => sum + value * value, 0),
  )
  return { vector: vector.map((value) => value * factor), confidence: words / (words + halfSureWords) }
}

/** Leaves of a model only what enough of the documents have that there still are; null where they are too few. */
export function pruneModel(model: LsaModel, documents: readonly Features[]): LsaModel | null {
  if (documents.length < minLearned) return null
  const counts = countAll(documents)
  const { keys, weights, scales, directions, dimensions } = model
  const kept = Array.from(keys.keys()).filter((i) => (counts.get(keys[i]!)?.documents ?? 0) >= minDocuments)
  const left = new Int8Array(kept.length * dimensions)
  kept.forEach((i, place) => {
    left.set(directions.subarray(i * dimensions, (i + 1) * dimensions), place * dimensions)
  })
  return {
    dimensions,
    keys: Uint32Array.from(kept, (i) => keys[i]!),
    weights: Float32Array.from(kept, (i) => weights[i]!),
    scales: Float32Array.from(kept, (i) => scales[i]!),
    directions: left,
  }
}
