import type { Kysely } from 'kysely'
import type { Database, Dialect } from '../store/tables'
import { isLasting, keepPostings, keptPostings } from './kept-postings'
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
  /** Largest first. */
  readonly segments: readonly Segment[]
}

/** Returns the terms of a word: itself, and its stem. */
const variantsOf = (field: WordsLeaf['field'], word: string): string[] => [
  ...new Set([termIn(field, word), termIn(field, stemOf(word))]),
]

/** Returns the terms to look up for a condition: for each word of a phrase, its alternatives. */
function alternativesOf(leaf: IndexLeaf): string[][] {
  if (leaf.kind === 'words') return leaf.words.map((word) => variantsOf(leaf.field, word))
  if (leaf.kind === 'address') return [[addressTerm(leaf.field, leaf.address)]]
  return [[leaf.kind === 'direction' ? directionTerm(leaf.direction) : attachmentTerm]]
}

/** Returns the term prefixes for a word prefix. */
const beginningsOf = ({ field, words }: WordsLeaf): string[] => {
  const last = words.at(-1)!
  return [termIn(field, last), ...(field === null ? [surfaceTerm(last)] : [])]
}

const encoder = new TextEncoder()

/** Maximum number of blocks that are read for a prefix. */
const maxBlocks = 500
/** Maximum of words times segments that are sampled for the rarity of words. */
const maxSampled = 20_000
/** Maximum number of a phrase's last words with a prefix, in alphabetical order. */
const maxEndings = 100

type BlockOfTerms = Pick<Block, 'postings'>

/** Segments to search. */
type SegmentIds = Set<string>

function addTo(all: Map<string, SegmentIds>, term: string, segments: Iterable<string>): void {
  const known = all.get(term) ?? new Set()
  for (const segment of segments) known.add(segment)
  all.set(term, known)
}

/** Entries of looked-up terms, by segment. */
export class Lookup {
  readonly #index: Index
  readonly #names = new Map<IndexLeaf, string>()
  readonly #entries = new Map<string, Map<string, Entry>>()
  readonly #beginnings = new Map<string, Map<string, BlockOfTerms>>()
  readonly #endings = new Map<string, string[]>()
  readonly #found = new Map<string, Map<string, Postings>>()
  /** Prefixes with too many words. */
  readonly cut = new Set<string>()

  constructor(index: Index) {
    this.#index = index
  }

  /** Reads the terms of conditions, except those already known. */
  async read(leaves: readonly IndexLeaf[]): Promise<void> {
    const beginnings = new Map<string, SegmentIds>()
    const inRow = new Map<string, SegmentIds>()
    const single = new Map<string, SegmentIds>()
    const unknown = leaves.map((leaf) => ({ leaf, segments: this.#segmentsToRead(leaf) }))
    for (const { leaf, segments } of unknown)
      if (leaf.kind === 'words' && leaf.isPrefix)
        for (const beginning of beginningsOf(leaf)) addTo(beginnings, beginning, segments)
    for (const [beginning, segments] of beginnings) await this.#readBeginning(beginning, segments)
    for (const { leaf, segments } of unknown) {
      const isPhrase = leaf.kind === 'words' && leaf.words.length > 1
      const endings = isPhrase && leaf.isPrefix ? this.#findEndings(leaf) : []
      for (const term of [...alternativesOf(leaf).flat(), ...endings])
        addTo(isPhrase ? inRow : single, term, segments)
    }
    for (const [term, segments] of single) if (inRow.has(term)) addTo(inRow, term, segments)
    for (const term of inRow.keys()) single.delete(term)
    await this.#readTerms(inRow, true)
    await this.#readTerms(single, false)
  }

  /** Loads cached postings of a condition, and returns the segments without any. */
  #segmentsToRead(leaf: IndexLeaf): string[] {
    const name = this.#nameOf(leaf)
    const found = this.#found.get(name) ?? new Map<string, Postings>()
    this.#found.set(name, found)
    const { segments } = this.#index
    for (const segment of segments.filter(isLasting)) {
      const postings = keptPostings(segment, name)
      if (postings) found.set(segment.id, postings)
    }
    return segments.flatMap(({ id }) => (found.has(id) ? [] : [id]))
  }

  #nameOf(leaf: IndexLeaf): string {
    const name = this.#names.get(leaf) ?? `${this.#index.tenantId} ${JSON.stringify(leaf)}`
    this.#names.set(leaf, name)
    return name
  }

  /** Reads terms, grouped by the segments to search. */
  async #readTerms(wanted: ReadonlyMap<string, SegmentIds>, withPositions: boolean): Promise<void> {
    const { db, dialect, tenantId } = this.#index
    const together = new Map<string, { segments: string[]; terms: string[] }>()
    for (const [term, ids] of wanted) {
      const segments = [...ids]
      const known = together.get(segments.join())
      if (known) known.terms.push(term)
      else together.set(segments.join(), { segments, terms: [term] })
    }
    for (const { segments, terms } of together.values())
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

  async #readBeginning(beginning: string, segments: SegmentIds): Promise<void> {
    const { db, dialect, tenantId } = this.#index
    const all = await blocksOfBeginning(db, dialect, tenantId, [...segments], beginning, maxBlocks)
    if (all.reduce((sum, { blocks }) => sum + blocks, 0) === maxBlocks) this.cut.add(beginning)
    this.#beginnings.set(beginning, new Map(all.map((blocks) => [blocks.segment, blocks])))
  }

