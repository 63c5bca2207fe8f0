import type { RawHeaders } from '../headers'
import { htmlToText, textToHtml } from '../html'
import { readText, textOf } from './part-content'
import { type MimePart, readPartTree } from './part-tree'

/** A part beside the body. */
export interface AttachedPart {
  part: MimePart
  /** True where it stands beside HTML that shows it (RFC 2387). */
  isRelated: boolean
}

/** The parts of a mail by what they are for. */
interface BodyParts {
  /** To be read as text: `text/plain`, and `text/html` where that is all there is. */
  text: MimePart[]
  /** To be shown as HTML: `text/html`, and `text/plain` where that is all there is. */
  html: MimePart[]
  attachments: AttachedPart[]
}

/**
 * Tells the body of a mail from what is attached, as JMAP does (RFC 8621 §4.1.4): of alternatives the one of each kind,
 * texts in a row are one body, a named text that does not come first is a file, a message within the mail is a file. The
 * media within the body are listed as attachments.
 */
export function bodyPartsOf(root: MimePart): BodyParts {
  const body: BodyParts = { text: [], html: [], attachments: [] }
  collect([root], 'multipart/mixed', { inAlternative: false, isRelated: false, text: true, html: true }, body)
  return body
}

/** Bodies and attachments of a mail. */
export interface MimeContent {
  /** The mail as a tree of parts. */
  root: MimePart
  /** Empty where the mail has only HTML. */
  text: string
  /** The same where it is what stands in the body of the mail, but for line ends; else null. */
  verbatim: string | null
  html: string | null
  attachments: AttachedPart[]
  /** Names of what was too much to be taken apart. */
  flaws: string[]
}

/**
 * Reads the MIME tree of a mail (RFC 2045): bodies and attachments. Linear time; never throws.
 *
 * @param maxTextLength where the text of HTML beside plain text is cut
 */
export function readMime(
  raw: Uint8Array,
  headers: RawHeaders,
  maxDepth: number,
  maxTextLength?: number,
): MimeContent {
  const { root, flaws } = readPartTree(raw, maxDepth, headers)
  const { text, html, attachments } = bodyPartsOf(root)
  const hasText = !text.every(isHtml)
  const hasHtml = html.some(isHtml)
  if (text[0] === root && !isHtml(root)) {
    const { text, isVerbatim } = readText(root)
    return { root, text: ended(text), verbatim: isVerbatim ? text : null, html: null, attachments, flaws }
  }
  return {
    root,
    text: hasText ? text.map((part) => asText(part, maxTextLength)).join('') : '',
    verbatim: null,
    html: hasHtml ? html.map(asHtml).join('\n') : null,
    attachments,
    flaws,
  }
}

function asText(part: MimePart, maxLength: number | undefined): string {
  return ended(isHtml(part) ? htmlToText(textOf(part), maxLength) : textOf(part))
}

const ended = (text: string): string => (text === '' || text.endsWith('\n') ? text : `${text}\n`)

const asHtml = (part: MimePart): string => (isHtml(part) ? textOf(part) : textToHtml(textOf(part)))

interface Place {
  inAlternative: boolean
  isRelated: boolean
  /** True while parts here still count as the text, and as the HTML, of the mail. */
  text: boolean
  html: boolean
}

function collect(parts: readonly MimePart[], type: string, place: Place, body: BodyParts): void {
  const [texts, htmls] = [body.text.length, body.html.length]
  const root = type === 'multipart/related' ? rootOf(parts) : 0
  for (const [index, part] of parts.entries()) {
    if (part.parts.length > 0) collect(part.parts, part.type, within(part.type, place), body)
    else if (!isBody(part, type, index === root)) body.attachments.push({ part, isRelated: place.isRelated })
    else if (type === 'multipart/alternative') (isHtml(part) ? body.html : body.text).push(part)
    else {
      if (place.inAlternative && isHtml(part)) place.text = false
      else if (place.inAlternative) place.html = false
      if (place.text) body.text.push(part)
      if (place.html) body.html.push(part)
    }
  }
  if (type !== 'multipart/alternative') return
  if (body.text.length === texts) body.text.push(...body.html.slice(htmls))
  else if (body.html.length === htmls) body.html.push(...body.text.slice(texts))
}

const within = (type: string, place: Place): Place => ({
  ...place,
  inAlternative: place.inAlternative || type === 'multipart/alternative',
  isRelated: place.isRelated || type === 'multipart/related',
})

const isHtml = ({ type }: MimePart) => type === 'text/html'

/** Finds the part that the others belong to: the first that can be read, as not all put it first (RFC 2387 §3.2). */
const rootOf = (parts: readonly MimePart[]): number =>
  Math.max(
    0,
    parts.findIndex((part) => part.parts.length > 0 || isReadable(part)),
  )

const isReadable = ({ type, disposition }: MimePart) =>
  disposition !== 'attachment' && (type === 'text/html' || type === 'text/plain')

function isBody({ type, disposition, name }: MimePart, parent: string, isRoot: boolean): boolean {
  if (disposition === 'attachment') return false
  // A multipart without parts has only what stands between them.
  if (type !== 'text/plain' && type !== 'text/html' && !type.startsWith('multipart/')) return false
  if (isRoot || parent === 'multipart/alternative') return true
  return parent !== 'multipart/related' && name === null
}
