import { LRUCache } from 'lru-cache'

/**
 * Makes a map of so many entries at most: the least recently used goes first. Unlike the `max` of lru-cache, which sets
 * the memory of all of them aside at once, it costs what it holds: a process may have thousands of mailboxes.
 */
export const boundedMap = <Value extends string | number | true>(max: number): LRUCache<string, Value> =>
  new LRUCache({ maxSize: max, sizeCalculation: () => 1 })
