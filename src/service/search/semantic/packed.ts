import type { Embedding } from '../../ports'
import { quantize } from '../lsa'

/** Vectors of messages, with a byte per number, as stored and searched. */
export interface PackedVectors {
  readonly dimensions: number
  /** `created_seq` of each message, ascending. */
  readonly seqs: Float64Array
  /** Factor of the numbers of each vector. */
  readonly scales: Float32Array
  /** Confidence of each, from 0 to 255. */
  readonly confidences: Uint8Array
  /** `dimensions` numbers for each. */
  readonly numbers: Int8Array
}

const headerBytes = 8
const bytesEach = (dimensions: number) => 8 + 4 + 1 + dimensions

/** Views bytes as packed vectors, without a copy; the buffer must be aligned to eight bytes. */
function packedIn(buffer: ArrayBuffer, count: number, dimensions: number): PackedVectors {
  let at = headerBytes
  const next = (bytes: number) => {
    const from = at
    at += bytes
    return from
  }
  return {
    dimensions,
    seqs: new Float64Array(buffer, next(8 * count), count),
    scales: new Float32Array(buffer, next(4 * count), count),
    confidences: new Uint8Array(buffer, next(count), count),
    numbers: new Int8Array(buffer, next(dimensions * count), dimensions * count),
  }
}

/** Reads packed vectors. */
export function readPacked(bytes: Uint8Array): PackedVectors {
  const { buffer } = Uint8Array.from(bytes)
  const [count = 0, dimensions = 0] = new Uint32Array(buffer, 0, 2)
  return packedIn(buffer, count, dimensions)
}

/** Allocates packed vectors, to be filled in. */
function emptyPacked(count: number, dimensions: number) {
  const buffer = new ArrayBuffer(headerBytes + count * bytesEach(dimensions))
  new Uint32Array(buffer, 0, 2).set([count, dimensions])
  return { bytes: new Uint8Array(buffer), packed: packedIn(buffer, count, dimensions) }
}

/** A message with its embedding. */
export interface SeqEmbedding extends Embedding {
  readonly seq: number
}

/** The same, with its inbox. */
export interface PlacedEmbedding extends SeqEmbedding {
  readonly inboxId: string
}

/** Packs vectors of later messages after the packed ones. */
export function appended(
  before: PackedVectors | undefined,
  added: readonly SeqEmbedding[],
  dimensions: number,
): Uint8Array {
  const kept = before?.seqs.length ?? 0
  const { bytes, packed } = emptyPacked(kept + added.length, dimensions)
  if (before) {
    packed.seqs.set(before.seqs)
    packed.scales.set(before.scales)
    packed.confidences.set(before.confidences)
    packed.numbers.set(before.numbers)
  }
  added.forEach(({ seq, vector, confidence }, i) => {
    packed.seqs[kept + i] = seq
    packed.scales[kept + i] = quantize(vector, packed.numbers, (kept + i) * dimensions)
    packed.confidences[kept + i] = Math.round(confidence * 255)
  })
  return bytes
}

/** Packs the vectors again without some messages. */
export function without(before: PackedVectors, gone: ReadonlySet<number>): Uint8Array {
  const { dimensions, seqs } = before
  const left = Array.from(seqs.keys()).filter((i) => !gone.has(seqs[i]!))
  const { bytes, packed } = emptyPacked(left.length, dimensions)
  left.forEach((from, to) => {
    packed.seqs[to] = seqs[from]!
    packed.scales[to] = before.scales[from]!
    packed.confidences[to] = before.confidences[from]!
    packed.numbers.set(before.numbers.subarray(from * dimensions, (from + 1) * dimensions), to * dimensions)
  })
  return bytes
}
