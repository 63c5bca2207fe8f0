import type { Pages } from '../parts/pages'
import { maxColumns, Sheet } from './sheet'

const delimiters = [',', ';', '\t', '|']

/** Returns the delimiter that most lines at the start have equally often; null if none does. */
export function delimiterOf(text: string): string | null {
  const lines = text
    .slice(0, 16_384)
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
    .slice(0, 20)
  let best: { delimiter: string; score: number } | null = null
  for (const delimiter of delimiters) {
    const counts = lines.map((line) => line.replace(/"[^"]*"/g, '').split(delimiter).length - 1)
    const [first = 0] = counts
    const score = first === 0 ? 0 : counts.filter((count) => count === first).length * Math.min(first, 5)
    if (score > (best?.score ?? 0)) best = { delimiter, score }
  }
  return best?.delimiter ?? null
}

/** Yields the rows of a table (RFC 4180), in one pass. */
function* rowsOf(text: string, delimiter: string): Generator<string[]> {
  let row: string[] = []
  let cell = ''
  let isQuoted = false
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!
    if (isQuoted) {
      if (character !== '"') cell += character
      else if (text[at + 1] === '"') cell += text[at++]
      else isQuoted = false
    } else if (character === '"' && cell === '') isQuoted = true
    else if (character === delimiter) {
      if (row.length < maxColumns) row.push(cell)
      cell = ''
    } else if (character === '\n') {
      yield [...row, cell.replace(/\r$/, '')]
      row = []
      cell = ''
    } else cell += character
  }
  if (row.length > 0 || cell !== '') yield [...row, cell]
}

/** Reads a table of values that a delimiter divides. */
export function readCsv(text: string, filename: string | null, pages: Pages): void {
  const sheet = new Sheet(filename ?? 'Table', false, pages.left)
  for (const row of rowsOf(text, delimiterOf(text) ?? ',')) {
    sheet.add(row, false)
    if (sheet.isCut) break
  }
  sheet.write(pages)
}
