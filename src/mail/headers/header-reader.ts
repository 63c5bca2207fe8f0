import { decodeText, decodeWords } from '../charsets'
import { truncated, wellFormed } from '../text'
import { hasStrayControl, headerBlockOf, lineAt } from './line-reader'

/** A header field in its original order and case, unfolded and decoded (RFC 2047). */
export interface MailHeader {
  name: string
  value: string
}

const [TAB, SPACE, COLON] = [9, 32, 58]
const MAX_HEADERS = 1000
/** Characters of a field that are read, and of From. */
const [MAX_FIELD, MAX_FROM] = [100 * 1024, 4 * 1024]
/** Fields of signatures and chains, which are left out if they are longer: no signer needs as much. */
const SIGNATURE = /^(?:dkim-signature|arc-(?:seal|message-signature|authentication-results))$/i
const MAX_SIGNATURE = 8 * 1024
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })

/** The flaw of a message whose header has a NUL, or a CR that ends no line: nothing of its sender is proven. */
export const malformedHeader = 'header-malformed'

/** A header block as read from the wire; values are unfolded but not yet decoded (RFC 2047). */
export interface RawHeaders {
  fields: MailHeader[]
  /** False if the block or a field was longer than its limit: the rest is not in `fields`. */
  isComplete: boolean
  /**
   * False if what a signature covers is not sure: one may be missing in `fields`, since it was too long or there were too many
   * fields, or a line was joined with the field above it.
   */
  hasSureSignatures: boolean
  /** True if the block holds a NUL, or a CR that ends no line: such a message proves nothing of its sender. */
  hasStrayControl: boolean
  /** Offset of the body: after the empty line, or the end of the mail. */
  bodyStart: number
  /** True if no empty line ends the header. */
  isUnended: boolean
}

/**
 * Reads the top header of a message (RFC 5322 §2.2) in one pass, of which at most `maxBytes` are taken. Lines end as
 * `lineAt` reads them. Folded lines are joined; lines that are no field, such as an mbox `From ` line, are left out.
 * Never throws.
 */
export function readHeaders(raw: Uint8Array, maxBytes: number): RawHeaders {
  const { start, end, bodyStart, isUnended } = headerBlockOf(raw)
  const { fields, isCut, hasSureSignatures } = splitFields(
    linesOf(raw.subarray(start, Math.min(end, start + maxBytes)), raw),
  )
  return {
    fields,
    isComplete: end - start <= maxBytes && !isCut,
    hasSureSignatures: hasSureSignatures && end - start <= maxBytes,
    hasStrayControl: hasStrayControl(raw.subarray(0, bodyStart)),
    bodyStart,
    isUnended,
  }
}

/** Decodes RFC 2047 words and makes the value fit for storage. */
export function decodeHeader(value: string): string {
  if (!value.includes('=?')) return wellFormed(value)
  return wellFormed(decodeWords(value.replace(ASKING_WORD, withoutMarks)))
}

/** Words with question marks in them that should have been encoded (RFC 2047 §4.2). */
const ASKING_WORD =
  /(=\?[\w.:*-]{1,60}\?q\?)([^\s?]{0,300}(?:\?(?!=(?![\dA-F]{2}))[^\s?]{0,300}){1,10})(?=\?=(?!\S))/gi
const withoutMarks = (_: string, head: string, text: string): string => head + text.replaceAll('?', '=3F')

// Words with bare letters beyond ASCII in them, which were decoded with the header already.
const BARE_WORD = /=\?[\w.:*-]{1,60}\?q\?(?=[^?=]{0,500}[^\0-\x7f])([^?=]{1,500})\?=/gi

const reencoded = (_: string, text: string): string =>
  `=?utf-8?Q?${text.replace(/[^\0-\x7f]/gu, (letter) => encodeURIComponent(letter).replaceAll('%', '='))}?=`

/** Gives the first field of that name (lower case), raw; undefined when missing. */
export function headerValue(fields: readonly MailHeader[], name: string): string | undefined {
  return fields.find((field) => field.name.length === name.length && field.name.toLowerCase() === name)?.value
}

/** Gives all fields of that name (lower case), raw. */
export function headerValues(fields: readonly MailHeader[], name: string): string[] {
  const values: string[] = []
  for (const field of fields)
    if (field.name.length === name.length && field.name.toLowerCase() === name) values.push(field.value)
  return values
}

/**
 * The lines of a header block as text, without their ends. Fields are decoded one by one, as several programs write them:
 * one that is UTF-8 stays so beside others that are not (RFC 6532).
 *
 * @param raw the whole message, of which parts may say in which charset its sender writes
 */
function linesOf(block: Uint8Array, raw: Uint8Array): string[] {
  const text = utf8.decode(block)
  if (!text.includes('\ufffd') && !text.includes('\u001b')) return text.split('\n').map(withoutReturns)
  const charset = charsetOf(raw)
  const lines: string[] = []
  // Lines and names are found before anything is decoded: some charsets write ASCII by other bytes, too.
  for (let at = 0; at < block.length; ) {
    const field: Uint8Array[] = []
    do {
      const { end, next } = lineAt(block, at)
      field.push(block.subarray(at, end))
      at = next
    } while (at < block.length && isBlank(block[at]))
    lines.push(...decodedField(field, charset))
  }
  return lines
}

