import { LRUCache } from 'lru-cache'

/**
 * A map of so many entries at most: the least recently used goes first. Unlike the `max` of lru-cache, which sets the
 * memory of all of them aside at once and takes milliseconds for it, it costs what it holds.
 *
 * @param ttlMs How long an entry is held.
 */
export const boundedMap = <Value extends NonNullable<unknown>>(
  maxEntries: number,
  ttlMs = 0,
): LRUCache<string, Value> => new LRUCache({ maxSize: maxEntries, sizeCalculation: () => 1, ttl: ttlMs })
