import type { Kysely } from 'kysely'
import type { Database, Dialect } from '../store/tables'
import { isLasting, keepPostings, keptPostings, nameOf } from './kept-postings'
import type { IndexLeaf, WordsLeaf } from './query-parts'
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
  type Segment,
} from './segments'
import { addressTerm, attachmentTerm, directionTerm, stemOf, surfaceTerm, termIn } from './terms'

/** The index of an account. */
export interface Index {
  readonly db: Kysely<Database>
  readonly dialect: Dialect
  readonly tenantId: string
  /** The largest first. */
  readonly segments: readonly Segment[]
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

/** How a term is to be looked up. */
interface Wanted {
  withPositions: boolean
  /** True where not all large segments were looked into for it before. */
  everywhere: boolean
}

/** The entries of terms that were looked up, in each segment. */
export class Lookup {
  readonly #index: Index
  /** All segments, and those that have to be looked into each time. */
  readonly #segments: Readonly<Record<'all' | 'passing', readonly string[]>>
  readonly #entries = new Map<string, Map<string, Entry>>()
  readonly #beginnings = new Map<string, Map<string, BlockOfTerms>>()
  readonly #endings = new Map<string, string[]>()
  readonly #found = new Map<string, Map<string, Postings>>()
  /** Beginnings of which there were too many words. */
  readonly cut = new Set<string>()

  constructor(index: Index) {
    this.#index = index
    const idsOf = (segments: readonly Segment[]) => segments.map(({ id }) => id)
    const passing = index.segments.filter((segment) => !isLasting(segment))
    this.#segments = { all: idsOf(index.segments), passing: idsOf(passing) }
  }

  /** Looks up all that some conditions need. */
  async read(leaves: readonly IndexLeaf[]): Promise<void> {
    // What is read of all segments serves what only needs some of them, and not the other way round.
    const unknown = leaves.filter((leaf) => !this.#recall(leaf))
    const known = leaves.filter((leaf) => !unknown.includes(leaf))
    const terms = new Map<string, Wanted>()
    for (const leaf of [...unknown, ...known]) {
      const everywhere = unknown.includes(leaf)
      const withPositions = leaf.kind === 'words' && leaf.words.length > 1
      if (leaf.kind === 'words' && leaf.isPrefix)
        await this.#readBeginning(leaf, everywhere ? this.#segments.all : this.#segments.passing)
      const endings = this.#endings.get(nameOf(leaf)) ?? []
      for (const term of [...alternativesOf(leaf).flat(), ...endings]) {
        const wanted = terms.get(term)
        terms.set(term, {
          withPositions: withPositions || wanted?.withPositions === true,
          everywhere: everywhere || wanted?.everywhere === true,
        })
      }
    }
    const isAsked =
      (wanted: Wanted) =>
      ([, one]: readonly [string, Wanted]) =>
        one.withPositions === wanted.withPositions && one.everywhere === wanted.everywhere
    for (const withPositions of [true, false])
      for (const everywhere of [true, false]) {
        const some = [...terms].filter(isAsked({ withPositions, everywhere })).map(([term]) => term)
        await this.#readTerms(everywhere ? this.#segments.all : this.#segments.passing, some, withPositions)
      }
  }

  /** Recalls what was found of a condition in large segments. False where they are to be looked into. */
  #recall(leaf: IndexLeaf): boolean {
    const name = nameOf(leaf)
    const found = new Map<string, Postings>()
    this.#found.set(name, found)
    const lasting = this.#index.segments.filter(isLasting)
    for (const segment of lasting) {
      const postings = keptPostings(segment, name)
      if (postings) found.set(segment.id, postings)
    }
    return found.size === lasting.length
  }