const isBlank = (byte: number | undefined): boolean => byte === SPACE || byte === TAB

/** Decodes the lines of one field, its name apart. */
function decodedField(lines: readonly Uint8Array[], charset: string | null): string[] {
  const [first, ...folded] = lines as [Uint8Array, ...Uint8Array[]]
  const valueStart = isBlank(first[0]) ? 0 : first.indexOf(COLON) + 1
  const values = [first.subarray(valueStart), ...folded]
  const decoded = values.map((value) => utf8.decode(value))
  const isUtf8 = decoded.every((text, at) => isDecoded(text, values[at]!) && !text.includes('\u001b'))
  const texts = isUtf8 ? decoded : values.map((value) => decodedValue(value, charset))
  texts[0] = utf8.decode(first.subarray(0, valueStart)) + texts[0]
  return texts
}

const encoder = new TextEncoder()

/** Tells whether bytes are the UTF-8 of a text: U+FFFD may stand in them, and not only in place of an error. */
function isDecoded(text: string, bytes: Uint8Array): boolean {
  if (!text.includes('\ufffd')) return true
  const encoded = encoder.encode(text)
  return encoded.length === bytes.length && encoded.every((byte, at) => byte === bytes[at])
}

function decodedValue(value: Uint8Array, charset: string | null): string {
  const text = decodeText(value, charset)
  return text.includes('\ufffd') ? decodeText(value, null) : text
}

function withoutReturns(line: string): string {
  let end = line.length
  while (line.charCodeAt(end - 1) === 13) end--
  return end === line.length ? line : line.slice(0, end)
}

/** Bytes of a message in which the charset of its sender is looked for. */
const MAX_LOOKED_AT = 16 * 1024
const latin1 = new TextDecoder('latin1')

/**
 * Returns the charset of a header that is no UTF-8: old programs write their own into it, and the first that a part
 * declares is the best guess. Null without one, for UTF-7, out of which no address may come, and for a charset that
 * writes ASCII by other bytes: in UTF-16 a header would be another one.
 */
function charsetOf(raw: Uint8Array): string | null {
  const head = latin1.decode(raw.subarray(0, MAX_LOOKED_AT))
  const declared = /charset\s{0,9}=\s{0,9}"?([\w.:-]{1,40})/i.exec(head)?.[1] ?? ''
  const isUsable = !/utf-?7/i.test(declared) && decodeText(ascii, declared) === asciiText
  return isUsable ? declared : null
}

const asciiText = 'From: a@b\r\n'
const ascii = new TextEncoder().encode(asciiText)

interface SplitFields extends Pick<RawHeaders, 'fields' | 'hasSureSignatures'> {
  /** True if a field was longer than its limit. */
  isCut: boolean
}

function splitFields(lines: readonly string[]): SplitFields {
  const fields: MailHeader[] = []
  let isCut = false
  let hasSureSignatures = true
  let folded = ''
  /** True if the field that is read is Content-Type. */
  let isContentType = false
  const finish = () => {
    const field = toField(folded)
    if (!field) return
    const max = maxLengthOf(field.name)
    if (field.value.length > max && SIGNATURE.test(field.name)) {
      hasSureSignatures = false
      return
    }
    isCut ||= field.value.length > max
    fields.push(field.value.length > max ? { ...field, value: truncated(field.value, max) } : field)
  }
  for (const line of lines) {
    // A line with a colon is a field: for DKIM it is one, so that somebody may have added it below a signed Content-Type.
    const isJoined = isContentType && UNFOLDED_PARAMETER.test(line)
    if (isJoined) hasSureSignatures = false
    const isContinuation = line.startsWith(' ') || line.startsWith('\t') || isJoined
    if (!isContinuation) {
      if (fields.length === MAX_HEADERS) return { fields, isCut, hasSureSignatures: false }
      finish()
      folded = ''
      isContentType = CONTENT_TYPE.test(line)
    }
    folded += isContinuation && folded !== '' && !/^\s/.test(line) ? ` ${line}` : line
  }
  finish()
  const isWhole = fields.length <= MAX_HEADERS
  return { fields: fields.slice(0, MAX_HEADERS), isCut, hasSureSignatures: hasSureSignatures && isWhole }
}

/** A parameter of Content-Type whose line should have been folded. */
const UNFOLDED_PARAMETER = /^(?:boundary|charset)\s{0,3}=[^:]*$/i
const CONTENT_TYPE = /^content-type[\t ]{0,9}:/i

function maxLengthOf(name: string): number {
  if (SIGNATURE.test(name)) return MAX_SIGNATURE
  return name.toLowerCase() === 'from' ? MAX_FROM : MAX_FIELD
}

function toField(line: string): MailHeader | null {
  const colon = line.indexOf(':')
  let end = Math.max(colon, 0)
  // Obsolete syntax has blanks before the colon (RFC 5322 §4.5); any other character makes it another name.
  while (line[end - 1] === ' ' || line[end - 1] === '\t') end--
  const name = line.slice(0, end)
  if (!name || name.length > 200 || /[^!-~]/.test(name)) return null
  const written = line.slice(colon + 1)
  const value = (written.includes('\r') ? written.replace(/\r+/g, ' ') : written).trim()
  return { name, value: value.includes('=?') ? value.replace(BARE_WORD, reencoded) : value }
}
