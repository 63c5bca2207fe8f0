/** A matrix of which few entries are not zero: row `i` has those from `starts[i]` to `starts[i + 1]`. */
export interface SparseRows {
  readonly starts: Uint32Array
  readonly columns: Uint32Array
  readonly values: Float32Array
  readonly columnCount: number
}

export const rowCountOf = ({ starts }: SparseRows): number => starts.length - 1

/** Rows of `width` numbers, one after the other; `width` is a multiple of four. */
export type DenseRows = Float32Array

// Where much memory is freed, glibc keeps as much for the next time, in every thread; but not more than 32 MB at a time,
// which go back to the system at once.
const givenBackBytes = 33 * 1024 * 1024
const smallBytes = 1024 * 1024

/** Makes room for rows, which the process does not keep once they are done with. */
export function emptyRows(numbers: number): DenseRows {
  const bytes = numbers * Float32Array.BYTES_PER_ELEMENT
  // What is not written takes no memory.
  const room = bytes < smallBytes ? bytes : Math.max(bytes, givenBackBytes)
  return new Float32Array(new ArrayBuffer(room), 0, numbers)
}

/** The product of a matrix with one that has `width` columns. */
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

/** The product of a matrix, its rows and columns exchanged, with one that has `width` columns. */
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

/** Adds `factor` times a row to another: here all the time of learning goes. The width is a multiple of four. */
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
