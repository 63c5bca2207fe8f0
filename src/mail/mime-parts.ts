import { type PartFields, readPartFields } from './part-fields'

const [TAB, LF, CR, SPACE, DASH] = [9, 10, 13, 32, 45]
const MAX_BOUNDARY_LINE = 210
const MAX_PARTS = 20_000
const latin1 = new TextDecoder('latin1')

/** A part of a mail that is no multipart. */
export interface MimePart extends PartFields {
  /** The body as it stands in the mail, without the line break before the boundary; null when there is none at all. */
  body: Uint8Array | null
}

interface Multipart {
  boundary: string
  /** The media type of parts that declare none. */
  defaultType: string
}

/**
 * Finds the parts of a mail that are no multiparts, in order (RFC 2046 §5.1.1), in one pass that looks at lines only
 * within a multipart. Does not look into messages within the mail. Linear time; never throws.
 *
 * @returns nothing for a mail with too many parts or too deep ones
 */
export function findParts(mail: Uint8Array, maxDepth: number): MimePart[] {
  const walk = new PartWalk(mail)
  let at = 0
  while (at < mail.length && walk.isLooking) {
    const lineFeed = mail.indexOf(LF, at)
    const next = lineFeed === -1 ? mail.length : lineFeed + 1
    walk.line(at, next)
    if (walk.depth > maxDepth || walk.parts.length > MAX_PARTS) return []
    at = next
  }
  walk.end(mail.length)
  return walk.parts
}

class PartWalk {
  readonly parts: MimePart[] = []
  readonly #mail: Uint8Array
  #multiparts: Multipart[] = []
  #state: 'header' | 'body' | 'between' = 'header'
  /** Where the header or the body began. */
  #start = 0
  #fields: PartFields | null = null
  #defaultType = 'text/plain'

  constructor(mail: Uint8Array) {
    this.#mail = mail
  }

  get depth(): number {
    return this.#multiparts.length
  }

  /** False when no line can be a boundary or the end of a header. */
  get isLooking(): boolean {
    return this.#state === 'header' || this.depth > 0
  }

  line(at: number, next: number): void {
    const boundary =
      this.#mail[at] === DASH && this.#mail[at + 1] === DASH ? this.#boundaryAt(at, next) : null
    if (boundary) {
      this.#finish(at, withoutLineBreak(this.#mail, this.#start, at))
      this.#cross(boundary, next)
    } else if (this.#state === 'header' && isEmptyLine(this.#mail, at, next)) this.#enterBody(at, next)
  }

  end(at: number): void {
    this.#finish(at, at)
  }

  #boundaryAt(at: number, next: number): { index: number; isEnd: boolean } | null {
    if (this.depth === 0) return null
    const end = endOfText(this.#mail, at, next)
    if (end - at > MAX_BOUNDARY_LINE) return null
    const text = latin1.decode(this.#mail.subarray(at + 2, end))
    const open = this.#multiparts.findLastIndex(({ boundary }) => boundary === text)
    const bare = text.endsWith('--') ? text.slice(0, -2) : null
    const closed = bare === null ? -1 : this.#multiparts.findLastIndex(({ boundary }) => boundary === bare)
    if (open === closed) return null
    return { index: Math.max(open, closed), isEnd: closed > open }
  }

  // A boundary of an outer multipart ends the inner ones too.
  #cross({ index, isEnd }: { index: number; isEnd: boolean }, next: number): void {
    this.#defaultType = this.#multiparts[index]!.defaultType
    this.#multiparts.length = isEnd ? index : index + 1
    this.#state = isEnd ? 'between' : 'header'
    this.#start = next
  }

  #enterBody(at: number, next: number): void {
    const fields = readPartFields(this.#mail.subarray(this.#start, at), this.#defaultType)
    const isMultipart = fields.type?.startsWith('multipart/')
    if (isMultipart && fields.boundary) this.#multiparts.push(multipartOf(fields.type, fields.boundary))
    this.#fields = fields
    this.#state = isMultipart ? 'between' : 'body'
    this.#start = next
  }

  #finish(at: number, end: number): void {
    if (this.#state === 'header') this.#enterBody(at, at)
    if (this.#state !== 'body' || !this.#fields) return
    const body = at > this.#start ? this.#mail.subarray(this.#start, end) : null
    this.parts.push({ ...this.#fields, body })
  }
}

const multipartOf = (type: string | null, boundary: string): Multipart => ({
  boundary,
  defaultType: type === 'multipart/digest' ? 'message/rfc822' : 'text/plain',
})

// Of a boundary, white space at the end of its line is no part (RFC 2046 §5.1.1).
function endOfText(mail: Uint8Array, at: number, next: number): number {
  let end = next
  while (end > at && (mail[end - 1] === LF || mail[end - 1] === CR)) end--
  while (end > at && (mail[end - 1] === SPACE || mail[end - 1] === TAB)) end--
  return end
}

function isEmptyLine(mail: Uint8Array, at: number, next: number): boolean {
  let start = at
  while (start < next && mail[start] === CR) start++
  return start === next || mail[start] === LF
}

function withoutLineBreak(mail: Uint8Array, start: number, at: number): number {
  let end = at
  if (end > start && mail[end - 1] === LF) end--
  return end > start && end < at && mail[end - 1] === CR ? end - 1 : end
}
