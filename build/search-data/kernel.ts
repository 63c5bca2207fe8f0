// The inner loops of the encoder and of the comparison of vectors, by WebAssembly SIMD. This is AssemblyScript: `npm run kernel` compiles it to
// src/service/search/data/kernel.wasm, which is committed.

// @ts-nocheck

/** Sums the four lanes of a vector. */
// @ts-expect-error: decorator
@inline
function laneSum(v: v128): i32 {
  const pairs = i32x4.add(v, i8x16.shuffle(v, v, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7))
  return i32x4.extract_lane(pairs, 0) + i32x4.extract_lane(pairs, 1)
}

/**
 * Multiplies int16 activations with packed int8 weights, to int32: C[rows × columns] = A[rows × width] · B.
 *
 * The weights of four columns are together, eight numbers of each at a time: [columns / 4][width / 8][4][8].
 * `rows` is a multiple of 2, `columns` of 4, `width` of 8.
 */
export function multiply(a: usize, b: usize, c: usize, rows: i32, width: i32, columns: i32): void {
  const rowBytes = <usize>width << 1
  for (let row = 0; row < rows; row += 2) {
    for (let column = 0; column < columns; column += 4) {
      let s0 = i32x4.splat(0), s1 = i32x4.splat(0), s2 = i32x4.splat(0), s3 = i32x4.splat(0)
      let t0 = i32x4.splat(0), t1 = i32x4.splat(0), t2 = i32x4.splat(0), t3 = i32x4.splat(0)
      let weights = b + <usize>column * width
      let first = a + <usize>row * rowBytes
      let second = first + rowBytes
      for (let at = 0; at < width; at += 8) {
        const x = v128.load(first), y = v128.load(second)
        let w = v128.load_ext<i8>(weights)
        s0 = i32x4.add(s0, i32x4.dot_i16x8_s(x, w))
        t0 = i32x4.add(t0, i32x4.dot_i16x8_s(y, w))
        w = v128.load_ext<i8>(weights, 8)
        s1 = i32x4.add(s1, i32x4.dot_i16x8_s(x, w))
        t1 = i32x4.add(t1, i32x4.dot_i16x8_s(y, w))
        w = v128.load_ext<i8>(weights, 16)
        s2 = i32x4.add(s2, i32x4.dot_i16x8_s(x, w))
        t2 = i32x4.add(t2, i32x4.dot_i16x8_s(y, w))
        w = v128.load_ext<i8>(weights, 24)
        s3 = i32x4.add(s3, i32x4.dot_i16x8_s(x, w))
        t3 = i32x4.add(t3, i32x4.dot_i16x8_s(y, w))
        first += 16
        second += 16
        weights += 32
      }
      const out = c + ((<usize>row * columns + column) << 2)
      store<i32>(out, laneSum(s0))
      store<i32>(out, laneSum(s1), 4)
      store<i32>(out, laneSum(s2), 8)
      store<i32>(out, laneSum(s3), 12)
      const below = out + (<usize>columns << 2)
      store<i32>(below, laneSum(t0))
      store<i32>(below, laneSum(t1), 4)
      store<i32>(below, laneSum(t2), 8)
      store<i32>(below, laneSum(t3), 12)
    }
  }
}

/** Stores the products of each of some rows of int8 numbers with one row. `width` is a multiple of 16. */
export function products(rows: usize, count: i32, query: usize, width: i32, sums: usize): void {
  for (let row = 0; row < count; row++) {
    let sum = i32x4.splat(0)
    for (let at: usize = 0; at < <usize>width; at += 16) {
      sum = i32x4.add(sum, i32x4.dot_i16x8_s(v128.load_ext<i8>(rows + at), v128.load_ext<i8>(query + at)))
      sum = i32x4.add(sum, i32x4.dot_i16x8_s(v128.load_ext<i8>(rows + at, 8), v128.load_ext<i8>(query + at, 8)))
    }
    store<i32>(sums, laneSum(sum))
    rows += width
    sums += 4
  }
}

