import type { LsaModel } from './model'

/** A model as bytes: two counts, then its parts, each in its place. */
export function modelBytes({ dimensions, keys, weights, scales, directions }: LsaModel): Uint8Array {
  const counts = Uint32Array.of(dimensions, keys.length)
  const parts = [counts, keys, weights, scales, directions]
  return Buffer.concat(
    parts.map(({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength)),
  )
}

/** Reads what {@link modelBytes} wrote. */
export function modelOf(bytes: Uint8Array): LsaModel {
  // A copy begins at an address that numbers of four bytes can have.
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
