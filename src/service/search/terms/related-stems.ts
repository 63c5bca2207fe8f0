import { readFileSync } from 'node:fs'
import { dataPath } from './data-path'

// Stems of related words, from neighbours in GloVe's word vectors and from WordNet. The file has the length of
// a text, the text with all stems in order, and for each stem a row: the number of related stems, and three
// bytes for each, with its place in the text and its weight.

/** A stem of related meaning. */
export interface RelatedStem {
  readonly stem: string
  /** From 0 to 1; 1 for a synonym. */
  readonly weight: number
}

interface Table {
  readonly stems: readonly string[]
  /** Starts of the rows. */
  readonly starts: Uint32Array
  readonly bytes: DataView
}

const weightBits = 4
const bytesEach = 3
const none: readonly RelatedStem[] = []

let table: Table | undefined

function readTable(): Table {
  const file = readFileSync(dataPath('related-stems.bin'))
  const bytes = new DataView(file.buffer, file.byteOffset, file.byteLength)
  const textEnd = 4 + bytes.getUint32(0, true)
  const stems = file.toString('latin1', 4, textEnd).split('\n')
  const starts = new Uint32Array(stems.length)
  for (let i = 0, at = textEnd; i < stems.length; i++) {
    starts[i] = at
    at += 1 + bytesEach * bytes.getUint8(at)
  }
  return { stems, starts, bytes }
}

/** Returns the place of a stem in ordered ones, or -1. */
function placeOf(stem: string, stems: readonly string[]): number {
  let [from, to] = [0, stems.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if (stems[middle]! < stem) from = middle + 1
    else to = middle
  }
  return stems[from] === stem ? from : -1
}

/** Returns up to twelve stems of words that are related to an English word, most related first. */
export function relatedStems(stem: string): readonly RelatedStem[] {
  table ??= readTable()
  const { stems, starts, bytes } = table
  const place = placeOf(stem, stems)
  if (place < 0) return none
  const start = starts[place]!
  return Array.from({ length: bytes.getUint8(start) }, (_, i) => {
    const at = start + 1 + bytesEach * i
    const value = bytes.getUint16(at, true) | (bytes.getUint8(at + 2) << 16)
    const max = (1 << weightBits) - 1
    return { stem: stems[value >> weightBits]!, weight: (value & max) / max }
  })
}
