import { decodeText } from '../charsets/charset'

const maxValueLength = 8000
const maxParameters = 200
const maxSections = 100

/** A parsed field such as Content-Type (RFC 2045 §5.1). */
interface Parameters {
  /** Value before the parameters, in lower case and without comments. */
  value: string
  /** Decoded values (RFC 2231) by lower-case name; encoded words (RFC 2047) in them stay encoded. */
  parameters: ReadonlyMap<string, string>
}

/**
 * Parses a field with parameters, even a malformed one. Unquoted values may have spaces, and the first of two
 * parameters with the same name counts. Joins values in pieces and decodes charsets (RFC 2231). Linear time;
 * never throws.
 */
export function readParameters(field: string): Parameters {
  return field === '' ? none : taken(field)
}

const none: Parameters = { value: '', parameters: new Map() }

function taken(field: string): Parameters {
  const pieces = divided(field.slice(0, maxValueLength).replace(undivided, '$1; '))
  const raw = new Map<string, string>()
  for (const piece of pieces.slice(1, maxParameters)) {
    const equals = piece.indexOf('=')
    const name = piece.slice(0, Math.max(equals, 0)).trim().toLowerCase()
    if (name && !raw.has(name)) raw.set(name, parameterValue(piece.slice(equals + 1).trim()))
  }
  const value = withoutComments(pieces[0] ?? '')
    .replace(/["\s]+|,\s*$/g, '')
    .toLowerCase()
  return { value, parameters: joined(raw) }
}

/** A first parameter without the semicolon before it, or without any value before it. */
const undivided =
  /^(\s{0,9}(?:[\w.+-]{1,80}(?:\/[\w.+-]{1,80})?[\s,]{1,9})?)(?=(?:name|filename|charset|boundary|format)\*?\d?\*?\s?=)/i

/** Splits a field at semicolons outside quotes. */
function divided(field: string): string[] {
  const pieces: string[] = []
  let start = 0
  let isQuoted = false
  for (let at = 0; at < field.length; at++) {
    const character = field[at]
    if (isQuoted && character === '\\') at++
    else if (character === '"') isQuoted = !isQuoted
    const isEnd = !isQuoted && (character === ';' || beginsParameter(field, at))
    if (!isEnd) continue
    pieces.push(field.slice(start, character === '"' ? at + 1 : at))
    start = at + 1
  }
  // A quote that never ends is text.
  if (isQuoted && pieces.length === 0) return field.split(';')
  pieces.push(field.slice(start))
  return pieces
}

const known =
  /^\s{1,20}(?:name|filename|charset|boundary|format|delsp|type|size|protocol|micalg|smime-type|report-type|x-[\w-]{1,40})(?:\*\d{0,2}\*?)?\s?=/i
const behindQuote = /^[\s,]{1,20}[\w.+-]{1,40}(?:\*\d{0,2}\*?)?\s?=/
const maxName = 80

/** Returns whether a semicolon is missing here: after a quoted value, or before a known parameter. */
function beginsParameter(field: string, at: number): boolean {
  const character = field[at]
  if (character === '"') return behindQuote.test(field.slice(at + 1, at + maxName))
  return (character === ' ' || character === '\t') && known.test(field.slice(at, at + maxName))
}

function parameterValue(written: string): string {
  if (!written.startsWith('"')) return withoutComment(written)
  let value = ''
  for (let at = 1; at < written.length && written[at] !== '"'; at++) {
    // Windows paths have backslashes that escape nothing.
    if (written[at] === '\\' && (written[at + 1] === '"' || written[at + 1] === '\\')) at++
    value += written[at]
  }
  return value
}

/** Removes a comment after a word; brackets within a file name stay. */
const withoutComment = (word: string): string =>
  word
    .replace(/\s\([^()]{0,200}\)$/, '')
    .trim()
    .replace(/^'([^']{1,400})'$/, '$1')

const withoutComments = (text: string): string => text.replace(/\([^()]{0,500}\)/g, '')

/** Joins `name*0`, `name*1*` and decodes `name*` (RFC 2231 §3 and §4). */
function joined(raw: ReadonlyMap<string, string>): Map<string, string> {
  const values = new Map<string, string>()
  for (const [key, value] of raw) {
    const star = key.indexOf('*')
    const name = star === -1 ? key : key.slice(0, star)
    if (star === -1) {
      if (!values.has(name)) values.set(name, value)
    } else if (key === `${name}*`) values.set(name, extended(value))
    else if (/^\*[01]\*?$/.test(key.slice(star))) values.set(name, inSections(name, raw) ?? value)
  }
  return values
}

function inSections(name: string, raw: ReadonlyMap<string, string>): string | null {
  let text = ''
  let isExtended = false
  const first = raw.has(`${name}*0`) || raw.has(`${name}*0*`) ? 0 : 1
  for (let section = first; section < maxSections; section++) {
    const plain = raw.get(`${name}*${section}`)
    const encoded = raw.get(`${name}*${section}*`)
    if (plain === undefined && encoded === undefined) break
    if (encoded !== undefined) isExtended = true
    text += encoded ?? plain!.replaceAll('%', isExtended || raw.has(`${name}*0*`) ? '%25' : '%')
  }
  if (text === '') return null
  return isExtended ? extended(text) : text
}

/** Decodes `charset'language'text`, in which `%20` stands for an octet. */
function extended(value: string): string {
  const match = /^([\w.:+-]{0,40})'[\w-]{0,20}'(.*)$/s.exec(value)
  const [charset, text] = match ? [match[1] || null, match[2]!] : [null, value]
  if (!text.includes('%')) return text
  const octets: number[] = []
  for (let at = 0; at < text.length; at++) {
    const hex = text[at] === '%' && /^[\da-f]{2}$/i.test(text.slice(at + 1, at + 3))
    if (hex) octets.push(Number.parseInt(text.slice(at + 1, at + 3), 16))
    else octets.push(...new TextEncoder().encode(text[at]))
    if (hex) at += 2
  }
  return decodeText(Uint8Array.from(octets), charset)
}
