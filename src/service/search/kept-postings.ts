import { LRUCache } from 'lru-cache'
import type { Postings } from './segments/postings'
import type { Segment } from './segments/rows'

/** Smaller segments are fast to search, and are merged soon. */
const leastDocuments = 500
const maxBytes = 8_000_000
const keptMs = 600_000

/** Checks whether a segment is large, and so stays unchanged for long. */
export const isLasting = ({ documents }: Segment): boolean => documents >= leastDocuments

/** Postings of large segments, for the next page of a query, and for other queries with the same words. */
const kept = new LRUCache<string, Postings>({
  maxSize: maxBytes,
  sizeCalculation: ({ documents }, key) => 5 * documents.length + 2 * key.length + 400,
  // The words of queries must not stay forever.
  ttl: keptMs,
  ttlAutopurge: true,
})

const keyOf = ({ id, version }: Segment, name: string) => `${id} ${version} ${name}`

/**
 * Returns cached postings of a condition in a segment; undefined if there are none, or they have expired.
 *
 * @param name Identifies the account and the condition.
 */
export const keptPostings = (segment: Segment, name: string): Postings | undefined =>
  kept.get(keyOf(segment, name))

export function keepPostings(segment: Segment, name: string, postings: Postings): void {
  kept.set(keyOf(segment, name), postings)
}
