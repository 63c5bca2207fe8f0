import type { RawHeaders } from '../headers/header-reader'
import { htmlToText } from '../html/html-to-text'
import { textToHtml } from '../html/text-to-html'
import { withInlineFiles } from './inline-files'
import { leavesOf, type MimePart } from './mime-part'
import { readText } from './part-content'
import { readPartTree } from './part-tree'
import { filesOfTnef } from './tnef'

/** A part outside the body. */
export interface AttachedPart {
  part: MimePart
  /** True if it is beside HTML that shows it (RFC 2387). */
  isRelated: boolean
}

/** Parts of a message by purpose. */
interface BodyParts {
  /** To be read as text: `text/plain`, or `text/html` if there is no other. */
  text: MimePart[]
  /** To be shown as HTML: `text/html`, or `text/plain` if there is no other. */
  html: MimePart[]
  attachments: AttachedPart[]
}

/**
 * Separates the body of a message from its attachments, as JMAP does (RFC 8621 §4.1.4). Media within the body
 * are listed as attachments.
 *
 * - Of alternatives, one of each kind is body.
 * - Adjacent texts are one body.
 * - A named text that does not come first is a file, and so is a message within the message.
 * - Files in a `winmail.dat` of Outlook are attachments too, beside it.
 */
export function bodyPartsOf(root: MimePart): BodyParts {
  const body: BodyParts = { text: [], html: [], attachments: [] }
  const place = { inAlternative: false, isRelated: false, text: true, html: true, only: onlyText(root) }
  collect([root], 'multipart/mixed', place, body)
  // After all others, whose positions stay as they were.
  const packed = body.attachments.flatMap(({ part }) => filesOfTnef(part))
  body.attachments.push(...packed.map((part) => ({ part, isRelated: false })))
  return body
}

/** Text types that are files even if there is no other text. */
const textFile =
  /^text\/(?:calendar|x-vcalendar|csv|x-csv|tab-separated-values|vcard|x-vcard|directory|x-amp-html|rfc822-headers|x-(?:diff|patch)|css|javascript|xml)$/

const isOtherText = ({ type, disposition, name }: MimePart): boolean =>
  type.startsWith('text/') && disposition !== 'attachment' && name === null && !textFile.test(type)

/**
 * Finds the text of a message without `text/plain` and `text/html`: a text of another type is shown as plain
 * text (RFC 2046 section 4.1.4). Beside one of the two it is a file.
 */
function onlyText(root: MimePart): MimePart | undefined {
  const leaves = leavesOf(root)
  return leaves.some(isReadable) ? undefined : leaves.find(isOtherText)
}

/** Bodies and attachments of a message. */
export interface MimeContent {
  /** The message as a tree of parts. */
  root: MimePart
  /** Empty if the message has only HTML. */
  text: string
  /** The text if it is in the body of the message unchanged, except for line ends; else null. */
  verbatim: string | null
  html: string | null
  attachments: AttachedPart[]
  /** Limits that were exceeded, and contradictions between header and content. */
  flaws: string[]
}

/**
 * Reads the MIME tree of a message (RFC 2045): bodies and attachments. Linear time; never throws.
 *
 * @param maxTextLength limit for the text of HTML beside plain text
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
    const { text, isVerbatim, flaws: more } = readText(root)
    const verbatim = isVerbatim ? text : null
    return { root, text: ended(text), verbatim, html: null, attachments, flaws: [...flaws, ...more] }
  }
  const read = new Map([...new Set([...text, ...html])].map((part) => [part, readText(part)]))
  const textOf = (part: MimePart): string => read.get(part)!.text
  const pages = text.filter(isHtml).length
  const asText = (part: MimePart): string =>
    ended(isHtml(part) ? htmlToText(textOf(part), maxTextLength, pages) : textOf(part))
  const asHtml = (part: MimePart): string => (isHtml(part) ? textOf(part) : textToHtml(textOf(part)))
  return {
    root,
    text: hasText ? text.map(asText).join('') : '',
    verbatim: null,
    html: hasHtml ? html.map(asHtml).join('\n') : null,
    attachments,
    flaws: [...new Set([...flaws, ...[...read.values()].flatMap((one) => one.flaws)])],
  }
}

const ended = (text: string): string => (text === '' || text.endsWith('\n') ? text : `${text}\n`)

interface Place {
  inAlternative: boolean
  isRelated: boolean
  /** True while parts here still count as the text, and as the HTML, of the message. */
  text: boolean
  html: boolean
  /** Text of another type that is the whole body. */
  only: MimePart | undefined
}

function collect(parts: readonly MimePart[], type: string, place: Place, body: BodyParts): void {
  const [texts, htmls] = [body.text.length, body.html.length]
  const root = type === 'multipart/related' ? rootOf(parts) : 0
  for (const [index, part] of parts.entries()) {
    const parts = part.parts.length > 0 ? part.parts : withInlineFiles(part)
    if (parts) collect(parts, part.type, within(part.type, place), body)
    else if (part !== place.only && !isBody(part, type, index === root))
      body.attachments.push({ part, isRelated: place.isRelated })
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

/**
 * Finds the root of related parts: the first readable one, since not all programs put it first (RFC 2387
 * §3.2).
 */
const rootOf = (parts: readonly MimePart[]): number =>
  Math.max(
    0,
    parts.findIndex((part) => part.parts.length > 0 || isReadable(part)),
  )

const isReadable = ({ type, disposition }: MimePart) =>
  disposition !== 'attachment' && (type === 'text/html' || type === 'text/plain')

function isBody({ type, disposition, name }: MimePart, parent: string, isRoot: boolean): boolean {
  if (disposition === 'attachment') return false
  // A multipart without parts has only its own text.
  if (type !== 'text/plain' && type !== 'text/html' && !type.startsWith('multipart/')) return false
  if (isRoot || parent === 'multipart/alternative') return true
  return parent !== 'multipart/related' && name === null
}
