import type { LsaModel } from './model'

/** Serializes a model: two counts, then its parts. */
export function modelBytes({ dimensions, keys, weights, scales, directions }: LsaModel): Uint8Array {
  const counts = Uint32Array.of(dimensions, keys.length)
  const parts = [counts, keys, weights, scales, directions]
  return Buffer.concat(
    parts.map(({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength)),
  )
}

/** Reads the bytes of {@link modelBytes}. */
export function modelOf(bytes: Uint8Array): LsaModel {
  // A copy is aligned to four bytes.
  const { buffer } = Uint8Array.from(bytes)
  const [dimensions = 0, count = 0] = new Uint32Array(buffer, 0, 2)
  return {
    dimensions,
    keys: new Uint32Array(buffer, 8, count),
    weights: new Float32Array(buffer, 8 + 4 * count, count),
    scales: new Float32Array(buffer, 8 + 8 * count, count),
    directions: new Int8Array(buffer, 8 + 12 * count, count * dimensions),
  }
}
