import PostalMime, { type Email } from 'postal-mime'
import { liftAttachments, putBack } from './exact-attachments'
import { hideFlowed, unflow } from './flowed'
import { headerValue, type RawHeaders } from './header-reader'

const MAX_MIME_HEADER_BYTES = 4 * 1024 * 1024
const encoder = new TextEncoder()
const decoder = new TextDecoder()
// An escape may begin another character set; a lone carriage return is no line end to every parser.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it looks for
const NOT_PLAIN = /[\0\x1b\x80-\uffff]|\r(?!\n)/

/** Bodies and attachments of a mail. */
export type MimeContent = Pick<Email, 'text' | 'html' | 'attachments'>

/**
 * Reads the MIME tree of a mail (RFC 2045): bodies and attachments. The parser gets no more of the top header than the
 * Content fields; all others are read by `readHeaders`, which nothing in them can slow down.
 *
 * @throws whatever the parser throws, such as for nesting deeper than `maxDepth`
 */
export async function readMime(raw: Uint8Array, headers: RawHeaders, maxDepth: number): Promise<MimeContent> {
  const text = plainText(raw, headers)
  if (text !== undefined) return { text, attachments: [] }
  const mail = withContentFieldsOnly(raw, headers)
  if (isOnlyText(headers)) return parse(mail, maxDepth)
  const { bytes, attachments } = liftAttachments(mail, maxDepth)
  const email = await parse(bytes, maxDepth)
  return putBack(email.attachments, attachments) ? email : parse(mail, maxDepth)
}

// Most mail: it need not pay for attachments.
const isOnlyText = ({ fields }: RawHeaders): boolean =>
  headerValue(fields, 'content-disposition') === undefined &&
  /^text\/(?:plain|html)(?:;|$)/i.test(headerValue(fields, 'content-type') ?? 'text/plain')

/** The text of a mail that needs no MIME parser: ASCII, as it stands. Mail that people write to machines mostly is. */
function plainText(raw: Uint8Array, { fields, bodyStart }: RawHeaders): string | undefined {
  if (fields.some(({ name, value }) => /^content-/i.test(name) && !isPlain(name, value))) return undefined
  const text = decoder.decode(raw.subarray(bodyStart))
  if (NOT_PLAIN.test(text)) return undefined
  const lines = text.replaceAll('\r\n', '\n')
  return lines === '' || lines.endsWith('\n') ? lines : `${lines}\n`
}

function isPlain(name: string, value: string): boolean {
  if (/^content-type$/i.test(name))
    return /^text\/plain(?:\s*;\s*charset="?(?:us-ascii|utf-8)"?)?\s*$/i.test(value)
  return /^content-transfer-encoding$/i.test(name) && /^[78]bit\s*$/i.test(value)
}

async function parse(bytes: Uint8Array<ArrayBuffer>, maxDepth: number): Promise<Email> {
  const flowed = hideFlowed(bytes)
  const email = await PostalMime.parse(bytes.buffer, {
    maxNestingDepth: maxDepth,
    maxHeadersSize: MAX_MIME_HEADER_BYTES,
  })
  if (flowed.isFlowed && email.text) email.text = unflow(email.text, flowed.deleteSpace)
  return email
}

function withContentFieldsOnly(raw: Uint8Array, { fields, bodyStart }: RawHeaders): Uint8Array<ArrayBuffer> {
  const lines = fields
    .filter(({ name }) => /^content-/i.test(name))
    .map(({ name, value }) => `${name}: ${value}\r\n`)
  const header = encoder.encode(`${lines.join('')}\r\n`)
  const bytes = new Uint8Array(header.length + raw.length - bodyStart)
  bytes.set(header)
  bytes.set(raw.subarray(bodyStart), header.length)
  return bytes
}
