import type { Entry } from './block'
import { ByteReader, ByteWriter } from './bytes'
import { noPostings, type Postings, readPlaces, readPostings, writePlaces } from './postings'

/** Documents of a segment in order, each with the places where something stands in it. */
interface Places {
  readonly documents: Int32Array
  /** The places of each, as an entry has them, and where they begin. */
  readonly positions: Uint8Array
  readonly starts: Int32Array
}

/** Finds where an entry has the places of each document. */
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

/** Writes places document by document. */
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

/** Makes room for a place. */
function grown(stamps: Int32Array<ArrayBuffer>, place: number): Int32Array<ArrayBuffer> {
  const more = new Int32Array(2 * place)
  more.set(stamps)
  return more
}

/** Finds the places of an entry that are right behind others. */
function placesBehind(before: Places, entry: Entry): Places {
  const { documents } = readPostings(entry)
  const found = new PlacesWriter()
  const reader = new ByteReader(entry.positions)
  const readerBefore = new ByteReader(before.positions)
  // Tell of each place in which document it was last among those before, as its number counted from 1.
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

/** Unites places of one word each. */
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
 * Finds the documents in which words stand one after the other, each with the number of places where they do.
 *
 * @param words For each of them the entries of all that it may be.
 */
export function inRow(words: readonly (readonly Entry[])[]): Postings {
  if (words.some((entries) => entries.length === 0)) return noPostings
  const [first, ...others] = words
  const { documents, positions, starts } = others.reduce(
    (before, entries) => anyOf(entries.map((entry) => placesBehind(before, entry))),
    anyOf(first!.map(placesOf)),
  )
  const weights = Uint8Array.from(starts, (start) => Math.min(255, new ByteReader(positions, start).number()))
  return { count: documents.length, documents, weights }
}
