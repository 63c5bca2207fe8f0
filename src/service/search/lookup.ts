import type { Kysely } from 'kysely'
import type { Database, Dialect } from '../store/tables/schema'
import { isLasting, keepPostings, keptPostings } from './kept-postings'
import type { IndexLeaf, WordsLeaf } from './query-parts'
import { type Block, type Entry, entriesOf, findEntry } from './segments/block'
import { inSlices, others } from './segments/pauses'
import { phrasePostings } from './segments/phrases'
import {
  addPrefix,
  addWeights,
  noPostings,
  type Postings,
  readPostings,
  usualWeight,
} from './segments/postings'
import { blocksOfPrefix, blocksOfTerms, type Segment } from './segments/rows'
import { addressTerm, attachmentTerm, directionTerm, surfaceTerm, termIn } from './terms/document-terms'
import { stemOf } from './terms/stem'

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
  if (leaf.kind === 'words')
    return leaf.words.map((word) => (leaf.isStem ? [word] : variantsOf(leaf.field, word)))
  if (leaf.kind === 'address') return [[addressTerm(leaf.field, leaf.address)]]
  return [[leaf.kind === 'direction' ? directionTerm(leaf.direction) : attachmentTerm]]
}

/** Returns the term prefixes for a word prefix. */
const prefixesOf = ({ field, words }: WordsLeaf): string[] => {
  const last = words.at(-1)!
  return [termIn(field, last), ...(field === null ? [surfaceTerm(last)] : [])]
}

const encoder = new TextEncoder()

/** Maximum number of blocks that are read for a prefix. */
const maxBlocks = 500
/** Number of blocks that are read together to compare the words with a prefix. */
const blocksAtOnce = 100
/** Number of words after which other work may run. */
const wordsInStep = 200
/** Maximum of words times segments that are sampled for the rarity of words. */
const maxSampled = 20_000
/** Maximum number of a phrase's last words with a prefix, in alphabetical order. */
const maxEndings = 100

type BlockOfTerms = Pick<Block, 'postings'>

