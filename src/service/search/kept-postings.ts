import { LRUCache } from 'lru-cache'
import type { Postings, Segment } from './segments'

/** Smaller segments are quickly looked into, and are merged before long. */
const leastDocuments = 500
const maxBytes = 8_000_000
const keptMs = 600_000

/** A segment that is large stays as it is for long. */
export const isLasting = ({ documents }: Segment): boolean => documents >= leastDocuments

/** Keep what was found in large segments for the next page, which asks for it again, and for other questions with the same words. */
const kept = new LRUCache<string, Postings>({
  maxSize: maxBytes,
  sizeCalculation: ({ documents }, key) => 5 * documents.length + 2 * key.length + 400,
  // The words of questions do not stay for good.
  ttl: keptMs,
  ttlAutopurge: true,
})

const keyOf = ({ id, version }: Segment, name: string) => `${id} ${version} ${name}`

/**
 * Recalls the documents of a segment of which a condition was found to be true; undefined where nobody has looked, or long
 * ago.
 *
 * @param name Of the account and the condition: what has the same name is true of the same messages.
 */
export const keptPostings = (segment: Segment, name: string): Postings | undefined =>
  kept.get(keyOf(segment, name))

export function keepPostings(segment: Segment, name: string, postings: Postings): void {
  kept.set(keyOf(segment, name), postings)
}
