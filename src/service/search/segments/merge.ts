import { type Block, BlockWriter, type Entry, entriesOf } from './block'
import { EntryWriter, withoutDocuments } from './postings'

/** A segment that is read from its first term on. */
class Source {
  readonly #pages: AsyncIterator<readonly Block[]>
  readonly base: number
  #blocks: readonly Block[] = []
  #at = 0
  #entries: Iterator<Entry> = [].values()
  current: Entry | undefined

  constructor(pages: AsyncIterable<readonly Block[]>, base: number) {
    this.#pages = pages[Symbol.asyncIterator]()
    this.base = base
  }

  /** Moves to the next entry. Returns false if the next blocks must be read first. */
  step(): boolean {
    for (;;) {
      const next = this.#entries.next()
      if (!next.done) {
        this.current = next.value
        return true
      }
      if (this.#at === this.#blocks.length) return false
      this.#entries = entriesOf(this.#blocks[this.#at++]!)
    }
  }

  /** Reads more blocks; without any, there is no current entry. */
  async read(): Promise<void> {
    const page = await this.#pages.next()
    this.#blocks = page.done ? [] : page.value
    this.#at = 0
    if (page.done) this.current = undefined
    else if (!this.step()) await this.read()
  }
}

function firstTerm(sources: readonly Source[]): string | undefined {
  let first: string | undefined
  for (const { current } of sources)
    if (current !== undefined && (first === undefined || current.term < first)) first = current.term
  return first
}

/** A segment to merge: pages of its ordered blocks, and the number of documents before its own. */
export interface MergeSource {
  readonly pages: AsyncIterable<readonly Block[]>
  readonly base: number
}

/** Merges the blocks of several segments, in pages. */
export async function* mergeBlocks(parts: readonly MergeSource[]): AsyncGenerator<readonly Block[]> {
  const sources = parts.map(({ pages, base }) => new Source(pages, base))
  for (const source of sources) await source.read()
  const writer = new BlockWriter()
  const entry = new EntryWriter()
  for (let term = firstTerm(sources); term !== undefined; term = firstTerm(sources)) {
    for (const source of sources) {
      if (source.current?.term !== term) continue
      entry.append(source.current, source.base)
      if (!source.step()) await source.read()
    }
    writer.add(entry.take(term))
    const full = writer.takeFull()
    if (full.length > 0) yield full
  }
  const rest = writer.takeAll()
  if (rest.length > 0) yield rest
}

/** Returns the blocks without some documents; null if none of them were there. */
export function without(block: Block, isGone: (document: number) => boolean): Block[] | null {
  const writer = new BlockWriter()
  let isChanged = false
  for (const entry of entriesOf(block)) {
    const kept = withoutDocuments(entry, isGone)
    isChanged ||= kept !== entry
    if (kept) writer.add(kept)
  }
  return isChanged ? writer.takeAll() : null
}
