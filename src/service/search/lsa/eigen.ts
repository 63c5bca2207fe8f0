/**
 * Eigenvalues of a symmetric matrix, largest first, and their vectors: `vectors[i]` belongs to `values[i]`.
 */
export interface Eigen {
  values: number[]
  vectors: Float64Array[]
}

const maxSweeps = 20
/** Share of the whole that counts as zero. */
const negligible = 1e-9

/**
 * Decomposes a symmetric matrix by Jacobi rotations, each of which zeroes one off-diagonal entry (Golub and
 * Van Loan, Matrix Computations, section 8.5).
 */
export function eigenOf(symmetric: readonly Float64Array[]): Eigen {
  const matrix = symmetric.map((row) => Float64Array.from(row))
  const vectors = matrix.map((_, i) => Float64Array.from(matrix, (_, j) => (i === j ? 1 : 0)))
  const floor =
    negligible * Math.sqrt(matrix.reduce((sum, row) => sum + row.reduce((s, x) => s + x * x, 0), 0))
  for (let sweep = 0; sweep < maxSweeps && turnAll(matrix, vectors, floor / matrix.length); sweep++);
  const order = [...matrix.keys()].sort((a, b) => matrix[b]![b]! - matrix[a]![a]!)
  return { values: order.map((i) => matrix[i]![i]!), vectors: order.map((i) => vectors[i]!) }
}

/** Runs one sweep of rotations. Returns false if all off-diagonal entries were small already. */
function turnAll(matrix: Float64Array[], vectors: Float64Array[], floor: number): boolean {
  let turned = false
  for (let p = 0; p < matrix.length; p++)
    for (let q = p + 1; q < matrix.length; q++) {
      if (Math.abs(matrix[p]![q]!) <= floor) continue
      turn(matrix, vectors, p, q)
      turned = true
    }
  return turned
}

function turn(matrix: Float64Array[], vectors: Float64Array[], p: number, q: number): void {
  const [rowP, rowQ] = [matrix[p]!, matrix[q]!]
  const beside = rowP[q]!
  const theta = (rowQ[q]! - rowP[p]!) / (2 * beside)
  const tangent = Math.sign(theta || 1) / (Math.abs(theta) + Math.hypot(theta, 1))
  const cosine = 1 / Math.hypot(tangent, 1)
  const sine = tangent * cosine
  const [diagonalP, diagonalQ] = [rowP[p]! - tangent * beside, rowQ[q]! + tangent * beside]
  turnRows(rowP, rowQ, cosine, sine)
  turnRows(vectors[p]!, vectors[q]!, cosine, sine)
  for (let i = 0; i < matrix.length; i++) {
    matrix[i]![p] = rowP[i]!
    matrix[i]![q] = rowQ[i]!
  }
  rowP[p] = diagonalP
  rowQ[q] = diagonalQ
  rowP[q] = rowQ[p] = 0
}

function turnRows(rowP: Float64Array, rowQ: Float64Array, cosine: number, sine: number): void {
  for (let i = 0; i < rowP.length; i++) {
    const p = rowP[i]!
    const q = rowQ[i]!
    rowP[i] = cosine * p - sine * q
    rowQ[i] = sine * p + cosine * q
  }
}
