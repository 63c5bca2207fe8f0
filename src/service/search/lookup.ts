import type { Kysely } from 'kysely'
import type { Database, Dialect } from '../store/tables'
import type { Leaf, WordsLeaf } from './query-parts'
import {
  addBeginning,
  addWeights,
  type Block,
  blocksOfBeginning,
  blocksOfTerms,
  type Entry,
  entriesOf,
  findEntry,
  inRow,
  noPostings,
  type Postings,
  readPostings,
} from './segments'
import { addressTerm, attachmentTerm, directionTerm, stemOf, surfaceTerm, termIn } from './terms'

/** A condition that the index of words can tell. */
export type IndexLeaf = Extract<Leaf, { kind: 'words' | 'address' | 'direction' | 'attachment' }>

export const isIndexed = (leaf: Leaf): leaf is IndexLeaf =>
  leaf.kind === 'words' || leaf.kind === 'address' || leaf.kind === 'direction' || leaf.kind === 'attachment'

/** The index of an account. */
export interface Index {
  readonly db: Kysely<Database>
  readonly dialect: Dialect
  readonly tenantId: string
  /** Ids of segments, the largest first. */
  readonly segments: readonly string[]
}

/** The terms under which a word may be: as it is, or as its stem. */
const variantsOf = (field: WordsLeaf['field'], word: string): string[] => [
  ...new Set([termIn(field, word), termIn(field, stemOf(word))]),
]

/** Lists the terms to look up for a condition: for each word in a row, those that it may be. */
function alternativesOf(leaf: IndexLeaf): string[][] {
  if (leaf.kind === 'words') return leaf.words.map((word) => variantsOf(leaf.field, word))
  if (leaf.kind === 'address') return [[addressTerm(leaf.field, leaf.address)]]
  return [[leaf.kind === 'direction' ? directionTerm(leaf.direction) : attachmentTerm]]
}

/** Lists the beginnings of the terms under which a word may be that goes on. */
const beginningsOf = ({ field, words }: WordsLeaf): string[] => {
  const last = words.at(-1)!
  return [termIn(field, last), ...(field === null ? [surfaceTerm(last)] : [])]
}

const encoder = new TextEncoder()

/** Blocks of words that begin alike are read up to so many. */
const maxBlocks = 500
/** Words times segments that are looked at to tell which words are rare. */
const maxSampled = 20_000
/** Words of a message that begin alike, in a phrase, are tried up to so many, the first of the alphabet. */
const maxEndings = 100

type BlockOfTerms = Pick<Block, 'postings'>

/** The entries of terms that were looked up, in each segment. */
export class Lookup {
  readonly #index: Index
  readonly #entries = new Map<string, Map<string, Entry>>()
  readonly #beginnings = new Map<string, Map<string, BlockOfTerms>>()
  readonly #endings = new Map<IndexLeaf, string[]>()
  readonly #found = new Map<IndexLeaf, Map<string, Postings>>()
  /** Beginnings of which there were too many words. */
  readonly cut = new Set<string>()

  constructor(index: Index) {
    this.#index = index
  }

