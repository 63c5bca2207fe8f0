// Products of rows of bytes with one row, sixteen at a time, by WebAssembly SIMD, which JavaScript lacks. It
// takes a sixth of the time; rows whose width is not a multiple of sixteen are left to JavaScript.

/** Numbers of a row that are processed at once. */
const lanes = 16
const pageBytes = 65_536
/** Size of the sums, after which the common row follows. */
const sumsBytes = 4 * 256

const opcodes = {
  loop: [0x03, 0x40],
  end: [0x0b],
  again: [0x0d, 0x00],
  get: (local: number) => [0x20, local],
  set: (local: number) => [0x21, local],
  tee: (local: number) => [0x22, local],
  number: (value: number) => [0x41, value],
  add: [0x6a],
  subtract: [0x6b],
  isLess: [0x49],
  store: [0x36, 0x02, 0x00],
  zeros: [0xfd, 0x0c, ...new Array<number>(16).fill(0)],
  load: [0xfd, 0x00, 0x00, 0x00],
  lowHalf: [0xfd, 0x87, 0x01],
  highHalf: [0xfd, 0x88, 0x01],
  multiplyPairs: [0xfd, 0xba, 0x01],
  addLanes: [0xfd, 0xae, 0x01],
  lane: (which: number) => [0xfd, 0x1b, which],
}

/** Returns the code: for each of `count` rows the sum of its products with the row at `query`. */
function code(): number[] {
  const [rows, count, query, width, sums, at, sum, one, other] = [0, 1, 2, 3, 4, 5, 6, 7, 8] as const
  const { loop, end, again, get, set, tee, number, add, subtract, isLess, store, zeros, load } = opcodes
  const { lowHalf, highHalf, multiplyPairs, addLanes, lane } = opcodes
  const half = (which: number[]) => [
    ...[get(sum), get(one), which, get(other), which].flat(),
    ...[multiplyPairs, addLanes, set(sum)].flat(),
  ]
  return [
    ...[loop, zeros, set(sum), number(0), set(at)].flat(),
    ...[loop, get(rows), get(at), add, load, set(one), get(query), get(at), add, load, set(other)].flat(),
    ...[half(lowHalf), half(highHalf)].flat(),
    ...[get(at), number(lanes), add, tee(at), get(width), isLess, again, end].flat(),
    ...[get(sums), get(sum), lane(0), get(sum), lane(1), add].flat(),
    ...[get(sum), lane(2), add, get(sum), lane(3), add, store].flat(),
    ...[get(rows), get(width), add, set(rows), get(sums), number(4), add, set(sums)].flat(),
    ...[get(count), number(1), subtract, tee(count), again, end, end].flat(),
  ]
}

const [ofI32, ofV128, ofFunction] = [0x7f, 0x7b, 0x60]

const sized = (bytes: readonly number[]) => {
  const size = bytes.length
  return size < 128 ? [size, ...bytes] : [(size & 127) | 128, size >> 7, ...bytes]
}
const section = (id: number, bytes: readonly number[]) => [id, ...sized(bytes)]

/**
 * Returns a module (WebAssembly Core Specification 2.0, section 5.5) of one function and one memory, `f` and
 * `m`.
 */
const moduleBytes = () =>
  Uint8Array.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [1, ofFunction, 5, ofI32, ofI32, ofI32, ofI32, ofI32, 0]),
    ...section(3, [1, 0]),
    ...section(5, [1, 0, 2]),
    ...section(7, [2, 1, 0x66, 0, 0, 1, 0x6d, 2, 0]),
    ...section(10, [1, ...sized([2, 1, ofI32, 3, ofV128, ...code()])]),
  ])

interface Compiled {
  f(rows: number, count: number, query: number, width: number, sums: number): void
  m: WebAssembly.Memory
}

let compiled: Compiled | undefined

function compile(): Compiled {
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(moduleBytes()))
  return exports as unknown as Compiled
}

/** Returns the sum of the products of one of some rows with another row, in JavaScript: for a few of many. */
export function productOf(rows: Int8Array, which: number, query: Int8Array): number {
  const width = query.length
  let sum = 0
  for (let d = 0, from = which * width; d < width; d++) sum += Math.imul(rows[from + d]!, query[d]!)
  return sum
}

/** Returns the sums of the products of each of some rows of bytes with one row. */
export function productsOf(rows: Int8Array, query: Int8Array): Int32Array {
  const width = query.length
  const count = width === 0 ? 0 : rows.length / width
  const sums = new Int32Array(count)
  const most = sumsBytes / 4
  if (width % lanes !== 0 || count > most || count === 0) {
    for (let i = 0; i < count; i++) sums[i] = productOf(rows, i, query)
    return sums
  }
  compiled ??= compile()
  const { f, m } = compiled
  const queryAt = sumsBytes
  const rowsAt = queryAt + width
  const missing = rowsAt + rows.length - m.buffer.byteLength
  if (missing > 0) m.grow(Math.ceil(missing / pageBytes))
  const bytes = new Int8Array(m.buffer)
  bytes.set(query, queryAt)
  bytes.set(rows, rowsAt)
  f(rowsAt, count, queryAt, width, 0)
  sums.set(new Int32Array(m.buffer, 0, count))
  return sums
}