/** A segment with its documents in scope, marked by 1; null if all are. */
interface SegmentInScope {
  readonly segment: Segment
  readonly allowed: Uint8Array | null
}

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
  readonly #prefixes = new Map<string, Map<string, BlockOfTerms>>()
  readonly #endings = new Map<string, string[]>()
  readonly #found = new Map<string, Map<string, Postings>>()
  /** Prefixes with too many words. */
  readonly cut = new Set<string>()

  constructor(index: Index) {
    this.#index = index
  }

  /** Reads the terms of conditions, except those already known. */
  async read(wanted: readonly IndexLeaf[]): Promise<void> {
    const leaves = wanted.filter((leaf) => !this.#found.has(this.#nameOf(leaf)))
    const prefixes = new Map<string, SegmentIds>()
    const phrasePostings = new Map<string, SegmentIds>()
    const single = new Map<string, SegmentIds>()
    const unknown = leaves.map((leaf) => ({ leaf, segments: this.#segmentsToRead(leaf) }))
    for (const { leaf, segments } of unknown)
      if (leaf.kind === 'words' && leaf.isPrefix)
        for (const prefix of prefixesOf(leaf)) addTo(prefixes, prefix, segments)
    for (const [prefix, segments] of prefixes) await this.#readPrefix(prefix, segments)
    for (const { leaf, segments } of unknown) {
      const isPhrase = leaf.kind === 'words' && leaf.words.length > 1
      const endings = isPhrase && leaf.isPrefix ? this.#findEndings(leaf) : []
      for (const term of [...alternativesOf(leaf).flat(), ...endings])
        addTo(isPhrase ? phrasePostings : single, term, segments)
    }
    for (const [term, segments] of single) if (phrasePostings.has(term)) addTo(phrasePostings, term, segments)
    for (const term of phrasePostings.keys()) single.delete(term)
    await this.#readTerms(phrasePostings, true)
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
        // Another condition may need the positions that were read before.
        if (known?.has(term) && !withPositions) continue
        if (known) known.set(term, entry)
        else this.#entries.set(segment, new Map([[term, entry]]))
      }
  }

  async #readPrefix(prefix: string, segments: SegmentIds): Promise<void> {
    const { db, dialect, tenantId } = this.#index
    const all = await blocksOfPrefix(db, dialect, tenantId, [...segments], prefix, maxBlocks)
    if (all.reduce((sum, { blocks }) => sum + blocks, 0) === maxBlocks) this.cut.add(prefix)
    this.#prefixes.set(prefix, new Map(all.map((blocks) => [blocks.segment, blocks])))
  }

  /** Finds the terms for the last word of a phrase with a prefix. */
  #findEndings(leaf: WordsLeaf): string[] {
    const terms = new Set<string>()
    for (const prefix of prefixesOf(leaf))
      for (const blocks of this.#prefixes.get(prefix)?.values() ?? [])
        for (const { term } of entriesOf(blocks))
          if (term.startsWith(prefix))
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

  /** Checks whether any message in scope meets a condition that was read. */
  isInScope(segments: readonly SegmentInScope[], leaf: IndexLeaf): boolean {
    return segments.some(({ segment, allowed }) => countAllowed(this.postings(segment, leaf), allowed) > 0)
  }

  /** Returns the wanted terms with some prefixes, each with the number of messages in scope that have it. */
  async termsInScope(
    segments: readonly SegmentInScope[],
    prefixes: readonly string[],
    isWanted: (term: string) => boolean,
  ): Promise<Map<string, number>> {
    const allowedOf = new Map(segments.map(({ segment, allowed }) => [segment.id, allowed]))
    const counts = new Map<string, number>()
    const pause = inSlices(others)
    for (const prefix of new Set(prefixes))
      for await (const { segment, entries } of this.#entriesOfPrefix(prefix, [...allowedOf.keys()])) {
        for (const [i, entry] of entries.entries()) {
          if (i % wordsInStep === 0) await pause()
          if (!isWanted(entry.term)) continue
          const count = countAllowed(readPostings(entry), allowedOf.get(segment) ?? null)
          if (count > 0) counts.set(entry.term, (counts.get(entry.term) ?? 0) + count)
        }
      }
    return counts
  }

  /** Reads the entries of a prefix, by segment, some blocks at a time; of too many, the first. */
  async *#entriesOfPrefix(prefix: string, segments: readonly string[]) {
    const { db, dialect, tenantId } = this.#index
    // The first block of each segment may begin before the start.
    const limit = blocksAtOnce + segments.length
    for (let [start, read] = [prefix, 0]; read < maxBlocks; ) {
      const all = await blocksOfPrefix(db, dialect, tenantId, segments, prefix, limit, start)
      const blocks = all.reduce((sum, one) => sum + one.blocks, 0)
      // Other segments may have more blocks from the last term on: it is the start of the next ones.
      const end = all.reduce((last, one) => (one.last > last ? one.last : last), '')
      const isLast = blocks < limit || end <= start
      const isIn = ({ term }: Entry) => term >= start && term.startsWith(prefix) && (isLast || term < end)
      for (const one of all) yield { segment: one.segment, entries: [...entriesOf(one)].filter(isIn) }
      if (isLast) return
      ;[start, read] = [end, read + blocks]
    }
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
    return leaf.words.length === 1 && !prefixesOf(leaf).some((prefix) => this.cut.has(prefix))
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
    if (leaf.words.length === 1 && leaf.isPrefix) return this.#prefix(segment, leaf, rows[0]!)
    if (leaf.words.length === 1) return union(rows[0]!, documents)
    const phrases = phrasePostings(rows)
    return { ...phrases, weights: phrases.weights.map((count) => Math.min(255, usualWeight * count)) }
  }

  /** Returns the documents with the word itself, or with a word that it is a prefix of. */
  #prefix({ id, documents }: Segment, leaf: WordsLeaf, entries: readonly Entry[]): Postings {
    const sums = new Uint8Array(documents)
    for (const entry of new Set(entries)) addWeights(entry, sums)
    for (const prefix of prefixesOf(leaf)) {
      const blocks = this.#prefixes.get(prefix)?.get(id)
      if (blocks) addPrefix(blocks, encoder.encode(prefix), sums)
    }
    return withSums(sums)
  }
}

const countAllowed = ({ count, documents }: Postings, allowed: Uint8Array | null): number =>
  allowed === null ? count : documents.reduce((sum, document) => sum + allowed[document]!, 0)

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