/** Sums the four lanes of a vector of float32. */
// @ts-expect-error: decorator
@inline
function floatSum(v: v128): f32 {
  return (
    f32x4.extract_lane(v, 0) + f32x4.extract_lane(v, 1) + (f32x4.extract_lane(v, 2) + f32x4.extract_lane(v, 3))
  )
}

/**
 * Rounds rows of float32 to int16 up to `most`, and stores the scale of each. `width` is a multiple of 8. After
 * an odd number of rows follows one of zeros, for `multiply`.
 */
export function quantize(rows: usize, count: i32, width: i32, out: usize, scales: usize, most: f32): void {
  const bytes = <usize>width << 2
  for (let row = 0; row < count; row++) {
    let greatest = f32x4.splat(0)
    for (let at: usize = 0; at < bytes; at += 16) greatest = f32x4.max(greatest, f32x4.abs(v128.load(rows + at)))
    const max = Mathf.max(
      Mathf.max(f32x4.extract_lane(greatest, 0), f32x4.extract_lane(greatest, 1)),
      Mathf.max(f32x4.extract_lane(greatest, 2), f32x4.extract_lane(greatest, 3)),
    )
    const factor = f32x4.splat(max > 0 ? most / max : 0)
    for (let at: usize = 0; at < bytes; at += 32) {
      const low = i32x4.trunc_sat_f32x4_s(f32x4.nearest(f32x4.mul(v128.load(rows + at), factor)))
      const high = i32x4.trunc_sat_f32x4_s(f32x4.nearest(f32x4.mul(v128.load(rows + at, 16), factor)))
      v128.store(out, i16x8.narrow_i32x4_s(low, high))
      out += 16
    }
    store<f32>(scales, max / most)
    scales += 4
    rows += bytes
  }
  if (count & 1) memory.fill(out, 0, <usize>width << 1)
}

/** Scales sums of products back, adds a bias, and raises results to at least `least`. */
export function dequantize(
  sums: usize, count: i32, columns: i32, rowScales: usize, scales: usize, bias: usize, least: f32, out: usize,
): void {
  const bytes = <usize>columns << 2
  const floor = f32x4.splat(least)
  for (let row = 0; row < count; row++) {
    const rowScale = f32x4.splat(load<f32>(rowScales))
    for (let at: usize = 0; at < bytes; at += 16) {
      const value = f32x4.mul(f32x4.mul(f32x4.convert_i32x4_s(v128.load(sums + at)), rowScale), v128.load(scales + at))
      v128.store(out + at, f32x4.max(f32x4.add(value, v128.load(bias + at)), floor))
    }
    rowScales += 4
    sums += bytes
    out += bytes
  }
}

/** Stores the products of a vector of float32 with others, which are `stride` bytes apart. */
export function match(vector: usize, others: usize, stride: i32, count: i32, width: i32, out: usize): void {
  const bytes = <usize>width << 2
  for (let other = 0; other < count; other++) {
    let sum = f32x4.splat(0)
    for (let at: usize = 0; at < bytes; at += 16)
      sum = f32x4.add(sum, f32x4.mul(v128.load(vector + at), v128.load(others + at)))
    store<f32>(out, floatSum(sum))
    others += stride
    out += 4
  }
}

/** Stores the sum of vectors of float32, which are `stride` bytes apart, each by its weight. */
export function mix(weights: usize, vectors: usize, stride: i32, count: i32, width: i32, out: usize): void {
  const bytes = <usize>width << 2
  for (let at: usize = 0; at < bytes; at += 16) {
    let sum = f32x4.splat(0)
    let vector = vectors + at
    for (let i = 0; i < count; i++) {
      sum = f32x4.add(sum, f32x4.mul(f32x4.splat(load<f32>(weights + (<usize>i << 2))), v128.load(vector)))
      vector += stride
    }
    v128.store(out + at, sum)
  }
}
