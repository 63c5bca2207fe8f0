import type { RawHeaders } from '../headers/header-reader'
import { lineAt } from '../headers/line-reader'
import { leavesOf, type MimePart } from './mime-part'
import { contentOf } from './part-content'
import { type PartFields, partFieldsOf, readPartFields } from './part-fields'
import { signedContentOf } from './signed-content'

const [TAB, LF, CR, SPACE, DASH] = [9, 10, 13, 32, 45]
const maxBoundaryLine = 1010
const maxParts = 20_000
const minSureBoundary = 3
const latin1 = new TextDecoder('latin1')

/** A message as a tree of parts. */
interface PartTree {
  root: MimePart
  /**
   * Exceeded limits, such as `too-deep` (parts beyond them stay whole), and irregularities, such as
   * `boundary-guessed`.
   */
  flaws: string[]
}

interface Multipart {
  boundary: string
  node: MimePart
}

/**
 * Reads the tree of parts of a message (RFC 2046 §5.1.1) in one pass that reads lines only within a
 * multipart. Does not open attached messages. Linear time; never throws.
 *
 * @param headers of the message, if already read
 */
export function readPartTree(mail: Uint8Array, maxDepth: number, headers?: RawHeaders): PartTree {
  const walk = new PartWalk(mail, maxDepth)
  const tree = walk.read(headers ? walk.skipHeader(headers) : 0)
  for (const leaf of leavesOf(tree.root)) openLeaf(leaf, maxDepth, tree.flaws)
  return tree
}

const pkcs7 = /^application\/(?:x-)?pkcs7-mime$/

/** Finds the parts within a leaf whose header does not declare them correctly. */
function openLeaf(leaf: MimePart, maxDepth: number, flaws: string[]): void {
  if (!leaf.body || maxDepth < 1 || flaws.includes('too-deep')) return
  if (leaf.type.startsWith('multipart/')) divide(leaf, leaf.body, maxDepth, flaws)
  else if (pkcs7.test(leaf.type)) unwrap(leaf, maxDepth, flaws)
}

/** Splits a multipart whose boundary is missing, or absent in its body. */
function divide(node: MimePart, body: Uint8Array, maxDepth: number, flaws: string[]): void {
  const found = boundaryIn(body)
  if (!found) return
  const tree = new PartWalk(body, maxDepth, { boundary: found.boundary, node }).read(found.start)
  node.body = body.subarray(0, found.start)
  addFlaws(flaws, ['boundary-guessed', ...tree.flaws])
}

const contentField = /^content-[a-z-]{2,40}[\t ]{0,9}:/i

/** Finds the first line `--token` with a Content- field below it. */
function boundaryIn(body: Uint8Array): { boundary: string; start: number } | null {
  for (let at = 0; at < body.length; ) {
    const { end, next } = lineAt(body, at)
    const isMark = body[at] === DASH && body[at + 1] === DASH && end - at > 2 && end - at <= maxBoundaryLine
    if (isMark && contentField.test(latin1.decode(body.subarray(next, next + 50))))
      return { boundary: latin1.decode(body.subarray(at + 2, endOfText(body, at, next))), start: at }
    at = next
  }
  return null
}

/** Opens an S/MIME message that is signed but not encrypted. Its signature is not verified. */
function unwrap(leaf: MimePart, maxDepth: number, flaws: string[]): void {
  const content = signedContentOf(contentOf(leaf))
  if (!content) return
  const tree = readPartTree(content, maxDepth - 1)
  leaf.parts = [tree.root]
  addFlaws(flaws, ['signature-unverified', ...tree.flaws])
}

const addFlaws = (flaws: string[], more: readonly string[]): void =>
  void flaws.push(...more.filter((flaw, at) => !flaws.includes(flaw) && more.indexOf(flaw) === at))

class PartWalk {
  readonly #mail: Uint8Array
  readonly #maxDepth: number
  readonly #flaws = new Set<string>()
  readonly #open: Multipart[] = []
  #root: MimePart | null = null
  #count = 0
  /** Bytes after the last part of a multipart, and bytes in headers of parts that belong to no part field. */
  #stray = 0
  #state: 'header' | 'body' | 'between' = 'header'
  /** Offset where the current header or body starts. */
  #start = 0
  #node: MimePart | null = null

  /** @param within the multipart to read, if it is not the message itself */
  constructor(mail: Uint8Array, maxDepth: number, within?: Multipart) {
    this.#mail = mail
    this.#maxDepth = maxDepth
    if (!within) return
    this.#open.push(within)
    this.#root = within.node
    this.#state = 'between'
  }

