/**
 * Map of a bounded size that evicts the least recently used entry first. It allocates for the entries it
 * holds, not for its bound: a process may have thousands of mailboxes.
 */
export class BoundedMap<Value extends NonNullable<unknown>> {
  readonly #maxSize: number
  /** Entries in order of last use. */
  readonly #held = new Map<string, { readonly value: Value; readonly size: number }>()
  #size = 0

  constructor(maxSize: number) {
    this.#maxSize = maxSize
  }

  has(key: string): boolean {
    return this.#held.has(key)
  }

  /** Returns a value, and counts that as a use. */
  get(key: string): Value | undefined {
    const entry = this.#held.get(key)
    if (!entry) return undefined
    this.#held.delete(key)
    this.#held.set(key, entry)
    return entry.value
  }

  /** Returns a value without counting that as a use. */
  peek(key: string): Value | undefined {
    return this.#held.get(key)?.value
  }

  /** Stores a value. A value larger than the whole map is not stored. */
  set(key: string, value: Value, size = 1): void {
    this.delete(key)
    if (size > this.#maxSize) return
    this.#held.set(key, { value, size })
    this.#size += size
    for (const oldest of this.#held.keys()) {
      if (this.#size <= this.#maxSize) break
      this.delete(oldest)
    }
  }

  delete(key: string): void {
    this.#size -= this.#held.get(key)?.size ?? 0
    this.#held.delete(key)
  }

  clear(): void {
    this.#held.clear()
    this.#size = 0
  }

  /** Returns a snapshot of the keys and values. */
  entries(): [string, Value][] {
    return [...this.#held].map(([key, { value }]) => [key, value])
  }
}
