import { decode, decodeText } from '../charsets/charset'
import { decodeWords } from '../charsets/encoded-words'
import { truncated, wellFormed } from '../text/safe-text'
import { hasStrayControl, headerBlockOf, lineAt } from './line-reader'

/** A header field in its original order and case, unfolded and decoded (RFC 2047). */
export interface MailHeader {
  name: string
  value: string
}

const [TAB, SPACE, COLON] = [9, 32, 58]
const maxHeaders = 1000
/** Characters read of a field, and of From. */
const [MAX_FIELD, MAX_FROM] = [100 * 1024, 4 * 1024]
/** Signature fields, which are skipped if they are longer: no signer needs that much. */
const signature = /^(?:dkim-signature|arc-(?:seal|message-signature|authentication-results))$/i
const maxSignature = 8 * 1024
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
  /** True if the charset of a field was guessed: its bytes are neither UTF-8 nor in a declared charset. */
  isGuessed: boolean
}

/**
 * Reads at most `maxBytes` of the top header of a message (RFC 5322 §2.2) in one pass. Lines end as in
 * `lineAt`. Joins folded lines and skips lines that are no field, such as an mbox `From ` line. Never throws.
 *
 * @param mail the whole message, if `raw` is a part: another part may declare the charset of its bytes
 */
export function readHeaders(raw: Uint8Array, maxBytes: number, mail = raw): RawHeaders {
  const { start, end, bodyStart, isUnended } = headerBlockOf(raw)
  const { lines, isGuessed } = linesOf(raw.subarray(start, Math.min(end, start + maxBytes)), mail)
  const { fields, isCut, hasSureSignatures } = splitFields(lines)
  return {
    fields,
    isComplete: end - start <= maxBytes && !isCut,
    hasSureSignatures: hasSureSignatures && end - start <= maxBytes,
    hasStrayControl: hasStrayControl(raw.subarray(0, bodyStart)),
    bodyStart,
    isUnended,
    isGuessed,
  }
}

/** Decodes encoded words (RFC 2047) and makes the value fit for storage. */
export function decodeHeader(value: string): string {
  return readHeader(value).text
}

/** As {@link decodeHeader}; tells whether the charset of a word was guessed. */
export function readHeader(value: string): { text: string; isGuessed: boolean } {
  if (!value.includes('=?')) return { text: wellFormed(value), isGuessed: false }
  const { text, isGuessed } = decodeWords(value.replace(askingWord, withoutMarks))
  return { text: wellFormed(text), isGuessed }
}

/** Words with bare question marks, which should be encoded (RFC 2047 §4.2). */
const askingWord =
  /(=\?[\w.:*-]{1,60}\?q\?)([^\s?]{0,300}(?:\?(?!=(?![\dA-F]{2}))[^\s?]{0,300}){1,10})(?=\?=(?!\S))/gi
const withoutMarks = (_: string, head: string, text: string): string => head + text.replaceAll('?', '=3F')

// Words with bare letters beyond ASCII, already decoded with the header.
const bareWord = /=\?[\w.:*-]{1,60}\?q\?(?=[^?=]{0,500}[^\0-\x7f])([^?=]{1,500})\?=/gi

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
 * @param mail the whole message, whose parts may declare the sender's charset
 */
function linesOf(block: Uint8Array, mail: Uint8Array): Lines {
  const text = utf8.decode(block)
  const { lines, isGuessed } = decodedLines(text, block, mail)
  if (!unknownLabel.test(text)) return { lines, isGuessed }
  const charset = charsetOf(mail)
  const named = charset === null ? lines : lines.map((line) => line.replace(unknownWord, `=?${charset}`))
  return { lines: named, isGuessed: true }
}

/** Lines of a header block, and whether the charset of one was guessed. */
interface Lines {
  lines: string[]
  isGuessed: boolean
}

/** The label of an encoded word in the charset of its message (RFC 1428 section 3). */
const unknownWord = /=\?(?:unknown-8bit|x-unknown|unknown)(?=[?*])/gi
const unknownLabel = new RegExp(unknownWord.source, 'i')

function decodedLines(text: string, block: Uint8Array, mail: Uint8Array): Lines {
  if (!text.includes('\ufffd') && !mayShift(text))
    return { lines: text.split('\n').map(withoutReturns), isGuessed: false }
  const charset = declaredIn(block) || charsetOf(mail)
  const lines: string[] = []
  let isGuessed = false
  // Find lines and names before decoding: some charsets write ASCII in other bytes as well.
  for (let at = 0; at < block.length; ) {
    const field: Uint8Array[] = []
    do {
      const { end, next } = lineAt(block, at)
      field.push(block.subarray(at, end))
      at = next
    } while (at < block.length && isBlank(block[at]))
    const read = decodedField(field, charset)
    lines.push(...read.lines)
    isGuessed ||= read.isGuessed
  }
  return { lines, isGuessed }
}

