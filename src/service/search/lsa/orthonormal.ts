import type { DenseRows } from './sparse'

/** Returns the upper triangle of the products of all columns with each other, for rows of `width` numbers. */
function gramOf(rows: DenseRows, width: number): Float64Array {
  const gram = new Float64Array(width * width)
  for (let at = 0; at < rows.length; at += width)
    for (let i = 0; i < width; i++) {
      const value = rows[at + i]!
      if (value === 0) continue
      for (let j = i; j < width; j++) gram[i * width + j] = gram[i * width + j]! + value * rows[at + j]!
    }
  return gram
}

/**
 * Returns the upper triangle R with RᵀR equal to the matrix (Cholesky); a dependent column stays, as noise.
 */
function triangleOf(gram: Float64Array, width: number): Float64Array {
  const triangle = new Float64Array(width * width)
  for (let i = 0; i < width; i++) {
    const own = gram[i * width + i]!
    let rest = own
    for (let k = 0; k < i; k++) rest -= triangle[k * width + i]! ** 2
    const root = Math.sqrt(Math.max(rest, 1e-9 * own, 1e-30))
    triangle[i * width + i] = root
    for (let j = i + 1; j < width; j++) {
      let sum = gram[i * width + j]!
      for (let k = 0; k < i; k++) sum -= triangle[k * width + i]! * triangle[k * width + j]!
      triangle[i * width + j] = sum / root
    }
  }
  return triangle
}

/**
 * Makes the columns of a matrix orthonormal, in place. Once suffices between two steps of an iteration; twice
 * is exact to the last digits (CholeskyQR2).
 */
export function makeOrthonormal(rows: DenseRows, width: number, times: 1 | 2): void {
  for (let time = 0; time < times; time++) {
    const triangle = triangleOf(gramOf(rows, width), width)
    const row = new Float64Array(width)
    for (let at = 0; at < rows.length; at += width) {
      row.set(rows.subarray(at, at + width))
      // Forward substitution by rows of the triangle, which are contiguous.
      for (let i = 0; i < width; i++) {
        const value = row[i]! / triangle[i * width + i]!
        rows[at + i] = value
        for (let j = i + 1; j < width; j++) row[j] = row[j]! - value * triangle[i * width + j]!
      }
    }
  }
}
