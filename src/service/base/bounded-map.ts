import { LRUCache } from 'lru-cache'

/**
 * Creates a map with a maximum size: the least recently used entry is evicted first. The `max` of lru-cache
 * reserves memory for all entries at once, which takes milliseconds. This map costs what it holds.
 *
 * @param ttlMs Time that an entry is kept; 0 is without limit.
 */
export const boundedMap = <Value extends NonNullable<unknown>>(
  maxEntries: number,
  ttlMs = 0,
): LRUCache<string, Value> => new LRUCache({ maxSize: maxEntries, sizeCalculation: () => 1, ttl: ttlMs })