  /** Finds the terms for the last word of a phrase with a prefix. */
  #findEndings(leaf: WordsLeaf): string[] {
    const terms = new Set<string>()
    for (const beginning of beginningsOf(leaf))
      for (const blocks of this.#beginnings.get(beginning)?.values() ?? [])
        for (const { term } of entriesOf(blocks))
          if (term.startsWith(beginning))
            terms.add(leaf.field === null ? stemOf(term.replace(/^\/~\//, '')) : term)
    const endings = [...terms].sort().slice(0, maxEndings)
    this.#endings.set(this.#nameOf(leaf), endings)
    return endings
  }

  /**
   * Returns the rarity of words: in how many messages they are, as far as the largest segments show; missing
   * words are last.
   */
  async rarity(leaves: readonly WordsLeaf[]): Promise<(leaf: WordsLeaf) => number> {
    const { db, dialect, tenantId, segments } = this.#index
    const terms = new Set(leaves.flatMap((leaf) => alternativesOf(leaf).flat()))
    const some = segments.slice(0, Math.ceil(maxSampled / terms.size)).map(({ id }) => id)
    const counts = new Map<string, number>()
    for (const { term, postings } of await blocksOfTerms(db, dialect, tenantId, some, [...terms], false))
      counts.set(term, (counts.get(term) ?? 0) + (findEntry({ postings }, term)?.count ?? 0))
    return (leaf) =>
      alternativesOf(leaf)
        .flat()
        .reduce((sum, term) => sum + (counts.get(term) ?? 0), 0) || Number.MAX_SAFE_INTEGER
  }

  /** Returns the documents of a segment that match a condition, which may be both required and scored. */
  postings(segment: Segment, leaf: IndexLeaf): Postings {
    const name = this.#nameOf(leaf)
    const known = this.#found.get(name)?.get(segment.id)
    if (known) return known
    const found = this.#find(segment, leaf)
    this.#found.get(name)?.set(segment.id, found)
    if (isLasting(segment) && this.#isWhole(leaf)) keepPostings(segment, name, found)
    return found
  }

  /** Checks whether the postings of a condition in a segment are independent of other segments. */
  #isWhole(leaf: IndexLeaf): boolean {
    if (leaf.kind !== 'words' || !leaf.isPrefix) return true
    return leaf.words.length === 1 && !beginningsOf(leaf).some((beginning) => this.cut.has(beginning))
  }

  #find(segment: Segment, leaf: IndexLeaf): Postings {
    const { documents } = segment
    const entries = this.#entries.get(segment.id)
    const of = (terms: readonly string[]) => terms.flatMap((term) => entries?.get(term) ?? [])
    const alternatives = alternativesOf(leaf)
    const endings = this.#endings.get(this.#nameOf(leaf))
    if (endings) alternatives.push([...new Set([...alternatives.pop()!, ...endings])])
    const rows = alternatives.map(of)
    if (leaf.kind !== 'words') return union(rows[0]!, documents)
    if (leaf.words.length === 1 && leaf.isPrefix) return this.#beginning(segment, leaf, rows[0]!)
    if (leaf.words.length === 1) return union(rows[0]!, documents)
    return inRow(rows)
  }

  /** Returns the documents with the word itself, or with a word that it is a prefix of. */
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

/** Returns the documents with any of some terms, with the sum of the weights. */
function union(entries: readonly Entry[], documents: number): Postings {
  const all = [...new Set(entries)]
  if (all.length === 0) return noPostings
  if (all.length === 1) return readPostings(all[0]!)
  const sums = new Uint8Array(documents)
  for (const entry of all) addWeights(entry, sums)
  return withSums(sums)
}

/** Returns the documents with a sum. */
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
