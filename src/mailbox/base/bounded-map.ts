/**
 * A map of a bounded size: what was not asked for the longest goes first. It costs what it holds, not what it may hold:
 * a process may have thousands of mailboxes.
 */
export class BoundedMap<Value extends NonNullable<unknown>> {
  readonly #maxSize: number
  /** In the order in which they were last asked for. */
  readonly #held = new Map<string, { readonly value: Value; readonly size: number }>()
  #size = 0

  constructor(maxSize: number) {
    this.#maxSize = maxSize
  }

  has(key: string): boolean {
    return this.#held.has(key)
  }

  /** Gives a value, and counts that as a use of it. */
  get(key: string): Value | undefined {
    const entry = this.#held.get(key)
    if (!entry) return undefined
    this.#held.delete(key)
    this.#held.set(key, entry)
    return entry.value
  }

  /** Gives a value as if nobody had asked. */
  peek(key: string): Value | undefined {
    return this.#held.get(key)?.value
  }

  /** Holds a value; one that is larger than all there is room for is not held. */
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

  /** The keys and values as they are now. */
  entries(): [string, Value][] {
    return [...this.#held].map(([key, { value }]) => [key, value])
  }
}
