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
/** Characters read of a field, and of From. */
const [MAX_FIELD, MAX_FROM] = [100 * 1024, 4 * 1024]
/** Signature fields, which are skipped if they are longer: no signer needs that much. */
const SIGNATURE = /^(?:dkim-signature|arc-(?:seal|message-signature|authentication-results))$/i
const MAX_SIGNATURE = 8 * 1024
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })

/**
 * Flaw of a message whose header has a NUL, or a CR that ends no line: it proves nothing about its sender.
 */
export const malformedHeader = 'header-malformed'

/** A header block as read from the wire; values are unfolded but not yet decoded (RFC 2047). */
export interface RawHeaders {
  fields: MailHeader[]
  /** False if the block or a field exceeded its limit: the rest is not in `fields`. */
  isComplete: boolean
  /**
   * False if it is uncertain which content a signature covers. A signature may be missing in `fields` (too
   * long, or too many fields), or a line was joined with the field above it.
   */
  hasSureSignatures: boolean
  /**
   * True if the block has a NUL, or a CR that ends no line: such a message proves nothing about its sender.
   */
  hasStrayControl: boolean
  /** Offset of the body: after the empty line, or the end of the message. */
  bodyStart: number
  /** True if no empty line ends the header. */
  isUnended: boolean
}

/**
 * Reads at most `maxBytes` of the top header of a message (RFC 5322 §2.2) in one pass. Lines end as in
 * `lineAt`. Joins folded lines and skips lines that are no field, such as an mbox `From ` line. Never throws.
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

/** Decodes encoded words (RFC 2047) and makes the value fit for storage. */
export function decodeHeader(value: string): string {
  if (!value.includes('=?')) return wellFormed(value)
  return wellFormed(decodeWords(value.replace(ASKING_WORD, withoutMarks)))
}

/** Words with bare question marks, which should be encoded (RFC 2047 §4.2). */
const ASKING_WORD =
  /(=\?[\w.:*-]{1,60}\?q\?)([^\s?]{0,300}(?:\?(?!=(?![\dA-F]{2}))[^\s?]{0,300}){1,10})(?=\?=(?!\S))/gi
const withoutMarks = (_: string, head: string, text: string): string => head + text.replaceAll('?', '=3F')

// Words with bare letters beyond ASCII, already decoded with the header.
const BARE_WORD = /=\?[\w.:*-]{1,60}\?q\?(?=[^?=]{0,500}[^\0-\x7f])([^?=]{1,500})\?=/gi

const reencoded = (_: string, text: string): string =>
  `=?utf-8?Q?${text.replace(/[^\0-\x7f]/gu, (letter) => encodeURIComponent(letter).replaceAll('%', '='))}?=`

/** Returns the first raw field of that name (lower case); undefined if missing. */
export function headerValue(fields: readonly MailHeader[], name: string): string | undefined {
  return fields.find((field) => field.name.length === name.length && field.name.toLowerCase() === name)?.value
}

/** Returns all raw fields of that name (lower case). */
export function headerValues(fields: readonly MailHeader[], name: string): string[] {
  const values: string[] = []
  for (const field of fields)
    if (field.name.length === name.length && field.name.toLowerCase() === name) values.push(field.value)
  return values
}

/**
 * Returns the lines of a header block as text, without line ends. Decodes each field separately, since
 * several programs write them: one in UTF-8 stays so beside others (RFC 6532).
 *
 * @param raw the whole message, whose parts may declare the sender's charset
 */
function linesOf(block: Uint8Array, raw: Uint8Array): string[] {
  const text = utf8.decode(block)
  if (!text.includes('\ufffd') && !text.includes('\u001b')) return text.split('\n').map(withoutReturns)
  const charset = charsetOf(raw)
  const lines: string[] = []
  // Find lines and names before decoding: some charsets write ASCII in other bytes as well.
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

/** Decodes the lines of one field, its name separately. */
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

/** Returns whether bytes are valid UTF-8: U+FFFD may be part of the text, not only a mark of errors. */
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

/** Bytes of a message that are searched for its sender's charset. */
const MAX_LOOKED_AT = 16 * 1024
const latin1 = new TextDecoder('latin1')

/**
 * Returns the charset of a header that is not UTF-8. Old programs write their own charset, and the first one
 * that a part declares is the best guess. Null for none, for UTF-7, which must give no address, and for a
 * charset with other bytes for ASCII, such as UTF-16.
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
  /** True if a field exceeded its limit. */
  isCut: boolean
}

function splitFields(lines: readonly string[]): SplitFields {
  const fields: MailHeader[] = []
  let isCut = false
  let hasSureSignatures = true
  let folded = ''
  /** True while the current field is Content-Type. */
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
    // DKIM takes a line with a colon as a field, which anybody may have added below a signed Content-Type.
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

/** A Content-Type parameter whose line should have been folded. */
const UNFOLDED_PARAMETER = /^(?:boundary|charset)\s{0,3}=[^:]*$/i
const CONTENT_TYPE = /^content-type[\t ]{0,9}:/i

function maxLengthOf(name: string): number {
  if (SIGNATURE.test(name)) return MAX_SIGNATURE
  return name.toLowerCase() === 'from' ? MAX_FROM : MAX_FIELD
}

function toField(line: string): MailHeader | null {
  const colon = line.indexOf(':')
  let end = Math.max(colon, 0)
  // Obsolete syntax has blanks before the colon (RFC 5322 §4.5); any other character makes another name.
  while (line[end - 1] === ' ' || line[end - 1] === '\t') end--
  const name = line.slice(0, end)
  if (!name || name.length > 200 || /[^!-~]/.test(name)) return null
  const written = line.slice(colon + 1)
  const value = (written.includes('\r') ? written.replace(/\r+/g, ' ') : written).trim()
  return { name, value: value.includes('=?') ? value.replace(BARE_WORD, reencoded) : value }
}
