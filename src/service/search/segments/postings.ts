import type { Block, Entry } from './block'
import { ByteReader, ByteWriter, isAt } from './bytes'

/** Documents of a segment, by their numbers in it, in order, each with the weight of a term. */
export interface Postings {
  readonly count: number
  readonly documents: Int32Array
  readonly weights: Uint8Array
}

export const noPostings: Postings = { count: 0, documents: new Int32Array(), weights: new Uint8Array() }

/** Reads the documents of an entry. */
export function readPostings({ count, postings }: Entry): Postings {
  const documents = new Int32Array(count)
  const weights = new Uint8Array(count)
  let at = 0
  let document = -1
  for (let i = 0; i < count; i++) {
    let byte = postings[at++]!
    let value = byte & 127
    for (let shift = 7; byte > 127; shift += 7) {
      byte = postings[at++]!
      value |= (byte & 127) << shift
    }
    document += value >>> 1
    documents[i] = document
    weights[i] = value & 1 ? postings[at++]! : 1
  }
  return { count, documents, weights }
}

/** Adds the weights of so many documents to those that they have, as far as a byte holds them. */
function addFrom(postings: Uint8Array, from: number, count: number, sums: Uint8Array): void {
  let at = from
  let document = -1
  for (let i = 0; i < count; i++) {
    let byte = postings[at++]!
    let value = byte & 127
    for (let shift = 7; byte > 127; shift += 7) {
      byte = postings[at++]!
      value |= (byte & 127) << shift
    }
    document += value >>> 1
    const sum = sums[document]! + (value & 1 ? postings[at++]! : 1)
    sums[document] = sum > 255 ? 255 : sum
  }
}

/** Adds the weights of the documents of an entry to those that they have. */
export const addWeights = ({ count, postings }: Entry, sums: Uint8Array): void =>
  addFrom(postings, 0, count, sums)

/** The same for all entries of blocks whose terms begin with some bytes, which are as many as a search can bear. */
export function addBeginning(
  { postings }: Pick<Block, 'postings'>,
  name: Uint8Array,
  sums: Uint8Array,
): void {
  const reader = new ByteReader(postings)
  while (reader.at < postings.length) {
    const nameLength = reader.number()
    const isIt = nameLength >= name.length && isAt(postings, reader.at, name)
    reader.at += nameLength
    const count = reader.number()
    reader.number() // the last document
    const length = reader.number()
    reader.number() // the length of the positions
    if (isIt) addFrom(postings, reader.at, count, sums)
    reader.at += length
  }
}

/** Reads the positions in each document of an entry, by its place in it; null in those that are not wanted. */
export function readPositions(
  { count, positions }: Entry,
  isWanted: (at: number) => boolean = () => true,
): (Int32Array | null)[] {
  const reader = new ByteReader(positions)
  return Array.from({ length: count }, (_, at) => {
    const length = reader.number()
    if (!isWanted(at)) {
      for (let i = 0; i < length; i++) reader.number()
      return null
    }
    const places = new Int32Array(length)
    let place = 0
    for (let i = 0; i < length; i++) places[i] = place += reader.number()
    return places
  })
}

/** Documents of a segment in order, each with the places where something stands in it, in order. */
export interface Places {
  readonly documents: Int32Array
  /** The place in `places` at which those of each document begin, and the end of the last. */
  readonly offsets: Int32Array
  readonly places: Int32Array
}

/** Reads the places of an entry: all, or those right behind others. */
export function readPlaces(entry: Entry, before: Places | null): Places {
  const { count, documents } = readPostings(entry)
  const { positions } = entry
  const found = before ? new Int32Array(Math.min(count, before.documents.length)) : documents
  const offsets = new Int32Array(found.length + 1)
  const places = new Int32Array(before ? before.places.length : positions.length)
  let at = 0
  let written = 0
  let had = 0
  let next = 0
  for (let i = 0; i < count; i++) {
    const document = documents[i]!
    let from = 0
    let to = 0
    if (before) {
      while (before.documents[next]! < document) next++
      if (next === before.documents.length) break
      // Where a document is not among the others, none of its places is.
      if (before.documents[next] === document) {
        from = before.offsets[next]!
        to = before.offsets[next + 1]!
      }
    }
    let place = 0
    // The number of the places, then each.
    for (let left = -1; left !== 0; left--) {
      let byte = positions[at++]!
      let value = byte & 127
      for (let shift = 7; byte > 127; shift += 7) {
        byte = positions[at++]!
        value |= (byte & 127) << shift
      }
      if (left < 0) {
        left = value + 1
        continue
      }
      place += value
      if (before) {
        while (from < to && before.places[from]! < place - 1) from++
        if (from === to || before.places[from] !== place - 1) continue
      }
      places[written++] = place
    }
    if (written === offsets[had]) continue
    found[had++] = document
    offsets[had] = written
  }
  return { documents: found.subarray(0, had), offsets, places }
}

/** Makes an entry of a term, document by document. */
export class EntryWriter {
  readonly #postings = new ByteWriter()
  readonly #positions = new ByteWriter()
  #count = 0
  #last = -1

  get isEmpty(): boolean {
    return this.#count === 0
  }

  add(document: number, weight: number, positions: ArrayLike<number>): void {
    this.#postings.number((document - this.#last) * 2 + (weight > 1 ? 1 : 0))
    // A weight takes one byte, whatever it is.
    if (weight > 1) this.#postings.bytes(Uint8Array.of(weight))
    this.#positions.number(positions.length)
    let place = 0
    for (let i = 0; i < positions.length; i++) {
      this.#positions.number(positions[i]! - place)
      place = positions[i]!
    }
    this.#last = document
    this.#count++
  }

  /** Adds the documents of another segment, which stand behind so many. */
  append(entry: Entry, base: number): void {
    const reader = new ByteReader(entry.postings)
    const first = reader.number()
    const document = base + (first >>> 1) - 1
    this.#postings.number((document - this.#last) * 2 + (first & 1))
    this.#postings.bytes(entry.postings.subarray(reader.at))
    this.#positions.bytes(entry.positions)
    this.#last = base + entry.last
    this.#count += entry.count
  }

  /** The entry, and a fresh start. */
  take(term: string): Entry {
    const entry = {
      term,
      count: this.#count,
      last: this.#last,
      postings: this.#postings.take(),
      positions: this.#positions.take(),
    }
    this.#count = 0
    this.#last = -1
    return entry
  }
}

/** An entry without some documents; null where nothing is left of it. */
export function withoutDocuments(entry: Entry, isGone: (document: number) => boolean): Entry | null {
  const { documents, weights } = readPostings(entry)
  if (!documents.some(isGone)) return entry
  const positions = readPositions(entry)
  const writer = new EntryWriter()
  for (const [i, document] of documents.entries())
    if (!isGone(document)) writer.add(document, weights[i]!, positions[i] ?? [])
  return writer.isEmpty ? null : writer.take(entry.term)
}
