/** Keeps what was made by its key: a page says the same again and again. It holds at most `max`, whatever a page says. */
export class Kept<Key, Value> {
  readonly #max: number
  readonly #values = new Map<Key, Value>()

  constructor(max: number) {
    this.#max = max
  }

  /** Gives what is kept under a key; makes it where nothing is. */
  get(key: Key, make: (key: Key) => Value): Value {
    const kept = this.#values.get(key)
    if (kept !== undefined) return kept
    if (this.#values.size === this.#max) this.#values.clear()
    const value = make(key)
    this.#values.set(key, value)
    return value
  }
}
