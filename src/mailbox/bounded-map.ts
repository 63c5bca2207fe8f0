import { LRUCache } from 'lru-cache'

/**
 * A map of so many entries at most: the least recently used goes first. Unlike the `max` of lru-cache, which sets the
 * memory of all of them aside at once, it costs what it holds: a process may have thousands of mailboxes.
 */
export const boundedMap = <Value extends string | number | true>(most: number): LRUCache<string, Value> =>
  new LRUCache({ maxSize: most, sizeCalculation: () => 1 })
