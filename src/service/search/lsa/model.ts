import type { Embedding } from '../../ports'
import { type Features, isPart } from './features'
import type { SparseRows } from './sparse'
import { truncatedSvd } from './svd'

/**
 * Learned model of an account: a direction for each word, from which words occur together. It has only hashes
 * of words, and none that fewer than {@link minDocuments} documents contain.
 */
export interface LsaModel {
  /** Length of a vector. */
  readonly dimensions: number
  /** Hashes of its words and parts of words, commonest first. */
  readonly keys: Uint32Array
  /** Weight of each: low if it is evenly in all documents. */
  readonly weights: Float32Array
  /** Direction of each, `dimensions` numbers, to be multiplied by its scale. */
  readonly scales: Float32Array
  readonly directions: Int8Array
}

/** Documents that a word needs: with fewer, nothing can be learned, and it could reveal one of them. */
export const minDocuments = 3
/** Documents that a model needs. */
export const minLearned = 50
const maxDimensions = 192
/** Documents per dimension. */
export const documentsEach = 8
/** Row lengths are multiples of this. */
const lane = 4
const maxKeys = 40_000
/** Weight of the parts of words relative to the words. */
const partShare = 0.5

interface Count {
  documents: number
  total: number
  /** Sum of n·log n over the documents that have it n times. */
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

/** Returns 1 for a word in a single document, 0 for one evenly in all (entropy, as in Dumais 1991). */
const weightOf = ({ total, spread }: Count, documents: number): number =>
  Math.max(0, 1 + (spread / total - Math.log(total)) / Math.log(documents))

/** Returns the kept hashes, commonest first, so that frequent ones are close in memory. */
function keptKeys(counts: ReadonlyMap<number, Count>): Uint32Array {
  const known = [...counts].filter(([, { documents }]) => documents >= minDocuments)
  known.sort(([a, one], [b, other]) => other.documents - one.documents || a - b)
  return Uint32Array.from(known.slice(0, maxKeys), ([key]) => key)
}

/** Place of each hash in a model. */
export type KeyPlaces = ReadonlyMap<number, number>
export const placesOf = (keys: Uint32Array): KeyPlaces => new Map(Array.from(keys, (key, i) => [key, i]))

interface Row {
  columns: number[]
  values: number[]
  /** Number of its known words. */
  words: number
}

/** Returns the factor that scales values to a length. */
const scaleTo = (length: number, squares: number): number => (squares > 0 ? length / Math.sqrt(squares) : 0)

/** Returns a document as a row: words and parts are scaled separately, so that long words do not dominate. */
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

/** Quantizes rows of numbers to bytes, with a scale for each row. */
function quantized(rows: Float32Array, width: number): Pick<LsaModel, 'scales' | 'directions'> {
  const scales = new Float32Array(rows.length / width)
  const directions = new Int8Array(rows.length)
  for (let row = 0; row < scales.length; row++)
    scales[row] = quantize(rows.subarray(row * width, (row + 1) * width), directions, row * width)
  return { scales, directions }
}

/** Quantizes numbers to bytes, from an offset on; returns their scale. */
export function quantize(numbers: ArrayLike<number>, to: Int8Array, offset = 0): number {
  let most = 0
  for (let i = 0; i < numbers.length; i++) most = Math.max(most, Math.abs(numbers[i]!))
  if (most === 0) return 0
  for (let i = 0; i < numbers.length; i++) to[offset + i] = Math.round((numbers[i]! / most) * 127)
  return most / 127
}

/** Learns a model from documents; null if they are too few. */
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

/** Known words with which a vector has confidence 0.5. */
const halfSureWords = 5

/** Returns the vector of a document, with more confidence the more of its words are known. */
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

/** Keeps only the words of a model that enough remaining documents contain; null if documents are too few. */
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