/** Returns whether text may be in a charset that writes other letters with ASCII bytes. */
const mayShift = (text: string): boolean => text.includes('\u001b') || text.includes('~{')

const isBlank = (byte: number | undefined): boolean => byte === SPACE || byte === TAB

/** Decodes the lines of one field, its name separately. */
function decodedField(written: readonly Uint8Array[], charset: string | null): Lines {
  const [first, ...folded] = written as [Uint8Array, ...Uint8Array[]]
  const valueStart = isBlank(first[0]) ? 0 : first.indexOf(COLON) + 1
  const values = [first.subarray(valueStart), ...folded]
  const decoded = values.map((value) => utf8.decode(value))
  const isUtf8 = decoded.every((text, at) => isDecoded(text, values[at]!) && !mayShift(text))
  const read = isUtf8 ? [] : values.map((value) => decodedValue(value, charset))
  const lines = isUtf8 ? decoded : read.map(({ text }) => text)
  lines[0] = utf8.decode(first.subarray(0, valueStart)) + lines[0]
  return { lines, isGuessed: read.some((one) => one.isGuessed) }
}

const encoder = new TextEncoder()

/** Returns whether bytes are valid UTF-8: U+FFFD may be part of the text, not only a mark of errors. */
function isDecoded(text: string, bytes: Uint8Array): boolean {
  if (!text.includes('\ufffd')) return true
  const encoded = encoder.encode(text)
  return encoded.length === bytes.length && encoded.every((byte, at) => byte === bytes[at])
}

function decodedValue(value: Uint8Array, charset: string | null): { text: string; isGuessed: boolean } {
  const read = decode(value, charset)
  const isWrong = read.text.includes('\ufffd')
  const { text, isGuessed, isUtf8 } = isWrong ? decode(value, null) : read
  return { text, isGuessed: isGuessed || (!isUtf8 && (isWrong || charset === null)) }
}

function withoutReturns(line: string): string {
  let end = line.length
  while (line.charCodeAt(end - 1) === 13) end--
  return end === line.length ? line : line.slice(0, end)
}

/** Bytes of a message that are searched for its sender's charset. */
const maxLookedAt = 16 * 1024
const latin1 = new TextDecoder('latin1')

/**
 * Returns the charset of a header that is not UTF-8. Old programs write their own charset, and the first one
 * that a part declares is the best guess. Null for none, for UTF-7, which must give no address, and for a
 * charset with other bytes for ASCII, such as UTF-16.
 */
function charsetOf(mail: Uint8Array): string | null {
  const known = charsets.get(mail)
  if (known !== undefined) return known
  const charset = declaredIn(mail)
  charsets.set(mail, charset)
  return charset
}

/** Charsets of messages: each of many parts may ask for that of its message. */
const charsets = new WeakMap<Uint8Array, string | null>()

function declaredIn(bytes: Uint8Array): string | null {
  const head = latin1.decode(bytes.subarray(0, maxLookedAt))
  const declared = /charset\s{0,9}=\s{0,9}"?([\w.:-]{1,40})/i.exec(head)?.[1] ?? ''
  const isUsable = declared !== '' && !/utf-?7/i.test(declared) && decodeText(ascii, declared) === asciiText
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
    if (field.value.length > max && signature.test(field.name)) {
      hasSureSignatures = false
      return
    }
    isCut ||= field.value.length > max
    fields.push(field.value.length > max ? { ...field, value: truncated(field.value, max) } : field)
  }
  for (const line of lines) {
    // DKIM takes a line with a colon as a field, which anybody may have added below a signed Content-Type.
    const isJoined = isContentType && unfoldedParameter.test(line)
    if (isJoined) hasSureSignatures = false
    const isContinuation = line.startsWith(' ') || line.startsWith('\t') || isJoined
    if (!isContinuation) {
      if (fields.length === maxHeaders) return { fields, isCut, hasSureSignatures: false }
      finish()
      folded = ''
      isContentType = contentType.test(line)
    }
    folded += isContinuation && folded !== '' && !/^\s/.test(line) ? ` ${line}` : line
  }
  finish()
  const isWhole = fields.length <= maxHeaders
  return { fields: fields.slice(0, maxHeaders), isCut, hasSureSignatures: hasSureSignatures && isWhole }
}

/** A Content-Type parameter whose line should have been folded. */
const unfoldedParameter = /^(?:boundary|charset)\s{0,3}=[^:]*$/i
const contentType = /^content-type[\t ]{0,9}:/i

function maxLengthOf(name: string): number {
  if (signature.test(name)) return maxSignature
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
  return { name, value: value.includes('=?') ? value.replace(bareWord, reencoded) : value }
}
