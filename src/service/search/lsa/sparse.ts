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

/** The product of a matrix with one that has `width` columns. */
export function multiply(matrix: SparseRows, factor: DenseRows, width: number): DenseRows {
  const { starts, columns, values } = matrix
  const product = new Float32Array(rowCountOf(matrix) * width)
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
  const product = new Float32Array(matrix.columnCount * width)
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
