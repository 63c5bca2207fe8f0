import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { dataPath } from '../terms/data-path'
import { createKernel, type Kernel } from './kernel'
import { WordPieces } from './word-pieces'

// Universal Sentence Encoder lite (Cer et al., 2018): a transformer of two layers over pieces of words, whose
// outputs are averaged. The weights are int8, with a scale for each output. Activations are int16 for the
// products of the kernel, with a scale for each position, and float32 otherwise.

/** Maximum number of pieces: the end of a longer text does not count. */
const maxPieces = 128
const heads = 4
const pieceWidth = 256
const hiddenWidth = 512
const innerWidth = 3 * hiddenWidth
/** Greatest activation: the sums of `innerWidth` products stay within 31 bits. */
const maxActivation = 2_047

/** Values of some positions, one row after the other. */
type Rows = Float32Array

/** Header of the file of weights, which `build/search-data/encoder.mjs` writes. */
interface Header {
  readonly tensors: Readonly<Record<string, { type: 'int8' | 'float32'; offset: number; count: number }>>
  readonly firstPiece: number
  readonly pieces: readonly string[]
}

/** A layer that multiplies rows with a matrix, and adds a bias. */
interface Linear {
  /** Numbers of a row of the input. */
  readonly width: number
  /** Address of the packed weights in the memory of the kernel. */
  readonly weights: number
  readonly scales: Float32Array
  readonly bias: Float32Array
}

/** Normalization of rows. */
interface Norm {
  readonly scale: Float32Array
  readonly bias: Float32Array
}

/** A layer of the transformer. */
interface Layer {
  readonly width: number
  readonly attentionNorm: Norm
  readonly queriesKeysValues: Linear
  readonly attentionOutput: Linear
  /** Widens the input that is added to the attention; undefined if it is wide enough. */
  readonly residual: Linear | undefined
  readonly feedForwardNorm: Norm
  readonly feedForwardIn: Linear
  readonly feedForwardOut: Linear
}

/** Writes rows with mean 0 and variance 1 each, scaled and shifted. */
function normalize(rows: Rows, { scale, bias }: Norm, count: number, out: Rows): void {
  const width = scale.length
  for (let from = 0; from < count * width; from += width) {
    let [mean, squares] = [0, 0]
    for (let i = from; i < from + width; i++) mean += rows[i]! / width
    for (let i = from; i < from + width; i++) squares += (rows[i]! - mean) ** 2
    const factor = 1 / Math.sqrt(squares / width + 1e-6)
    for (let i = 0; i < width; i++) out[from + i] = (rows[from + i]! - mean) * factor * scale[i]! + bias[i]!
  }
}

/** Adds rows to others, in place. */
function add(rows: Rows, others: Rows, numbers: number): void {
  for (let i = 0; i < numbers; i++) rows[i] = rows[i]! + others[i]!
}

/** Turns scores into positive weights with the sum 1, in place. */
function softmax(scores: Float32Array, count: number, factor: number): void {
  let [max, total] = [Number.NEGATIVE_INFINITY, 0]
  for (let i = 0; i < count; i++) max = Math.max(max, scores[i]!)
  for (let i = 0; i < count; i++) total += scores[i] = Math.exp((scores[i]! - max) * factor)
  for (let i = 0; i < count; i++) scores[i] = scores[i]! / total
}

/** Places of intermediate results in the memory of the kernel, each for up to `maxPieces` rows. */
interface Buffers {
  /** Input and output of a layer. */
  readonly current: Rows
  readonly normalized: Rows
  /** Queries, keys and values, or the inner values of the feed-forward part. */
  readonly wide: Rows
  readonly mixed: Rows
  readonly attended: Rows
  readonly other: Rows
  readonly weights: Float32Array
  readonly rowScales: Float32Array
  readonly activations: Int16Array
  readonly sums: Int32Array
}

const buffersBytes = 4 * maxPieces * (5 * hiddenWidth + 2 * innerWidth + 2) + 2 * maxPieces * innerWidth

