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

interface TextBounds<Value> {
  /** Number of texts. */
  max: number
  /** Of a longer text nothing is kept. */
  maxLength: number
  /** Tells whether what was made is little enough to be kept. */
  isLittle: (value: Value) => boolean
}

/**
 * Keeps what was made of a text for the mails to come: programs write the same styles into all of theirs. It holds little
 * memory, and no mail that the text is a part of.
 */
export class KeptOfTexts<Value> {
  readonly #bounds: TextBounds<Value>
  readonly #make: (text: string) => Value
  readonly #values = new Map<string, Value>()

  constructor(bounds: TextBounds<Value>, make: (text: string) => Value) {
    this.#bounds = bounds
    this.#make = make
  }

  /** Gives what is made of a text. */
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

/** A part of a string holds the whole of it in memory: this does not. */
const copied = (text: string): string => ` ${text}`.slice(1)