  async #readTerms(
    segments: readonly string[],
    terms: readonly string[],
    withPositions: boolean,
  ): Promise<void> {
    const { db, dialect, tenantId } = this.#index
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

  async #blocksBeginning(beginning: string, segments: readonly string[]): Promise<Map<string, BlockOfTerms>> {
    const known = this.#beginnings.get(beginning)
    if (known) return known
    const { db, dialect, tenantId } = this.#index
    const all = await blocksOfBeginning(db, dialect, tenantId, segments, beginning, maxBlocks)
    if (all.reduce((sum, { blocks }) => sum + blocks, 0) === maxBlocks) this.cut.add(beginning)
    const found = new Map(all.map((blocks) => [blocks.segment, blocks]))
    this.#beginnings.set(beginning, found)
    return found
  }

  async #readBeginning(leaf: WordsLeaf, segments: readonly string[]): Promise<void> {
    const terms = new Set<string>()
    for (const beginning of beginningsOf(leaf)) {
      const found = await this.#blocksBeginning(beginning, segments)
      if (leaf.words.length === 1) continue
      for (const blocks of found.values())
        for (const { term } of entriesOf(blocks))
          if (term.startsWith(beginning))
            terms.add(leaf.field === null ? stemOf(term.replace(/^\/~\//, '')) : term)
    }
    if (leaf.words.length > 1) this.#endings.set(nameOf(leaf), [...terms].sort().slice(0, maxEndings))
  }

  /** Tells of words in how many messages they are, as far as the largest segments show; those in none are the last. */
  async rarity(leaves: readonly WordsLeaf[]): Promise<(leaf: WordsLeaf) => number> {
    const { db, dialect, tenantId } = this.#index
    const terms = new Set(leaves.flatMap((leaf) => alternativesOf(leaf).flat()))
    const some = this.#segments.all.slice(0, Math.ceil(maxSampled / terms.size))
    const counts = new Map<string, number>()
    for (const { term, postings } of await blocksOfTerms(db, dialect, tenantId, some, [...terms], false))
      counts.set(term, (counts.get(term) ?? 0) + (findEntry({ postings }, term)?.count ?? 0))
    return (leaf) =>
      alternativesOf(leaf)
        .flat()
        .reduce((sum, term) => sum + (counts.get(term) ?? 0), 0) || Number.MAX_SAFE_INTEGER
  }

  /** The documents of a segment that a condition is true of. It may be asked for twice: demanded, and scored. */
  postings(segment: Segment, leaf: IndexLeaf): Postings {
    const name = nameOf(leaf)
    const known = this.#found.get(name)?.get(segment.id)
    if (known) return known
    const found = this.#find(segment, leaf)
    this.#found.get(name)?.set(segment.id, found)
    if (isLasting(segment) && this.#isWhole(leaf)) keepPostings(segment, name, found)
    return found
  }

  /** Tells whether what was found of a condition in a segment is the same whatever there is in the others. */
  #isWhole(leaf: IndexLeaf): boolean {
    if (leaf.kind !== 'words' || !leaf.isPrefix) return true
    return leaf.words.length === 1 && !beginningsOf(leaf).some((beginning) => this.cut.has(beginning))
  }

  #find(segment: Segment, leaf: IndexLeaf): Postings {
    const { documents } = segment
    const entries = this.#entries.get(segment.id)
    const of = (terms: readonly string[]) => terms.flatMap((term) => entries?.get(term) ?? [])
    const rows = alternativesOf(leaf).map(of)
    if (leaf.kind !== 'words') return union(rows[0]!, documents)
    if (leaf.words.length === 1 && leaf.isPrefix) return this.#beginning(segment, leaf, rows[0]!)
    if (leaf.words.length === 1) return union(rows[0]!, documents)
    if (leaf.isPrefix) rows.push([...rows.pop()!, ...of(this.#endings.get(nameOf(leaf)) ?? [])])
    return inRow(rows.map((entries) => [...new Set(entries)]))
  }

  /** The documents with the word itself, and those with one that goes on. */
  #beginning({ id, documents }: Segment, leaf: WordsLeaf, entries: readonly Entry[]): Postings {
    const sums = new Uint8Array(documents)
    for (const entry of new Set(entries)) addWeights(entry, sums)
    for (const beginning of beginningsOf(leaf)) {
      const blocks = this.#beginnings.get(beginning)?.get(id)
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