function buffersAt(start: number, buffer: ArrayBuffer): Buffers {
  let at = start
  const next = (numbers: number, bytesEach = 4) => {
    const from = at
    at += numbers * bytesEach
    return [buffer, from, numbers] as const
  }
  const rows = (width: number) => new Float32Array(...next(maxPieces * width))
  return {
    ...{ current: rows(hiddenWidth), normalized: rows(hiddenWidth), wide: rows(innerWidth) },
    ...{ mixed: rows(hiddenWidth), attended: rows(hiddenWidth), other: rows(hiddenWidth) },
    ...{ weights: rows(1), rowScales: rows(1) },
    activations: new Int16Array(...next(maxPieces * innerWidth, 2)),
    sums: new Int32Array(...next(maxPieces * innerWidth)),
  }
}

/** Embeds short English texts. */
export class Encoder {
  readonly #kernel: Kernel
  readonly #wordPieces: WordPieces
  readonly #pieceWeights: Int8Array
  readonly #pieceScales: Float32Array
  /** Frequency of each pair of sine and cosine that encodes a position. */
  readonly #frequencies: Float32Array
  readonly #layers: readonly Layer[]
  readonly #output: Linear
  /** Keeps the directions in which texts differ most. */
  readonly #projection: Linear
  readonly #buffers: Buffers