  read(start: number): PartTree {
    let at = start
    while (at < this.#mail.length && this.isLooking) {
      const lineFeed = this.#mail.indexOf(LF, at)
      const next = lineFeed === -1 ? this.#mail.length : lineFeed + 1
      this.line(at, next)
      at = next
    }
    return this.end(this.#mail.length)
  }

  /** False if no line can be a boundary or the end of a header. */
  get isLooking(): boolean {
    return (this.#state === 'header' || this.#open.length > 0) && this.#count <= maxParts
  }

  skipHeader({ fields, bodyStart }: RawHeaders): number {
    this.#enter(partFieldsOf(fields, 'text/plain'), bodyStart)
    return bodyStart
  }

  line(at: number, next: number): void {
    const boundary =
      this.#mail[at] === DASH && this.#mail[at + 1] === DASH ? this.#boundaryAt(at, next) : null
    if (boundary) {
      this.#finish(at, withoutLineBreak(this.#mail, this.#start, at))
      this.#cross(boundary, next)
    } else if (this.#state === 'header' && isEmptyLine(this.#mail, at, next)) this.#enterBody(at, next)
  }

  end(at: number): PartTree {
    if (this.#count > maxParts) this.#flaws.add('too-many-parts')
    this.#finish(at, at)
    const root = this.#root!
    if (root.type.startsWith('multipart/')) root.outside = preambles(root) + this.#stray
    else if (root.encoding === 'uuencode') root.outside = written(root.body ?? none)
    return { root: this.#root!, flaws: [...this.#flaws] }
  }

  #boundaryAt(at: number, next: number): { index: number; isEnd: boolean } | null {
    if (this.#open.length === 0) return null
    const end = endOfText(this.#mail, at, next)
    if (end - at > maxBoundaryLine) return null
    const text = latin1.decode(this.#mail.subarray(at + 2, end))
    return this.#boundaryOf(text) ?? this.#boundaryBefore(text)
  }

  #boundaryOf(text: string): { index: number; isEnd: boolean } | null {
    const open = this.#open.findLastIndex(({ boundary }) => boundary === text)
    const bare = text.endsWith('--') ? text.slice(0, -2) : null
    const closed = bare === null ? -1 : this.#open.findLastIndex(({ boundary }) => boundary === bare)
    if (open === closed) return null
    return { index: Math.max(open, closed), isEnd: closed > open }
  }

  // Some programs write words after it; people hardly start a line with a boundary of this length.
  #boundaryBefore(text: string): { index: number; isEnd: boolean } | null {
    const space = text.search(/[ \t]/)
    const word = space < minSureBoundary ? '' : text.slice(0, space)
    return word === '' ? null : this.#boundaryOf(word)
  }

  // A boundary of an outer multipart ends the inner ones as well.
  #cross({ index, isEnd }: { index: number; isEnd: boolean }, next: number): void {
    this.#open.length = isEnd ? index : index + 1
    this.#state = isEnd ? 'between' : 'header'
    this.#node = null
    this.#start = next
  }

  #enterBody(at: number, next: number): void {
    const parent = this.#open.at(-1)?.node
    const defaultType = parent?.type === 'multipart/digest' ? 'message/rfc822' : 'text/plain'
    const header = this.#mail.subarray(this.#start, at)
    if (parent) this.#stray += strayIn(header)
    this.#enter(readPartFields(header, defaultType, this.#mail), next)
  }

  #enter(fields: PartFields, start: number): void {
    const node: MimePart = { ...fields, body: null, parts: [] }
    this.#open.at(-1)?.node.parts.push(node)
    this.#root ??= node
    this.#count++
    this.#node = node
    this.#start = start
    this.#state = 'body'
    if (!fields.boundary || !fields.type.startsWith('multipart/')) return
    if (this.#open.length < this.#maxDepth) this.#open.push({ boundary: encoded(fields.boundary), node })
    else this.#flaws.add('too-deep')
  }

  #finish(at: number, end: number): void {
    if (this.#state === 'header') this.#enterBody(at, at)
    if (this.#state === 'between') this.#stray += written(this.#mail.subarray(this.#start, at))
    if (this.#state === 'body' && this.#node && at > this.#start)
      this.#node.body = this.#mail.subarray(this.#start, end)
  }
}

const none = new Uint8Array(0)

/** Counts the bytes that are no white space. */
function written(bytes: Uint8Array): number {
  let count = 0
  for (const byte of bytes) if (byte > SPACE) count++
  return count
}

/** Counts the bytes before the first part of each multipart. A multipart without parts is shown as text. */
const preambles = ({ body, parts }: MimePart): number =>
  parts.length === 0 ? 0 : parts.reduce((sum, part) => sum + preambles(part), written(body ?? none))

const partField = /^(?:content-|x-|mime-version)[\w-]{0,60}[\t ]{0,9}:/i

/** Counts the bytes of a part's header outside part fields: text that the boundary before it hides. */
function strayIn(header: Uint8Array): number {
  let count = 0
  let isField = false
  for (let at = 0; at < header.length; ) {
    const { end, next } = lineAt(header, at)
    const line = header.subarray(at, end)
    if (line[0] !== SPACE && line[0] !== TAB) isField = partField.test(latin1.decode(line.subarray(0, 100)))
    if (!isField) count += written(line)
    at = next
  }
  return count
}

/** Encodes a boundary as octets: header fields are decoded, but lines of the message are not. */
const encoded = (boundary: string): string =>
  /[^\0-\x7f]/.test(boundary) ? latin1.decode(new TextEncoder().encode(boundary)) : boundary

// White space at the end of a boundary line does not count (RFC 2046 §5.1.1).
function endOfText(mail: Uint8Array, at: number, next: number): number {
  let end = next
  while (end > at && (mail[end - 1] === LF || mail[end - 1] === CR)) end--
  while (end > at && (mail[end - 1] === SPACE || mail[end - 1] === TAB)) end--
  return end
}

function isEmptyLine(mail: Uint8Array, at: number, next: number): boolean {
  return at === next || lineAt(mail, at).end === at
}

function withoutLineBreak(mail: Uint8Array, start: number, at: number): number {
  let end = at
  if (end > start && mail[end - 1] === LF) end--
  return end > start && end < at && mail[end - 1] === CR ? end - 1 : end
}
