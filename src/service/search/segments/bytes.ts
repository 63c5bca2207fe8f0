/** Growing buffer of bytes; numbers use seven bits per byte. */
export class ByteWriter {
  #bytes = new Uint8Array(256)
  length = 0

  #reserve(more: number): void {
    if (this.length + more <= this.#bytes.length) return
    const grown = new Uint8Array(Math.max(this.#bytes.length * 2, this.length + more))
    grown.set(this.#bytes.subarray(0, this.length))
    this.#bytes = grown
  }

  number(value: number): void {
    this.#reserve(5)
    let rest = value
    while (rest > 127) {
      this.#bytes[this.length++] = (rest & 127) | 128
      rest >>>= 7
    }
    this.#bytes[this.length++] = rest
  }

  bytes(bytes: Uint8Array): void {
    this.#reserve(bytes.length)
    this.#bytes.set(bytes, this.length)
    this.length += bytes.length
  }

  /** Returns a copy of the bytes, and starts again. */
  take(): Uint8Array {
    const taken = this.#bytes.slice(0, this.length)
    this.length = 0
    return taken
  }
}

/** Reads the bytes of {@link ByteWriter}. */
export class ByteReader {
  readonly data: Uint8Array
  at: number

  constructor(data: Uint8Array, at = 0) {
    this.data = data
    this.at = at
  }

  number(): number {
    const { data } = this
    let byte = data[this.at++]!
    if (byte < 128) return byte
    let value = byte & 127
    for (let shift = 7; byte > 127; shift += 7) {
      byte = data[this.at++]!
      value |= (byte & 127) << shift
    }
    return value >>> 0
  }

  /** Skips `count` numbers. */
  skip(count: number): void {
    const { data } = this
    let { at } = this
    // The last byte of a number is below 128.
    for (let left = count; left > 0 && at < data.length; ) if (data[at++]! < 128) left--
    this.at = at
  }

  bytes(length: number): Uint8Array {
    const from = this.at
    this.at += length
    return this.data.subarray(from, this.at)
  }
}

/** Checks whether some bytes are at a place of others. */
export function isAt(data: Uint8Array, at: number, bytes: Uint8Array): boolean {
  for (let i = 0; i < bytes.length; i++) if (data[at + i] !== bytes[i]) return false
  return true
}
