import { LRUCache } from 'lru-cache'
import type { IndexLeaf } from './query-parts'
import type { Postings, Segment } from './segments'

/** Smaller segments are soon looked into, and merged. */
const leastDocuments = 1_000
const maxBytes = 8_000_000

/** A segment that is large stays as it is for long. */
export const isLasting = ({ documents }: Segment): boolean => documents >= leastDocuments

/** What was found in large segments: the next page asks for it again, and words come again in other questions. */
const kept = new LRUCache<string, Postings>({
  maxSize: maxBytes,
  sizeCalculation: ({ documents }, key) => 5 * documents.length + 2 * key.length + 200,
})

/** Name what is looked for: a condition that is true of the same messages has the same name. */
export const nameOf = (leaf: IndexLeaf): string => JSON.stringify(leaf)

const keyOf = ({ id, version }: Segment, name: string) => `${id} ${version} ${name}`

/** The documents of a segment of which a condition was found to be true; undefined where nobody has looked, or long ago. */
export const keptPostings = (segment: Segment, name: string): Postings | undefined =>
  kept.get(keyOf(segment, name))

export function keepPostings(segment: Segment, name: string, postings: Postings): void {
  kept.set(keyOf(segment, name), postings)
}