  /** Looks up all that some conditions need. */
  async read(leaves: readonly IndexLeaf[]): Promise<void> {
    const single = new Set<string>()
    const inRow = new Set<string>()
    for (const leaf of leaves) {
      const isPhrase = leaf.kind === 'words' && leaf.words.length > 1
      if (leaf.kind === 'words' && leaf.isPrefix) await this.#readBeginning(leaf)
      const endings = this.#endings.get(leaf) ?? []
      for (const term of [...alternativesOf(leaf).flat(), ...endings]) (isPhrase ? inRow : single).add(term)
    }
    await this.#readTerms([...inRow], true)
    await this.#readTerms(
      [...single].filter((term) => !inRow.has(term)),
      false,
    )
  }

  async #readTerms(terms: readonly string[], withPositions: boolean): Promise<void> {
    const { db, dialect, tenantId, segments } = this.#index
    for (const { segment, term, ...block } of await blocksOfTerms(
      ...([db, dialect, tenantId, segments, terms, withPositions] as const),
    )) {
      const entry = findEntry({ ...block, positions: block.positions ?? undefined }, term)
      if (!entry) continue
      const known = this.#entries.get(segment)
      if (known) known.set(term, entry)
      else this.#entries.set(segment, new Map([[term, entry]]))
    }
  }

  async #blocksBeginning(beginning: string): Promise<Map<string, BlockOfTerms>> {
    const known = this.#beginnings.get(beginning)
    if (known) return known
    const { db, dialect, tenantId, segments } = this.#index
    const all = await blocksOfBeginning(db, dialect, tenantId, segments, beginning, maxBlocks)
    if (all.reduce((sum, { blocks }) => sum + blocks, 0) === maxBlocks) this.cut.add(beginning)
    const found = new Map(all.map((blocks) => [blocks.segment, blocks]))
    this.#beginnings.set(beginning, found)
    return found
  }

  async #readBeginning(leaf: WordsLeaf): Promise<void> {
    const terms = new Set<string>()
    for (const beginning of beginningsOf(leaf)) {
      const found = await this.#blocksBeginning(beginning)
      if (leaf.words.length === 1) continue
      for (const blocks of found.values())
        for (const { term } of entriesOf(blocks))
          if (term.startsWith(beginning))
            terms.add(leaf.field === null ? stemOf(term.replace(/^\/~\//, '')) : term)
    }
    if (leaf.words.length > 1) this.#endings.set(leaf, [...terms].sort().slice(0, maxEndings))
  }

  /** Tells of words in how many messages they are, as far as the largest segments show; those in none are the last. */
  async rarity(leaves: readonly WordsLeaf[]): Promise<(leaf: WordsLeaf) => number> {
    const { db, dialect, tenantId, segments } = this.#index
    const terms = new Set(leaves.flatMap((leaf) => alternativesOf(leaf).flat()))
    const some = segments.slice(0, Math.ceil(maxSampled / terms.size))
    const counts = new Map<string, number>()
    for (const { term, postings } of await blocksOfTerms(db, dialect, tenantId, some, [...terms], false))
      counts.set(term, (counts.get(term) ?? 0) + (findEntry({ postings }, term)?.count ?? 0))
    return (leaf) =>
      alternativesOf(leaf)
        .flat()
        .reduce((sum, term) => sum + (counts.get(term) ?? 0), 0) || Number.MAX_SAFE_INTEGER
  }

  /** The documents of a segment that a condition is true of. It may be asked for twice: demanded, and scored. */
  postings(segment: string, leaf: IndexLeaf, documents: number): Postings {
    const known = this.#found.get(leaf) ?? new Map<string, Postings>()
    this.#found.set(leaf, known)
    const found = known.get(segment) ?? this.#find(segment, leaf, documents)
    known.set(segment, found)
    return found
  }

  #find(segment: string, leaf: IndexLeaf, documents: number): Postings {
    const entries = this.#entries.get(segment)
    const of = (terms: readonly string[]) => terms.flatMap((term) => entries?.get(term) ?? [])
    const rows = alternativesOf(leaf).map(of)
    if (leaf.kind !== 'words') return union(rows[0]!, documents)
    if (leaf.words.length === 1 && leaf.isPrefix) return this.#beginning(segment, leaf, rows[0]!, documents)
    if (leaf.words.length === 1) return union(rows[0]!, documents)
    if (leaf.isPrefix) rows.push([...rows.pop()!, ...of(this.#endings.get(leaf) ?? [])])
    return inRow(rows.map((entries) => [...new Set(entries)]))
  }

  /** The documents with the word itself, and those with one that goes on. */
  #beginning(segment: string, leaf: WordsLeaf, entries: readonly Entry[], documents: number): Postings {
    const sums = new Uint8Array(documents)
    for (const entry of new Set(entries)) addWeights(entry, sums)
    for (const beginning of beginningsOf(leaf)) {
      const blocks = this.#beginnings.get(beginning)?.get(segment)
      if (blocks) addBeginning(blocks, encoder.encode(beginning), sums)
    }
    return withSums(sums)
  }
}

/** The documents that have any of some terms, with the sum of the weights. */
function union(entries: readonly Entry[], documents: number): Postings {
  const all = [...new Set(entries)]
  if (all.length === 0) return noPostings
  if (all.length === 1) return readPostings(all[0]!)
  const sums = new Uint8Array(documents)
  for (const entry of all) addWeights(entry, sums)
  return withSums(sums)
}

/** The documents of which something was added. */
function withSums(sums: Uint8Array): Postings {
  let count = 0
  for (let number = 0; number < sums.length; number++) if (sums[number] !== 0) count++
  const documents = new Int32Array(count)
  const weights = new Uint8Array(count)
  let at = 0
  for (let number = 0; number < sums.length; number++) {
    if (sums[number] === 0) continue
    documents[at] = number
    weights[at++] = sums[number]!
  }
  return { count, documents, weights }
}
