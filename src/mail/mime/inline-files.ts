import { lineAt } from '../headers/line-reader'
import { typeOfFilename } from './file-type'
import type { MimePart } from './mime-part'
import { decodeQuotedPrintable } from './transfer-encodings'

const [LETTER_B, SPACE, LAST, BACKTICK, LF] = [98, 32, 96, 96, 10]
const begin = /^begin [0-7]{3,4} ([^\s/][^/]{0,200})$/
const maxFiles = 100
const latin1 = new TextDecoder('latin1')

interface Found {
  name: string
  /** Offset of the line `begin`; `next` is after the line `end`. */
  start: number
  next: number
}

/**
 * Splits a plain-text part with uuencoded files, between lines `begin 644 name` and `end`, into texts and
 * files in order. Null for any other part, such as a text with a line that only starts this way. Linear time.
 */
export function withInlineFiles(part: MimePart): MimePart[] | null {
  if (part.type !== 'text/plain' || part.disposition === 'attachment' || !part.body) return null
  const text = withPlainBody(part)
  const files = text?.body ? filesIn(text.body) : []
  if (!text || files.length === 0) return null
  const parts: MimePart[] = []
  const body = text.body!
  let at = 0
  const addText = (end: number) => {
    if (end > at) parts.push({ ...text, body: body.subarray(at, end), parts: [] })
  }
  for (const { name, start, next } of files) {
    addText(start)
    parts.push(fileOf(name, body.subarray(start, next), text))
    at = next
  }
  addText(body.length)
  return parts
}

/** Returns the part with its body as plain lines; undefined if it can have no such file. */
function withPlainBody(part: MimePart): MimePart | undefined {
  if (part.encoding === 'identity') return part
  if (part.encoding !== 'quoted-printable' || !hasBeginLine(part.body!)) return undefined
  return { ...part, encoding: 'identity', body: decodeQuotedPrintable(part.body!) }
}

const fileOf = (name: string, body: Uint8Array, text: MimePart): MimePart => ({
  ...text,
  ...{ type: typeOfFilename(name) ?? 'application/octet-stream', typeField: '', charset: null },
  ...{ disposition: 'attachment', encoding: 'uuencode', name, body, parts: [] },
})

const nextLine = (body: Uint8Array, at: number): number => {
  const lineFeed = body.indexOf(LF, at)
  return lineFeed === -1 ? body.length : lineFeed + 1
}

function hasBeginLine(body: Uint8Array): boolean {
  for (let at = 0; at < body.length; at = nextLine(body, at)) if (nameAt(body, at) !== undefined) return true
  return false
}

function filesIn(body: Uint8Array): Found[] {
  const found: Found[] = []
  for (let at = 0; at < body.length && found.length < maxFiles; ) {
    const name = nameAt(body, at)
    const next = nextLine(body, at)
    const after = name === undefined ? 0 : endOfFile(body, next)
    if (after > 0) found.push({ name: name!, start: at, next: after })
    at = after || next
  }
  return found
}

const nameAt = (body: Uint8Array, at: number): string | undefined =>
  body[at] !== LETTER_B || body[at + 5] !== SPACE
    ? undefined
    : begin.exec(latin1.decode(body.subarray(at, Math.min(lineAt(body, at).end, at + 260))))?.[1]

/** Returns the offset after the line `end`, if all lines have their declared length; else 0. */
function endOfFile(body: Uint8Array, start: number): number {
  for (let at = start; at < body.length; ) {
    const { end, next } = lineAt(body, at)
    if (end - at === 3 && latin1.decode(body.subarray(at, end)) === 'end') return at > start ? next : 0
    const first = body[at] ?? 0
    const count = first === BACKTICK ? 0 : first - SPACE
    const isLine = end > at && first >= SPACE && first <= LAST
    // Programs that strip white space at line ends make lines shorter.
    const most = 1 + Math.ceil(count / 3) * 4 + 2
    if (!isLine || end - at > most || end - at < 1 + Math.ceil((count * 4) / 3) - 3) return 0
    at = next
  }
  return 0
}
