import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { Encoder } from '../../../src/service/search/semantic/encoder'
import { WordPieces } from '../../../src/service/search/semantic/word-pieces'
import { relatedStems } from '../../../src/service/search/terms/related-stems'

const data = 'src/service/search/data'

it('has the files whose SHA-256 is written beside them', () => {
  const lines = readFileSync(`${data}/SHA256SUMS`, 'utf8').trim().split('\n')
  expect(lines).toHaveLength(3)
  for (const line of lines) {
    const [hash, file] = line.split(/\s+/)
    expect(
      createHash('sha256')
        .update(readFileSync(`${data}/${file}`))
        .digest('hex'),
      file,
    ).toBe(hash)
  }
})

const cosine = (one: Float32Array, other: Float32Array) => {
  const product = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, i) => sum + value * b[i]!, 0)
  return product(one, other) / Math.sqrt(product(one, one) * product(other, other))
}

it('gives texts of similar meaning similar vectors', () => {
  const encoder = new Encoder('src/service/search/data/encoder.bin')
  const [parcel, customs, bill, invoice, choir] = [
    'Where is my parcel? It has not arrived.',
    'The shipment was delayed at customs.',
    'payment reminder for your bill',
    'Invoice 4711 is overdue',
    'We sing together on Sunday',
  ].map((text) => encoder.embed(text))
  expect(parcel).toHaveLength(128)
  // As the committed weights gave it: another file, kernel or order of operations would differ.
  expect(cosine(parcel!, customs!)).toBeCloseTo(0.481, 2)
  expect(cosine(bill!, invoice!)).toBeGreaterThan(cosine(bill!, customs!))
  expect(cosine(parcel!, customs!)).toBeGreaterThan(cosine(parcel!, choir!))
  const again = encoder.embed('Where is my parcel? It has not arrived.')
  expect([...again]).toEqual([...parcel!])
  for (const text of ['', ' ', 'x', '日本語', 'word '.repeat(500)])
    expect(encoder.embed(text).every(Number.isFinite), text.slice(0, 9)).toBe(true)
})

it('divides words into the most probable pieces', () => {
  const pieces = ['�', '▁', 'ship', '▁ship', 'ment', 's', '▁sh', 'ipments']
  const logProbabilities = Float32Array.of(0, -3, -5, -4, -4, -2, -6, -20)
  const words = new WordPieces({ pieces, logProbabilities, firstPiece: 1 })
  expect(words.idsOf('shipments ship', 10)).toEqual([3, 4, 5, 3])
  expect(words.idsOf('q ship', 10)).toEqual([1, 0, 3])
  expect(words.idsOf('ship ship ship', 2)).toEqual([3, 3])
  expect(words.idsOf('', 10)).toEqual([0])
})

it('knows at most twelve related stems of a word, most related first', () => {
  const lorry = relatedStems('lorri')
  expect(lorry.map(({ stem }) => stem)).toContain('truck')
  expect(lorry.length).toBeLessThanOrEqual(12)
  const weights = lorry.map(({ weight }) => weight)
  expect(weights).toEqual(weights.toSorted((one, other) => other - one))
  expect(relatedStems('zzzznothing')).toEqual([])
})
