import { decodeWords } from 'postal-mime'
import { decodeUtf7, wellFormed } from '../text'

/** A header field in its original order and case, unfolded and decoded (RFC 2047). */
export interface MailHeader {
  name: string
  value: string
}

const LF = 10
const CR = 13
const MAX_HEADERS = 1000
const BLANKS: ReadonlySet<number> = new Set([LF, CR, 0x20, 0x09])
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })

/** A header block as read from the wire; values are unfolded but not yet decoded (RFC 2047). */
export interface RawHeaders {
  fields: MailHeader[]
  /** False when the block was longer than the limit; what came after is not in `fields`. */
  isComplete: boolean
  /** Offset of the body: after the empty line, or the end of the mail. */
  bodyStart: number
}

// Some senders put empty lines before the header, and lines of spaces between these.
function startOfMail(raw: Uint8Array): number {
  let start = 0
  for (let at = 0; BLANKS.has(raw[at]!); at++) if (raw[at] === LF || raw[at] === CR) start = at + 1
  return start
}

const firstLine = /^(?:From |[!-9;-~]{1,200}[\t ]*:)/

/** Tells whether a mail has no header but empty lines, with the body right below. */
const isHeaderless = (raw: Uint8Array, start: number): boolean =>
  start > 0 && start < raw.length && !firstLine.test(utf8.decode(raw.subarray(start, start + 256)))

/**
 * Reads the top header of a mail (RFC 5322 §2.2) in one pass, of which at most `maxBytes` are taken. Folded lines are joined;
 * lines that are no field, such as an mbox `From ` line, are left out. Never throws.
 */
export function readHeaders(raw: Uint8Array, maxBytes: number): RawHeaders {
  const start = startOfMail(raw)
  if (isHeaderless(raw, start)) return { fields: [], isComplete: true, bodyStart: start }
  const { end, bodyStart } = endOfHeader(raw, start)
  const fields = splitFields(decodeBlock(raw.subarray(start, Math.min(end, start + maxBytes))))
  return { fields, isComplete: end - start <= maxBytes, bodyStart }
}

/** Decodes RFC 2047 words and makes the value fit for storage. */
export function decodeHeader(value: string): string {
  if (!value.includes('=?')) return wellFormed(value)
  return wellFormed(decodeWords(value.replace(UTF7_WORD, fromUtf7).replace(ASKING_WORD, withoutMarks)))
}

/** Words with question marks in them that should have been encoded (RFC 2047 §4.2). */
const ASKING_WORD =
  /(=\?[\w.:*-]{1,60}\?q\?)([^\s?]{0,300}(?:\?(?!=(?![\dA-F]{2}))[^\s?]{0,300}){1,10})(?=\?=(?!\S))/gi
const withoutMarks = (_: string, head: string, text: string): string => head + text.replaceAll('?', '=3F')

/** Words in a charset that decoders do not know. */
const UTF7_WORD = /=\?(?:x-)?(?:unicode-[12]-[01]-)?utf-?7(?:\*[\w-]{1,20})?\?([bq])\?([^?\s]{0,1000})\?=/gi

function fromUtf7(_: string, encoding: string, text: string): string {
  const octets = /b/i.test(encoding)
    ? Buffer.from(text, 'base64').toString('latin1')
    : text
        .replaceAll('_', ' ')
        .replace(/=([\da-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
  return `=?utf-8?Q?${reencodedAll(decodeUtf7(octets))}?=`
}

const reencodedAll = (text: string): string =>
  [...new TextEncoder().encode(text)]
    .map((octet) => `=${octet.toString(16).padStart(2, '0').toUpperCase()}`)
    .join('')

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

function endOfHeader(raw: Uint8Array, start: number): { end: number; bodyStart: number } {
  for (let at = raw.indexOf(LF, start); at !== -1; at = raw.indexOf(LF, at + 1)) {
    let next = at + 1
    while (raw[next] === CR) next++
    if (raw[next] === LF) return { end: at, bodyStart: next + 1 }
  }
  return { end: raw.length, bodyStart: raw.length }
}

// Old programs write their own charset into headers bare; the one the body declares is the best guess.
function decodeBlock(bytes: Uint8Array): string {
  const text = utf8.decode(bytes)
  if (!text.includes('\ufffd') && !text.includes('\u001b')) return text
  const declared = /charset\s{0,9}=\s{0,9}"?([\w.:-]{1,40})/i.exec(text)?.[1]
  return decodeAs(bytes, declared) ?? decodeAs(bytes, 'windows-1252') ?? text
}

function decodeAs(bytes: Uint8Array, charset: string | undefined): string | null {
  try {
    return charset ? new TextDecoder(charset, { fatal: true }).decode(bytes) : null
  } catch {
    return null
  }
}

function splitFields(block: string): MailHeader[] {
  const fields: MailHeader[] = []
  let folded = ''
  const finish = () => {
    const field = toField(folded)
    if (field) fields.push(field)
  }
  for (const line of block.split('\n')) {
    const isContinuation = line.startsWith(' ') || line.startsWith('\t')
    if (!isContinuation) {
      if (fields.length === MAX_HEADERS) return fields
      finish()
      folded = ''
    }
    folded += line.endsWith('\r') ? line.slice(0, -1) : line
  }
  finish()
  return fields.slice(0, MAX_HEADERS)
}

function toField(line: string): MailHeader | null {
  const colon = line.indexOf(':')
  const name = line.slice(0, Math.max(colon, 0)).trim()
  if (!name || name.length > 200 || /[^!-~]/.test(name)) return null
  const written = line.slice(colon + 1)
  const value = (written.includes('\r') ? written.replace(/\r+/g, ' ') : written).trim()
  return { name, value: value.includes('=?') ? value.replace(BARE_WORD, reencoded) : value }
}
