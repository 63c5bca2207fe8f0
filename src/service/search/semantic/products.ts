import { createKernel, type Kernel, reserve } from './kernel'

/** Numbers of a row that the kernel processes at once; rows of other widths are left to JavaScript. */
const lanes = 16
/** Maximum number of rows of a call: their sums come first in the memory. */
const maxRows = 256
const sumsBytes = 4 * maxRows

let kernel: Kernel | undefined

/** Returns the product of one of some rows with another row, in JavaScript: for a few of many. */
export function productOf(rows: Int8Array, which: number, query: Int8Array): number {
  const width = query.length
  let sum = 0
  for (let d = 0, from = which * width; d < width; d++) sum += Math.imul(rows[from + d]!, query[d]!)
  return sum
}

/** Returns the products of each of some rows of bytes with one row. */
export function productsOf(rows: Int8Array, query: Int8Array): Int32Array {
  const width = query.length
  const count = width === 0 ? 0 : rows.length / width
  const sums = new Int32Array(count)
  if (width % lanes !== 0 || count > maxRows || count === 0) {
    for (let i = 0; i < count; i++) sums[i] = productOf(rows, i, query)
    return sums
  }
  const queryAt = sumsBytes
  const rowsAt = queryAt + width
  kernel ??= createKernel(rowsAt + rows.length)
  reserve(kernel, rowsAt + rows.length)
  const bytes = new Int8Array(kernel.memory.buffer)
  bytes.set(query, queryAt)
  bytes.set(rows, rowsAt)
  kernel.products(rowsAt, count, queryAt, width, 0)
  sums.set(new Int32Array(kernel.memory.buffer, 0, count))
  return sums
}
