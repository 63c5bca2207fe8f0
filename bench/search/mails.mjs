// Mails that differ, the same in every run. Their words are drawn by Zipf's law, as in any language.
import { readFileSync } from 'node:fs'

/** Stems of English, as the built package has them: most are words, and all are split as words are. */
function englishWords() {
  const file = readFileSync(new URL('../../dist/search-data/related-stems.bin', import.meta.url))
  const stems = file.toString('latin1', 4, 4 + file.readUInt32LE(0)).split('\n')
  return stems.filter((stem) => /^[a-z]{3,}$/.test(stem))
}

const words = englishWords()
export const vocabulary = words.length

/** Returns the word of a rank: from 0, the most frequent one. */
export const wordAt = (rank) => words[(rank * 12_289) % vocabulary]

function seeded(seed) {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** Draws a word: the chance of a rank is proportional to 1 / (rank + 1). */
const word = (random) => wordAt(Math.floor((vocabulary + 1) ** (random(1_000_000) / 1_000_000)) - 1)

/** Returns the mail of a number, to an address, with this many lines. */
export function mailAt(i, address, lines = 20) {
  const random = seeded(i + 1)
  const line = () => Array.from({ length: 10 }, () => word(random)).join(' ')
  const body = Array.from({ length: lines }, line).join('\r\n')
  const person = `person${random(500)}`
  return `From: ${person} <${person}@example.com>\r\nTo: ${address}\r\nSubject: ${line()}\r\nMessage-ID: <fill-${i}@example.com>\r\n\r\n${body}\r\n`
}
