// Converts the weights of Universal Sentence Encoder lite to int8, once: src/service/search/data/encoder.bin.
//   npm ci --prefix build/search-data && npm run encoder --prefix build/search-data
// README.md describes the format.
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const [folder] = process.argv.slice(2)
const output = fileURLToPath(new URL('../../src/service/search/data/encoder.bin', import.meta.url))
/** Numbers of a vector: of the 512 outputs, projection.bin keeps the directions in which texts differ most. */
const dimensions = Number(process.env.DIMENSIONS ?? 128)
/** Pieces from this one on are words; those before it are marks. */
const firstPiece = 6

const { weightsManifest } = JSON.parse(readFileSync(`${folder}/model.json`, 'utf8'))
const bytes = Buffer.concat(
  weightsManifest.flatMap(({ paths }) => paths.map((path) => readFileSync(`${folder}/${path}`))),
)

/** The float32 tensors by name. */
const tensors = new Map()
let at = 0
for (const { name, shape, dtype } of weightsManifest.flatMap(({ weights }) => weights)) {
  const count = shape.reduce((product, one) => product * one, 1)
  const size = dtype === 'bool' ? count : 4 * count
  if (dtype === 'float32') {
    const numbers = new Float32Array(new Uint8Array(bytes.subarray(at, at + size)).buffer)
    tensors.set(name.replace('module_apply_default/Encoder_en/KonaTransformer/', ''), numbers)
  }
  at += size
}

/** Returns the one tensor whose name ends so, and has all of some parts. */
function find(...parts) {
  const names = [...tensors.keys()].filter((name) => parts.every((part) => name.includes(part)))
  if (names.length !== 1) throw new Error(`${names.length} tensors are named ${parts.join(' … ')}: ${names}`)
  return tensors.get(names[0])
}

const parts = []
let length = 0
function add(name, numbers) {
  const data = Buffer.from(numbers.buffer, numbers.byteOffset, numbers.byteLength)
  const type = numbers instanceof Int8Array ? 'int8' : 'float32'
  const padded = Buffer.alloc(Math.ceil(data.length / 16) * 16)
  data.copy(padded)
  parts.push({ name, type, offset: length, count: numbers.length, padded })
  length += padded.length
}

/** Adds a matrix [width × columns] as int8 with a scale for each column, packed for the kernel. */
function addLayer(name, kernel, bias, width, columns) {
  const packed = new Int8Array(width * columns)
  const scales = new Float32Array(columns)
  for (let column = 0; column < columns; column++) {
    let max = 0
    for (let row = 0; row < width; row++) max = Math.max(max, Math.abs(kernel[row * columns + column]))
    scales[column] = max / 127
    for (let row = 0; row < width; row++) {
      const place = ((column >> 2) * (width >> 3) + (row >> 3)) * 32 + (column & 3) * 8 + (row & 7)
      packed[place] = Math.round(kernel[row * columns + column] / scales[column])
    }
  }
  add(`${name}.weights`, packed)
  add(`${name}.scales`, scales)
  add(`${name}.bias`, bias)
}

function addEmbeddings(name, rows, width) {
  const packed = new Int8Array(rows.length)
  const scales = new Float32Array(rows.length / width)
  for (let row = 0; row < scales.length; row++) {
    const own = rows.subarray(row * width, (row + 1) * width)
    scales[row] = own.reduce((max, one) => Math.max(max, Math.abs(one)), 0) / 127
    own.forEach((value, i) => {
      packed[row * width + i] = scales[row] === 0 ? 0 : Math.round(value / scales[row])
    })
  }
  add(`${name}.weights`, packed)
  add(`${name}.scales`, scales)
}

const hidden = 512
addEmbeddings('pieces', find('module/Embeddings_en'), 256)
add('positions', find('TimingSignal/ExpandDims_1'))
for (const [layer, width] of [
  [0, 256],
  [1, hidden],
]) {
  const of = `Layer_${layer}/TransformerLayer/`
  const attention = 'MultiheadAttention/'
  add(`${layer}.attention.norm.scale`, find(`${of}layer_prepostprocess`, 'layer_norm_scale'))
  add(`${layer}.attention.norm.bias`, find(`${of}layer_prepostprocess`, 'layer_norm_bias'))
  addLayer(
    ...[`${layer}.queries-keys-values`, find(of, `${attention}qkv_transform_single/kernel`)],
    ...[find(of, `${attention}qkv_transform_single/bias`), width, 3 * width],
  )
  addLayer(
    ...[`${layer}.attention.output`, find(of, `${attention}output_transform_single/kernel`)],
    ...[find(of, `${attention}output_transform_single/bias`), width, hidden],
  )
  add(`${layer}.feed-forward.norm.scale`, find(`${of}FFN/layer_prepostprocess`, 'layer_norm_scale'))
  add(`${layer}.feed-forward.norm.bias`, find(`${of}FFN/layer_prepostprocess`, 'layer_norm_bias'))
  addLayer(
    ...[`${layer}.feed-forward.in`, find(of, 'FFN/conv1/Tensordot/Reshape_1')],
    ...[find(of, 'FFN/conv1/bias'), hidden, 3 * hidden],
  )
  addLayer(
    ...[`${layer}.feed-forward.out`, find(of, 'FFN/conv2/Tensordot/Reshape_1')],
    ...[find(of, 'FFN/conv2/bias'), 3 * hidden, hidden],
  )
}
const dense = 'Layer_0/TransformerLayer/dense/'
addLayer('0.residual', find(`${dense}kernel`), find(`${dense}bias`), 256, hidden)
addLayer('output', find('tanh_layer_0/weights'), find('tanh_layer_0/bias'), hidden, hidden)

/** Without directions yet, all outputs are kept, for projection.mjs. */
const identity = () => Float32Array.from({ length: hidden ** 2 }, (_, i) => (i % (hidden + 1) === 0 ? 1 : 0))
const directions = () =>
  new Float32Array(new Uint8Array(readFileSync(new URL('projection.bin', import.meta.url))).buffer)
const projection = dimensions === hidden ? identity() : directions()
addLayer('projection', projection, new Float32Array(dimensions), hidden, dimensions)

const vocabulary = JSON.parse(readFileSync(`${folder}/vocab.json`, 'utf8'))
add(
  'pieces.log-probabilities',
  Float32Array.from(vocabulary, ([, score]) => score),
)

const header = Buffer.from(
  JSON.stringify({
    tensors: Object.fromEntries(
      parts.map(({ name, type, offset, count }) => [name, { type, offset, count }]),
    ),
    firstPiece,
    pieces: vocabulary.map(([piece]) => piece),
  }),
)
const start = Buffer.alloc(Math.ceil((4 + header.length) / 16) * 16, ' ')
start.writeUInt32LE(start.length - 4)
header.copy(start, 4)
const file = Buffer.concat([start, ...parts.map(({ padded }) => padded)])
writeFileSync(output, file)
console.log(`${output}: ${file.length} bytes, SHA-256 ${createHash('sha256').update(file).digest('hex')}`)
