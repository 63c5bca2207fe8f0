import { createInflateRaw } from 'node:zlib'
import { decodeText } from '../../../mail/charsets/charset'
import { ExtractionFailure } from './extracted'

/** Bytes that all read members of an archive may have. */
const maxInflatedBytes = 256 * 1024 * 1024
/** Bytes of a member that is held in memory. */
const maxHeldBytes = 32 * 1024 * 1024
const maxMembers = 10_000
/** The end of the directory has a comment of at most 65,535 bytes. */
const maxTailBytes = 22 + 65_535

/** File in an archive. */
export interface ZipMember {
  name: string
  method: number
  isEncrypted: boolean
  compressedSize: number
  /** Size by the directory, which may lie. */
  size: number
  offset: number
}

const endSignature = 0x06054b50
const entrySignature = 0x02014b50
const stored = 0
const deflated = 8

/** ZIP archive, read by its directory. Members are inflated piece by piece, up to a limit for all of them. */
export class Zip {
  readonly members: ZipMember[] = []
  /** True if the archive has more members than are listed. */
  readonly isCut: boolean
  readonly #bytes: Uint8Array
  readonly #view: DataView
  #inflated = 0

  /** @throws ExtractionFailure `unreadable` without a directory */
  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    const end = this.#findEnd()
    const count = this.#view.getUint16(end + 10, true)
    this.#readDirectory(this.#view.getUint32(end + 16, true), Math.min(count, maxMembers))
    this.isCut = count > maxMembers
  }

  #findEnd(): number {
    const last = this.#bytes.length - 22
    for (let at = last; at >= 0 && at > last - maxTailBytes; at--)
      if (this.#view.getUint32(at, true) === endSignature) return at
    throw new ExtractionFailure('unreadable')
  }

  #readDirectory(start: number, count: number): void {
    const view = this.#view
    let at = start
    for (let index = 0; index < count; index++) {
      if (at + 46 > this.#bytes.length || view.getUint32(at, true) !== entrySignature) return
      const nameLength = view.getUint16(at + 28, true)
      this.members.push({
        name: decodeText(this.#bytes.subarray(at + 46, at + 46 + nameLength), null),
        isEncrypted: (view.getUint16(at + 8, true) & 1) === 1,
        method: view.getUint16(at + 10, true),
        compressedSize: view.getUint32(at + 20, true),
        size: view.getUint32(at + 24, true),
        offset: view.getUint32(at + 42, true),
      })
      at += 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true)
    }
  }

  find(name: string): ZipMember | undefined {
    return this.members.find((member) => member.name === name)
  }

  /** Inflates a member piece by piece. @throws ExtractionFailure `encrypted`, `too_large`, `unreadable` */
  async *chunks(member: ZipMember): AsyncGenerator<Uint8Array> {
    if (member.isEncrypted) throw new ExtractionFailure('encrypted')
    const { offset } = member
    if (offset + 30 > this.#bytes.length) throw new ExtractionFailure('unreadable')
    const [nameLength, extraLength] = [26, 28].map((at) => this.#view.getUint16(offset + at, true))
    const start = offset + 30 + nameLength! + extraLength!
    const packed = this.#bytes.subarray(start, start + member.compressedSize)
    if (member.method === stored) yield this.#counted(packed)
    else if (member.method === deflated) {
      const inflate = createInflateRaw()
      inflate.end(packed)
      for await (const chunk of inflate) yield this.#counted(chunk)
    } else throw new ExtractionFailure('unsupported')
  }

  #counted(chunk: Uint8Array): Uint8Array {
    this.#inflated += chunk.length
    if (this.#inflated > maxInflatedBytes) throw new ExtractionFailure('too_large')
    return chunk
  }

  /** Returns the bytes of a member. @throws ExtractionFailure as `chunks` */
  async read(member: ZipMember): Promise<Uint8Array> {
    const chunks: Uint8Array[] = []
    let size = 0
    for await (const chunk of this.chunks(member)) {
      size += chunk.length
      if (size > maxHeldBytes) throw new ExtractionFailure('too_large')
      chunks.push(chunk)
    }
    return Buffer.concat(chunks)
  }

  /** Yields the pieces of the member with a name; none if there is no such member. */
  async *named(name: string): AsyncGenerator<Uint8Array> {
    const member = this.find(name)
    if (member) yield* this.chunks(member)
  }
}
