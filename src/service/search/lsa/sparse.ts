/** A sparse matrix: row `i` has the entries from `starts[i]` to `starts[i + 1]`. */
export interface SparseRows {
  readonly starts: Uint32Array
  readonly columns: Uint32Array
  readonly values: Float32Array
  readonly columnCount: number
}

export const rowCountOf = ({ starts }: SparseRows): number => starts.length - 1

/** Contiguous rows of `width` numbers; `width` is a multiple of four. */
export type DenseRows = Float32Array

// glibc keeps much freed memory for reuse, in every thread, except allocations above 32 MB, which it returns
// at once.
const givenBackBytes = 33 * 1024 * 1024
const smallBytes = 1024 * 1024

/** Allocates rows that go back to the system once they are freed. */
export function emptyRows(numbers: number): DenseRows {
  const bytes = numbers * Float32Array.BYTES_PER_ELEMENT
  // Unwritten pages use no memory.
  const room = bytes < smallBytes ? bytes : Math.max(bytes, givenBackBytes)
  return new Float32Array(new ArrayBuffer(room), 0, numbers)
}

/** Returns the product of a matrix with one of `width` columns. */
export function multiply(matrix: SparseRows, factor: DenseRows, width: number): DenseRows {
  const { starts, columns, values } = matrix
  const product = emptyRows(rowCountOf(matrix) * width)
  for (let row = 0; row < rowCountOf(matrix); row++) {
    const to = row * width
    for (let entry = starts[row]!; entry < starts[row + 1]!; entry++)
      addScaled(product, to, factor, columns[entry]! * width, values[entry]!, width)
  }
  return product
}

/** Returns the product of a transposed matrix with one of `width` columns. */
export function multiplyTransposed(matrix: SparseRows, factor: DenseRows, width: number): DenseRows {
  const { starts, columns, values } = matrix
  const product = emptyRows(matrix.columnCount * width)
  for (let row = 0; row < rowCountOf(matrix); row++) {
    const from = row * width
    for (let entry = starts[row]!; entry < starts[row + 1]!; entry++)
      addScaled(product, columns[entry]! * width, factor, from, values[entry]!, width)
  }
  return product
}

/** Adds `factor` times a row to another: the hot loop of learning. The width is a multiple of four. */
function addScaled(
  to: DenseRows,
  toOffset: number,
  from: DenseRows,
  fromOffset: number,
  factor: number,
  width: number,
): void {
  const end = toOffset + width
  for (let i = toOffset, j = fromOffset; i < end; i += 4, j += 4) {
    to[i] = to[i]! + factor * from[j]!
    to[i + 1] = to[i + 1]! + factor * from[j + 1]!
    to[i + 2] = to[i + 2]! + factor * from[j + 2]!
    to[i + 3] = to[i + 3]! + factor * from[j + 3]!
  }
}
