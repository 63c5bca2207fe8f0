import { eigenOf } from './eigen'
import { makeOrthonormal } from './orthonormal'
import { type DenseRows, emptyRows, multiply, multiplyTransposed, type SparseRows } from './sparse'

/**
 * Leading part of a singular value decomposition: a direction for each of the largest values, largest first.
 */
export interface TruncatedSvd {
  /** At most the requested rank; directions beyond the rank of the matrix are zero. */
  rank: number
  values: Float64Array
  /** Right singular vectors: `rank` numbers for each column of the matrix. */
  columns: DenseRows
}

/** Additional directions, which make the requested ones exact. */
const oversampled = 16
const iterations = 2
/** Share of the largest that counts as rounding. */
const negligible = 1e-4

/**
 * Returns a repeatable source of numbers from -0.5 to 0.5 (mulberry32): equal messages give an equal model.
 */
function createRandom(): () => number {
  let state = 1
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296 - 0.5
  }
}

function randomRows(numbers: number): DenseRows {
  const rows = emptyRows(numbers)
  const random = createRandom()
  for (let i = 0; i < rows.length; i++) rows[i] = random()
  return rows
}

/**
 * Finds the leading singular vectors by randomized subspace iteration (Halko, Martinsson and Tropp, Finding
 * structure with randomness, algorithm 4.4). No large matrix is built: there are fewer rows than columns, and
 * only the row side is made orthonormal.
 *
 * @param rank A multiple of four.
 */
export function truncatedSvd(matrix: SparseRows, rank: number): TruncatedSvd {
  const width = rank + oversampled
  let basis = multiply(matrix, randomRows(matrix.columnCount * width), width)
  for (let i = 0; i < iterations; i++) {
    makeOrthonormal(basis, width, 1)
    basis = multiply(matrix, multiplyTransposed(matrix, basis, width), width)
  }
  makeOrthonormal(basis, width, 2)
  const image = multiply(matrix, multiplyTransposed(matrix, basis, width), width)
  const { values, vectors } = eigenOf(productOf(basis, image, width))
  const singular = Float64Array.from(values.slice(0, rank), (value) => Math.sqrt(Math.max(value, 0)))
  const rows = turned(basis, width, vectors, singular)
  return { rank, values: singular, columns: multiplyTransposed(matrix, rows, rank) }
}

/** Returns the small symmetric matrix of a large one within a basis. */
function productOf(basis: DenseRows, image: DenseRows, width: number): Float64Array[] {
  const product = Array.from({ length: width }, () => new Float64Array(width))
  for (let at = 0; at < basis.length; at += width)
    for (let i = 0; i < width; i++) {
      const row = product[i]!
      const value = basis[at + i]!
      for (let j = 0; j < width; j++) row[j] = row[j]! + value * image[at + j]!
    }
  for (let i = 0; i < width; i++)
    for (let j = 0; j < i; j++) product[i]![j] = product[j]![i] = (product[i]![j]! + product[j]![i]!) / 2
  return product
}

/** Returns the rows of a basis along the vectors, each divided by its value; zero along negligible ones. */
function turned(
  basis: DenseRows,
  width: number,
  vectors: readonly Float64Array[],
  values: Float64Array,
): DenseRows {
  const rank = values.length
  const rows = emptyRows((basis.length / width) * rank)
  for (let to = 0; to < rank; to++) {
    const vector = vectors[to]!
    const factor = values[to]! > negligible * values[0]! ? 1 / values[to]! : 0
    for (let row = 0; row * width < basis.length; row++) {
      let sum = 0
      for (let i = 0; i < width; i++) sum += basis[row * width + i]! * vector[i]!
      rows[row * rank + to] = sum * factor
    }
  }
  return rows
}
