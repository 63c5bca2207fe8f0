import { ByteReader, ByteWriter, isAt } from './bytes'

/**
 * A term with the documents of a segment that have it, by number, in order.
 *
 * - postings: for each document (distance from the one before) * 2 + (whether its weight is not the
 *   usual one), then that weight
 * - positions: for each document their number, then the distances from the one before
 */
export interface Entry {
  readonly term: string
  readonly count: number
  /** Number of the last document. */
  readonly last: number
  readonly postings: Uint8Array
  readonly positions: Uint8Array
}

/** Entries in term order, as stored in one row. */
export interface Block {
  readonly first_term: string
  readonly postings: Uint8Array
  readonly positions: Uint8Array
}

/** Bytes that PostgreSQL keeps within the row; a larger entry is a block by itself. */
const maxBlockBytes = 1_700

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** Writes ordered entries as blocks. */
export class BlockWriter {
  readonly #postings = new ByteWriter()
  readonly #positions = new ByteWriter()
  readonly #done: Block[] = []
  #first: string | undefined

  add({ term, count, last, postings, positions }: Entry): void {
    if (this.#first !== undefined && this.#postings.length + postings.length + term.length > maxBlockBytes)
      this.#end()
    this.#first ??= term
    const name = encoder.encode(term)
    const writer = this.#postings
    writer.number(name.length)
    writer.bytes(name)
    writer.number(count)
    writer.number(last)
    writer.number(postings.length)
    writer.number(positions.length)
    writer.bytes(postings)
    this.#positions.bytes(positions)
  }

  #end(): void {
    if (this.#first === undefined) return
    this.#done.push({
      first_term: this.#first,
      postings: this.#postings.take(),
      positions: this.#positions.take(),
    })
    this.#first = undefined
  }

  /** Returns the full blocks. */
  takeFull(): Block[] {
    return this.#done.splice(0)
  }

  /** Returns all blocks at the end. */
  takeAll(): Block[] {
    this.#end()
    return this.takeFull()
  }
}

const noBytes = new Uint8Array()

/** Reads the entries of a block; their positions are empty if the block was read without them. */
export function* entriesOf(block: Pick<Block, 'postings'> & Partial<Block>): Generator<Entry> {
  const reader = new ByteReader(block.postings)
  let positionsAt = 0
  while (reader.at < block.postings.length) {
    const term = decoder.decode(reader.bytes(reader.number()))
    const count = reader.number()
    const last = reader.number()
    const length = reader.number()
    const positionsLength = reader.number()
    const postings = reader.bytes(length)
    const positions = block.positions?.subarray(positionsAt, positionsAt + positionsLength) ?? noBytes
    positionsAt += positionsLength
    yield { term, count, last, postings, positions }
  }
}

/** Finds the entry of a term; undefined if the block has none. */
export function findEntry(block: Pick<Block, 'postings'> & Partial<Block>, term: string): Entry | undefined {
  const name = encoder.encode(term)
  const reader = new ByteReader(block.postings)
  let positionsAt = 0
  while (reader.at < block.postings.length) {
    const nameLength = reader.number()
    const isIt = nameLength === name.length && isAt(block.postings, reader.at, name)
    reader.at += nameLength
    const count = reader.number()
    const last = reader.number()
    const length = reader.number()
    const positionsLength = reader.number()
    const postings = reader.bytes(length)
    if (isIt) {
      const positions = block.positions?.subarray(positionsAt, positionsAt + positionsLength) ?? noBytes
      return { term, count, last, postings, positions }
    }
    positionsAt += positionsLength
  }
  return undefined
}
