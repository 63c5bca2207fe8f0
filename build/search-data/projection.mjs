// Finds the 128 directions in which the outputs of the encoder differ most, and writes them to projection.bin:
// the first 128 of 512 outputs would lose much, these nearly nothing.
//   DIMENSIONS=512 npm run encoder, npm run build in the package, node projection.mjs, npm run encoder
// The texts are random words of the encoder's own vocabulary, frequent ones more often: the same in each run.
import { readFileSync, writeFileSync } from 'node:fs'

const [folder] = process.argv.slice(2)
const { default: run } = await import('../../dist/search-thread.js')
const [inputs, outputs, count, rounds] = [512, 128, 1_500, 40]

let state = 7
function random(below) {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
  return Math.floor((state / 2 ** 32) * below)
}

const words = JSON.parse(readFileSync(`${folder}/vocab.json`, 'utf8'))
  .map(([piece]) => piece.replaceAll('▁', ''))
  .filter((piece) => /^[a-z]{3,}$/i.test(piece))
const wordAt = () => words[Math.floor(words.length * (random(1_000_000) / 1_000_000) ** 2)]
const texts = Array.from({ length: count }, () => Array.from({ length: 4 + random(8) }, wordAt).join(' '))

/** The matrix whose eigenvectors are the directions: the sum of the products of all outputs. */
const matrix = new Float64Array(inputs * inputs)
for (const vector of run({ name: 'embed', asked: { texts } })) {
  if (vector.length !== inputs) throw new Error(`the encoder gives ${vector.length} numbers, not ${inputs}`)
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0))
  for (let i = 0; i < inputs; i++)
    for (let j = 0; j < inputs; j++) matrix[i * inputs + j] += (vector[i] * vector[j]) / length ** 2
}

/** Makes columns orthonormal, in place (Gram and Schmidt). */
function orthonormal(columns) {
  for (const [i, column] of columns.entries()) {
    for (const before of columns.slice(0, i)) {
      const product = column.reduce((sum, value, at) => sum + value * before[at], 0)
      for (let at = 0; at < inputs; at++) column[at] -= product * before[at]
    }
    const length = Math.sqrt(column.reduce((sum, value) => sum + value * value, 0))
    for (let at = 0; at < inputs; at++) column[at] /= length
  }
}

const start = () => Float64Array.from({ length: inputs }, () => random(2_000) / 1_000 - 1)
let columns = Array.from({ length: outputs }, start)
for (let round = 0; round < rounds; round++) {
  orthonormal(columns)
  columns = columns.map((column) => {
    const next = new Float64Array(inputs)
    for (let i = 0; i < inputs; i++) {
      let sum = 0
      for (let j = 0; j < inputs; j++) sum += matrix[i * inputs + j] * column[j]
      next[i] = sum
    }
    return next
  })
}
orthonormal(columns)
const projection = new Float32Array(inputs * outputs)
for (const [column, values] of columns.entries())
  for (let row = 0; row < inputs; row++) projection[row * outputs + column] = values[row]
writeFileSync(new URL('projection.bin', import.meta.url), Buffer.from(projection.buffer))
