import type { Entry } from './block'
import { ByteReader, ByteWriter } from './bytes'
import { noPostings, type Postings, readPlaces, readPostings, usualWeight, writePlaces } from './postings'

/** Ordered documents of a segment, each with the positions of a phrase in it. */
interface Places {
  readonly documents: Int32Array
  /** Positions of each, encoded as in an entry, and their starts. */
  readonly positions: Uint8Array
  readonly starts: Int32Array
}

/** Finds where an entry has the positions of each document. */
function placesOf(entry: Entry): Places {
  const { documents } = readPostings(entry)
  const starts = new Int32Array(documents.length)
  const reader = new ByteReader(entry.positions)
  for (let i = 0; i < starts.length; i++) {
    starts[i] = reader.at
    reader.skip(reader.number())
  }
  return { documents, positions: entry.positions, starts }
}

/** Writes positions document by document. */
class PlacesWriter {
  readonly #documents: number[] = []
  readonly #starts: number[] = []
  readonly #positions = new ByteWriter()

  add(document: number, places: readonly number[]): void {
    this.#documents.push(document)
    this.#starts.push(this.#positions.length)
    writePlaces(this.#positions, places)
  }

  take(): Places {
    return {
      documents: Int32Array.from(this.#documents),
      positions: this.#positions.take(),
      starts: Int32Array.from(this.#starts),
    }
  }
}

/** Grows the array for a position. */
function grown(stamps: Int32Array<ArrayBuffer>, place: number): Int32Array<ArrayBuffer> {
  const more = new Int32Array(2 * place)
  more.set(stamps)
  return more
}

/** Finds the positions of an entry directly after others. */
function placesBehind(before: Places, entry: Entry): Places {
  const { documents } = readPostings(entry)
  const found = new PlacesWriter()
  const reader = new ByteReader(entry.positions)
  const readerBefore = new ByteReader(before.positions)
  // For each position, the last document that had it before the entry, as its number counted from 1.
  let stamps = new Int32Array(1_024)
  let next = 0
  for (let i = 0; i < documents.length; i++) {
    const document = documents[i]!
    while (next < before.documents.length && before.documents[next]! < document) next++
    if (next === before.documents.length) break
    if (before.documents[next] !== document) {
      reader.skip(reader.number())
      continue
    }
    const stamp = document + 1
    readerBefore.at = before.starts[next]!
    let place = 0
    for (let left = readerBefore.number(); left > 0; left--) {
      place += readerBefore.number()
      if (place >= stamps.length) stamps = grown(stamps, place)
      stamps[place] = stamp
    }
    let behind: number[] | null = null
    place = 0
    for (let left = reader.number(); left > 0; left--) {
      place += reader.number()
      if (stamps[place - 1] !== stamp) continue
      behind ??= []
      behind.push(place)
    }
    if (behind !== null) found.add(document, behind)
  }
  return found.take()
}

/** Merges the positions of alternative words. */
function anyOf(all: readonly Places[]): Places {
  if (all.length === 1) return all[0]!
  const byDocument = new Map<number, number[]>()
  for (const { documents, positions, starts } of all)
    for (const [i, document] of documents.entries()) {
      const known = byDocument.get(document) ?? []
      for (const place of readPlaces(new ByteReader(positions, starts[i]))) known.push(place)
      byDocument.set(document, known)
    }
  const united = new PlacesWriter()
  for (const [document, places] of [...byDocument].sort(([one], [other]) => one - other))
    united.add(
      document,
      places.sort((one, other) => one - other),
    )
  return united.take()
}

/**
 * Finds the documents with a phrase, each with its number of occurrences.
 *
 * @param words Entries of the alternatives for each word.
 */
export function phrasePostings(words: readonly (readonly Entry[])[]): Postings {
  if (words.some((entries) => entries.length === 0)) return noPostings
  const [first, ...others] = words
  const { documents, positions, starts } = others.reduce(
    (before, entries) => anyOf(entries.map((entry) => placesBehind(before, entry))),
    anyOf(first!.map(placesOf)),
  )
  const weights = Uint8Array.from(starts, (start) =>
    Math.min(255, usualWeight * new ByteReader(positions, start).number()),
  )
  return { count: documents.length, documents, weights }
}