  /** Reads the weights, which takes some 20 ms and 9 MB. */
  constructor(path = dataPath('encoder.bin')) {
    const file = openSync(path, 'r')
    try {
      const start = new Uint8Array(4)
      readSync(file, start, 0, 4, 0)
      const headerBytes = new DataView(start.buffer).getUint32(0, true)
      const header = new Uint8Array(headerBytes)
      readSync(file, header, 0, headerBytes, 4)
      const { tensors, pieces, firstPiece } = JSON.parse(new TextDecoder().decode(header)) as Header
      const weightsBytes = fstatSync(file).size - 4 - headerBytes
      this.#kernel = createKernel(weightsBytes + buffersBytes)
      const { buffer } = this.#kernel.memory
      readSync(file, new Uint8Array(buffer), 0, weightsBytes, 4 + headerBytes)
      this.#buffers = buffersAt(weightsBytes, buffer)

      const numbers = (name: string) => new Float32Array(buffer, tensors[name]!.offset, tensors[name]!.count)
      const linear = (name: string): Linear => {
        const { offset, count } = tensors[`${name}.weights`]!
        const scales = numbers(`${name}.scales`)
        return { width: count / scales.length, weights: offset, scales, bias: numbers(`${name}.bias`) }
      }
      const norm = (name: string): Norm => ({
        scale: numbers(`${name}.scale`),
        bias: numbers(`${name}.bias`),
      })
      const { offset, count } = tensors['pieces.weights']!
      this.#pieceWeights = new Int8Array(buffer, offset, count)
      this.#pieceScales = numbers('pieces.scales')
      this.#frequencies = numbers('positions')
      this.#layers = [pieceWidth, hiddenWidth].map((width, i) => ({
        width,
        attentionNorm: norm(`${i}.attention.norm`),
        queriesKeysValues: linear(`${i}.queries-keys-values`),
        attentionOutput: linear(`${i}.attention.output`),
        residual: width === hiddenWidth ? undefined : linear(`${i}.residual`),
        feedForwardNorm: norm(`${i}.feed-forward.norm`),
        feedForwardIn: linear(`${i}.feed-forward.in`),
        feedForwardOut: linear(`${i}.feed-forward.out`),
      }))
      this.#output = linear('output')
      this.#projection = linear('projection')
      const logProbabilities = numbers('pieces.log-probabilities')
      this.#wordPieces = new WordPieces({ pieces, logProbabilities, firstPiece })
    } finally {
      closeSync(file)
    }
  }

  /** Returns the vector of a text. */
  embed(text: string): Float32Array {
    const { current, mixed, other } = this.#buffers
    const ids = this.#wordPieces.idsOf(text, maxPieces)
    this.#embedPieces(ids)
    for (const layer of this.#layers) this.#transform(layer, ids.length)
    for (let i = 0; i < hiddenWidth; i++) {
      mixed[i] = 0
      for (let row = 0; row < ids.length; row++)
        mixed[i] = mixed[i]! + current[row * hiddenWidth + i]! / ids.length
    }
    this.#multiply(mixed, 1, this.#output, other)
    for (let i = 0; i < hiddenWidth; i++) other[i] = Math.tanh(other[i]!)
    this.#multiply(other, 1, this.#projection, mixed)
    return mixed.slice(0, this.#projection.scales.length)
  }

  /** Writes the rows of pieces, with their positions as sines and cosines. */
  #embedPieces(ids: readonly number[]): void {
    const frequencies = this.#frequencies
    for (const [position, id] of ids.entries())
      for (let i = 0; i < pieceWidth; i++) {
        const angle = position * frequencies[i % frequencies.length]!
        const value = this.#pieceWeights[id * pieceWidth + i]! * this.#pieceScales[id]!
        this.#buffers.current[position * pieceWidth + i] =
          2 * value + (i < frequencies.length ? Math.sin(angle) : Math.cos(angle))
      }
  }

  /** Replaces the current rows by those of the next layer. */
  #transform(layer: Layer, count: number): void {
    const { current, normalized, wide, mixed, attended, other } = this.#buffers
    normalize(current, layer.attentionNorm, count, normalized)
    this.#multiply(normalized, count, layer.queriesKeysValues, wide)
    this.#attend(count, layer.width)
    this.#multiply(mixed, count, layer.attentionOutput, attended)
    if (layer.residual) this.#multiply(current, count, layer.residual, other)
    add(attended, layer.residual ? other : current, count * hiddenWidth)
    normalize(attended, layer.feedForwardNorm, count, normalized)
    this.#multiply(normalized, count, layer.feedForwardIn, wide, 0)
    this.#multiply(wide, count, layer.feedForwardOut, current)
    add(current, attended, count * hiddenWidth)
  }

  /**
   * Writes for each position the values of all positions, weighted by how well their keys match its query, in
   * each of the heads. The wide rows have queries, keys and values, each of `width` numbers.
   */
  #attend(count: number, width: number): void {
    const { wide, mixed, weights } = this.#buffers
    const headWidth = width / heads
    const stride = 4 * 3 * width
    for (let head = 0; head < heads; head++) {
      const queries = wide.byteOffset + 4 * head * headWidth
      const [keys, values] = [queries + 4 * width, queries + 8 * width]
      for (let position = 0; position < count; position++) {
        const out = mixed.byteOffset + 4 * (position * width + head * headWidth)
        this.#kernel.match(queries + position * stride, keys, stride, count, headWidth, weights.byteOffset)
        softmax(weights, count, 1 / Math.sqrt(headWidth))
        this.#kernel.mix(weights.byteOffset, values, stride, count, headWidth, out)
      }
    }
  }

  /** Multiplies rows with the weights of a layer, adds its bias, and raises results to at least `least`. */
  #multiply(rows: Rows, count: number, layer: Linear, out: Rows, least = Number.NEGATIVE_INFINITY): void {
    const { width, weights, scales, bias } = layer
    const { activations, sums, rowScales } = this.#buffers
    const columns = scales.length
    const [a, c, ofRows] = [activations.byteOffset, sums.byteOffset, rowScales.byteOffset]
    this.#kernel.quantize(rows.byteOffset, count, width, a, ofRows, maxActivation)
    this.#kernel.multiply(a, weights, c, count + (count % 2), width, columns)
    this.#kernel.dequantize(
      ...[c, count, columns, ofRows],
      ...[scales.byteOffset, bias.byteOffset, least, out.byteOffset],
    )
  }
}
