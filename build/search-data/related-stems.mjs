// Packs the table of related stems: src/service/search/data/related-stems.bin. README.md describes the format.
//   node build/search-data/related-stems.mjs related-stems.tsv.gz
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'

const output = fileURLToPath(new URL('../../src/service/search/data/related-stems.bin', import.meta.url))
const maxRelated = 12

/** The related stems of each stem, most related first, each with a weight from 0 to 1. */
const table = new Map()
for (const line of gunzipSync(readFileSync(process.argv[2])).toString('utf8').split('\n')) {
  const [stem, related] = line.split('\t')
  if (!related) continue
  const pairs = related.split(' ').map((one) => one.split(':'))
  table.set(stem, pairs.slice(0, maxRelated))
}
const stems = [...new Set([...table.keys(), ...[...table.values()].flat().map(([stem]) => stem)])].sort()
const numbers = new Map(stems.map((stem, i) => [stem, i]))
const text = Buffer.from(stems.join('\n'))
const head = Buffer.alloc(4)
head.writeUInt32LE(text.length)
const rows = stems.map((stem) => {
  const related = table.get(stem) ?? []
  const row = Buffer.alloc(1 + 3 * related.length)
  row[0] = related.length
  for (const [i, [name, weight]] of related.entries()) {
    const level = Math.max(1, Math.min(15, Math.round(Number(weight) * 15)))
    row.writeUIntLE(numbers.get(name) * 16 + level, 1 + 3 * i, 3)
  }
  return row
})
const file = Buffer.concat([head, text, ...rows])
writeFileSync(output, file)
console.log(
  `${output}: ${table.size} stems, ${file.length} bytes, SHA-256 ${createHash('sha256').update(file).digest('hex')}`,
)
