/**
 * Cache of computed values by key, for a page that repeats itself. Holds at most `max` entries for any page.
 */
export class Kept<Key, Value> {
  readonly #max: number
  readonly #values = new Map<Key, Value>()

  constructor(max: number) {
    this.#max = max
  }

  /** Returns the value of a key; makes it if missing. */
  get(key: Key, make: (key: Key) => Value): Value {
    const kept = this.#values.get(key)
    if (kept !== undefined) return kept
    if (this.#values.size === this.#max) this.#values.clear()
    const value = make(key)
    this.#values.set(key, value)
    return value
  }
}

interface TextBounds<Value> {
  /** Number of texts. */
  max: number
  /** Longer texts are not cached. */
  maxLength: number
  /** Returns whether a value is small enough to cache. */
  isLittle: (value: Value) => boolean
}

/**
 * Cache of values by text across messages: programs write the same styles into all of theirs. Uses little
 * memory, and retains no message that contains the text.
 */
export class KeptOfTexts<Value> {
  readonly #bounds: TextBounds<Value>
  readonly #make: (text: string) => Value
  readonly #values = new Map<string, Value>()

  constructor(bounds: TextBounds<Value>, make: (text: string) => Value) {
    this.#bounds = bounds
    this.#make = make
  }

  /** Returns the value of a text. */
  get(text: string): Value {
    const { max, maxLength, isLittle } = this.#bounds
    if (text.length > maxLength) return this.#make(text)
    const kept = this.#values.get(text)
    if (kept !== undefined) return kept
    const own = copied(text)
    const value = this.#make(own)
    if (this.#values.size === max) this.#values.clear()
    if (isLittle(value)) this.#values.set(own, value)
    return value
  }
}

/** Copies a string, since a slice keeps its whole source in memory. */
const copied = (text: string): string => ` ${text}`.slice(1)
