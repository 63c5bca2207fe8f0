import type { Block, Entry } from './block'
import { ByteReader, ByteWriter, isAt } from './bytes'

/** Ordered documents of a segment, by number, each with the weight of a term. */
export interface Postings {
  readonly count: number
  readonly documents: Int32Array
  readonly weights: Uint8Array
}

/** Weight of a word that a message has once, in new text; in quoted text it has half of that. */
export const usualWeight = 2

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
    weights[i] = value & 1 ? postings[at++]! : usualWeight
  }
  return { count, documents, weights }
}

/** Adds the weights of `count` documents to their sums, saturating at a byte. */
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
    const sum = sums[document]! + (value & 1 ? postings[at++]! : usualWeight)
    sums[document] = sum > 255 ? 255 : sum
  }
}

/** Adds the weights of the documents of an entry to their sums. */
export const addWeights = ({ count, postings }: Entry, sums: Uint8Array): void =>
  addFrom(postings, 0, count, sums)

/** Adds the weights of all entries whose terms have a prefix; the caller limits the blocks. */
export function addPrefix({ postings }: Pick<Block, 'postings'>, name: Uint8Array, sums: Uint8Array): void {
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

/** Reads the positions of a document. */
export function readPlaces(reader: ByteReader): Int32Array {
  const places = new Int32Array(reader.number())
  let place = 0
  for (let i = 0; i < places.length; i++) places[i] = place += reader.number()
  return places
}

/** Reads the positions in each document of an entry. */
export function readPositions({ count, positions }: Entry): Int32Array[] {
  const reader = new ByteReader(positions)
  return Array.from({ length: count }, () => readPlaces(reader))
}

export function writePlaces(writer: ByteWriter, places: ArrayLike<number>): void {
  writer.number(places.length)
  let before = 0
  for (let i = 0; i < places.length; i++) {
    writer.number(places[i]! - before)
    before = places[i]!
  }
}

/** Builds an entry of a term, document by document. */
export class EntryWriter {
  readonly #postings = new ByteWriter()
  readonly #positions = new ByteWriter()
  #count = 0
  #last = -1

  get isEmpty(): boolean {
    return this.#count === 0
  }

  add(document: number, weight: number, positions: ArrayLike<number>): void {
    const isUsual = weight === usualWeight
    this.#postings.number((document - this.#last) * 2 + (isUsual ? 0 : 1))
    // A weight always takes one byte.
    if (!isUsual) this.#postings.bytes(Uint8Array.of(weight))
    writePlaces(this.#positions, positions)
    this.#last = document
    this.#count++
  }

  /** Appends the documents of another segment, after `base` documents. */
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

  /** Returns the entry, and starts again. */
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

/** Returns an entry without some documents; null if none are left. */
export function withoutDocuments(entry: Entry, isGone: (document: number) => boolean): Entry | null {
  const { documents, weights } = readPostings(entry)
  if (!documents.some(isGone)) return entry
  const positions = readPositions(entry)
  const writer = new EntryWriter()
  for (const [i, document] of documents.entries())
    if (!isGone(document)) writer.add(document, weights[i]!, positions[i]!)
  return writer.isEmpty ? null : writer.take(entry.term)
}
