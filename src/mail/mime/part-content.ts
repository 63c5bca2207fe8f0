import { charsetOfHtml, decode } from '../charsets/charset'
import type { MimePart } from './mime-part'
import { decodeBase64, decodeQuotedPrintable, decodeUuencode, hasWords } from './transfer-encodings'

/** Returns the decoded octets of a part (RFC 2045 §6), or of its first `maxBytes` encoded bytes. */
export function contentOf({ body, encoding, type }: MimePart, maxBytes?: number): Uint8Array {
  if (!body) return new Uint8Array(0)
  const written = maxBytes === undefined ? body : body.subarray(0, maxBytes)
  if (encoding === 'base64') return decodeBase64(written, type.startsWith('text/'))
  if (encoding === 'quoted-printable') return decodeQuotedPrintable(written)
  return encoding === 'uuencode' ? decodeUuencode(written) : written
}

/** Returns the text of a part with LF line ends; flowed lines are joined (RFC 3676). */
export const textOf = (part: MimePart, maxBytes?: number): string => readText(part, maxBytes).text

/** Text of a part, and whether the message has it unchanged, except for line ends. */
interface PartText {
  text: string
  isVerbatim: boolean
  /** Names of contradictions to its header. */
  flaws: string[]
}

/** As {@link textOf}. */
export function readText(part: MimePart, maxBytes?: number): PartText {
  const content = contentOf(part, maxBytes)
  const isHtml = part.type === 'text/html'
  const decoded = decode(content, part.charset ?? (isHtml ? charsetOfHtml(content) : null))
  const written = decoded.text.includes('\r') ? decoded.text.replaceAll('\r\n', '\n') : decoded.text
  const text = part.isFlowed && !isHtml ? unflow(written, part.deletesSpace) : plainOf(part.type, written)
  const flaws = decoded.isGuessed ? ['charset-guessed'] : []
  if (part.encoding === 'base64' && part.body && hasWords(part.body)) flaws.push('base64-with-words')
  return { text, isVerbatim: decoded.isUtf8 && part.encoding === 'identity' && text === written, flaws }
}

/** Removes the commands of enriched text (RFC 1896) and keeps its words. */
function plainOf(type: string, text: string): string {
  if (type !== 'text/enriched' && type !== 'text/richtext') return text
  return text
    .replace(/<param>[^<]{0,200}<\/param>/gi, '')
    .replace(/<(\/?[a-z][a-z\d-]{0,60})>|<</gi, (_, command) => (command ? '' : '<'))
}

/**
 * Joins the flowed lines of a text (RFC 3676 §4). Never joins lines of different quote depth; puts one space
 * after quote marks. Linear time.
 */
function unflow(text: string, deleteSpace: boolean): string {
  const result: string[] = []
  const paragraph: string[] = []
  let depth = 0
  for (const line of text.split(/\r\n|\r|\n/)) {
    const lineDepth = quoteDepth(line)
    const content = line.slice(line[lineDepth] === ' ' ? lineDepth + 1 : lineDepth)
    if (paragraph.length > 0 && lineDepth !== depth) result.push(quoted(paragraph.splice(0), depth))
    depth = lineDepth
    const isSoft = content.endsWith(' ') && content !== '-- '
    paragraph.push(isSoft && deleteSpace ? content.slice(0, -1) : content)
    if (!isSoft) result.push(quoted(paragraph.splice(0), depth))
  }
  if (paragraph.length > 0) result.push(quoted(paragraph, depth))
  return result.join('\n')
}

function quoteDepth(line: string): number {
  let depth = 0
  while (line[depth] === '>') depth++
  return depth
}

function quoted(paragraph: string[], depth: number): string {
  const text = paragraph.join('')
  return depth > 0 ? `${'>'.repeat(depth)} ${text}`.trimEnd() : text
}
