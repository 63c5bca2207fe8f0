import { decodeText } from '../charsets/charset'

/** Value of a property: a text, a number, a time, or bytes. */
type MapiValue = string | number | Date | Uint8Array

/** Properties by their ids (`MS-OXPROPS`). Later values of an id win. */
export type MapiProperties = ReadonlyMap<number, MapiValue>

/** Ids of properties. */
export const mapi = {
  subject: 0x0037,
  recipientType: 0x0c15,
  senderName: 0x0c1a,
  senderAddress: 0x0c1f,
  deliveryTime: 0x0e06,
  submitTime: 0x0039,
  body: 0x1000,
  rtf: 0x1009,
  html: 0x1013,
  messageId: 0x1035,
  displayName: 0x3001,
  address: 0x3003,
  data: 0x3701,
  filename: 0x3707,
  contentId: 0x3712,
  smtpAddress: 0x39fe,
  senderSmtpAddress: 0x5d01,
} as const

const maxProperties = 10_000
const namedFrom = 0x8000
const multiple = 0x1000
const fixedSizes: Readonly<Record<number, number>> = {
  ...{ 2: 4, 3: 4, 4: 4, 5: 8, 6: 8, 7: 8, 10: 4, 11: 4, 20: 8, 64: 8, 72: 16 },
}
const type = { string8: 0x1e, unicode: 0x1f, time: 0x40, object: 0x0d, binary: 0x102 }
/** Milliseconds from the epoch of Windows, 1601, to that of Unix. */
const epochMs = 11_644_473_600_000

const padded = (size: number): number => Math.ceil(size / 4) * 4

/** Reads lists of properties as a `winmail.dat` encodes them (`MS-OXTNEF` section 2.1.3.4). */
export class MapiReader {
  readonly #bytes: Uint8Array
  readonly #view: DataView
  readonly #charset: string
  #at = 0

  constructor(bytes: Uint8Array, charset: string) {
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.#charset = charset
  }

  /** @throws RangeError behind the end */
  number(): number {
    this.#at += 4
    return this.#view.getUint32(this.#at - 4, true)
  }

  #sized(): Uint8Array {
    const size = this.number()
    const start = this.#at
    this.#at += padded(size)
    return this.#bytes.subarray(start, start + size)
  }

  /** Skips the set and the name of a named property. */
  #skipName(): void {
    this.#at += 16
    if (this.number() === 0) this.#at += 4
    else this.#sized()
  }

  #fixed(kind: number, size: number): MapiValue {
    const start = this.#at
    this.#at += size
    if (kind !== type.time) return this.#view.getUint32(start, true)
    const ticks = this.#view.getBigUint64(start, true)
    return new Date(Number(ticks / 10_000n) - epochMs)
  }

  #text(kind: number, value: Uint8Array): MapiValue {
    if (kind !== type.string8 && kind !== type.unicode) return value
    return decodeText(value, kind === type.unicode ? 'utf-16le' : this.#charset).replace(/\0.*$/s, '')
  }

  /** Reads one list. What follows a damaged property is left out. */
  properties(): MapiProperties {
    const found = new Map<number, MapiValue>()
    try {
      const count = Math.min(this.number(), maxProperties)
      for (let index = 0; index < count; index++) {
        const tag = this.number()
        const [kind, id] = [tag & 0xefff, tag >>> 16]
        if (id >= namedFrom) this.#skipName()
        const size = fixedSizes[kind]
        const isCounted = size === undefined || (tag & multiple) !== 0
        const values = isCounted ? Math.min(this.number(), maxProperties) : 1
        for (let value = 0; value < values; value++)
          found.set(id, size === undefined ? this.#text(kind, this.#sized()) : this.#fixed(kind, size))
      }
    } catch {
      // It ends within a property.
    }
    return found
  }
}
