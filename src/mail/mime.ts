import { type BodyParts, bodyPartsOf } from './body-parts'
import type { RawHeaders } from './header-reader'
import { htmlToText } from './html-to-text'
import { textOf } from './part-content'
import { type MimePart, readPartTree } from './part-tree'
import { textToHtml } from './text-to-html'

/** Bodies and attachments of a mail. */
export interface MimeContent {
  /** Empty where the mail has only HTML. */
  text: string
  html: string | null
  attachments: BodyParts['attachments']
  /** What was too much to be taken apart. */
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
  return {
    text: hasText ? text.map((part) => asText(part, maxTextLength)).join('') : '',
    html: hasHtml ? html.map(asHtml).join('\n') : null,
    attachments,
    flaws,
  }
}

const isHtml = ({ type }: MimePart) => type === 'text/html'

function asText(part: MimePart, maxLength: number | undefined): string {
  const text = isHtml(part) ? htmlToText(textOf(part), maxLength) : textOf(part)
  return text === '' || text.endsWith('\n') ? text : `${text}\n`
}

const asHtml = (part: MimePart): string => (isHtml(part) ? textOf(part) : textToHtml(textOf(part)))
