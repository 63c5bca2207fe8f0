const [nul, lineFeed, carriageReturn, space, tab] = [0, 10, 13, 32, 9]

/**
 * A line of a message in byte offsets: its text is from `start` to `end`, and the next line starts at `next`.
 */
export interface Line {
  start: number
  end: number
  next: number
}

/**
 * Reads the line at an offset. An LF with all CRs right before it ends a line, and so does the end of the
 * message; any other CR is content.
 *
 * Every part of the service that reads header lines uses this function. So the part that verifies the sender
 * and the part that shows it always see the same fields.
 */
export function lineAt(bytes: Uint8Array, start: number): Line {
  const found = bytes.indexOf(lineFeed, start)
  let end = found === -1 ? bytes.length : found
  while (end > start && bytes[end - 1] === carriageReturn) end--
  return { start, end, next: found === -1 ? bytes.length : found + 1 }
}

/**
 * Maximum lines of a header, including blank ones above it: a message may have 25 MB of lines and no empty
 * one.
 */
export const maxHeaderLines = 50_000

/** Byte offsets of the header of a message. */
export interface HeaderBlock {
  /** After the blank lines that some programs put before the header. */
  start: number
  /** Start of the empty line that ends the header, or the end of the message. */
  end: number
  /** After that empty line, or the end of the message. */
  bodyStart: number
  /** True if no empty line ends the header, but a line that is no field. */
  isUnended: boolean
}

function isBlank(bytes: Uint8Array, { start, end }: Line): boolean {
  for (let at = start; at < end; at++) if (bytes[at] !== space && bytes[at] !== tab) return false
  return true
}

const firstLine = /^(?:From |[!-9;-~]{1,200}[\t ]*:)/
const latin1 = new TextDecoder('latin1')

/**
 * Finds the header of a message (RFC 5322 section 2.1) within its first {@link maxHeaderLines}. A message
 * that starts with blank lines and then has no field has no header.
 */
export function headerBlockOf(bytes: Uint8Array): HeaderBlock {
  let lines = 0
  let line = lineAt(bytes, 0)
  while (line.next > line.start && isBlank(bytes, line) && ++lines < maxHeaderLines)
    line = lineAt(bytes, line.next)
  const { start } = line
  const isHeaderless = start > 0 && !firstLine.test(latin1.decode(bytes.subarray(start, start + 256)))
  if (isHeaderless) return { start, end: start, bodyStart: start, isUnended: false }
  let isSeen = false
  let isBelowBlank = false
  let text: number | null = null
  /** The same for a message without any empty line. */
  let unended: number | null = null
  const look = () => {
    const isWords = !isIndented(bytes, line) && !isFieldAt(bytes, line)
    // Some programs write spaces in the empty line.
    const start = isSeen && isBelowBlank && isWords && line.end > line.start ? line.start : null
    text = startOfText(bytes, line, isSeen, text ?? start)
    unended = startOfText(bytes, line, isSeen, unended ?? start, ofHeader)
    isSeen ||= isFieldAt(bytes, line)
    isBelowBlank = isBlank(bytes, line)
  }
  while (line.end > line.start && line.next < bytes.length && ++lines < maxHeaderLines) {
    look()
    line = lineAt(bytes, line.next)
  }
  look()
  if (line.end > line.start && lines < maxHeaderLines) text ??= unended
  if (text !== null) return { start, end: text, bodyStart: text, isUnended: true }
  if (lines >= maxHeaderLines) return { start, end: line.start, bodyStart: line.start, isUnended: true }
  if (line.end > line.start) return { start, end: bytes.length, bodyStart: bytes.length, isUnended: false }
  return { start, end: line.start, bodyStart: line.next, isUnended: false }
}

const isIndented = (bytes: Uint8Array, { start }: Line): boolean =>
  bytes[start] === space || bytes[start] === tab

const colon = 58
const h = 104

/** Returns whether a line has the form of a field: a name of printable characters, and a colon. */
function isFieldAt(bytes: Uint8Array, { start, end }: Line): boolean {
  let at = start
  while (at < end && bytes[at]! > space && bytes[at]! < 127 && bytes[at] !== colon) at++
  const nameEnd = at
  if (isLinkAt(bytes, start)) return false
  while (at < end && (bytes[at] === space || bytes[at] === tab)) at++
  return nameEnd > start && bytes[at] === colon
}

const link = /^https?:\/\/[^\s]/

/** Returns whether a line starts with a link, whose scheme looks like the name of a field. */
const isLinkAt = (bytes: Uint8Array, start: number): boolean =>
  bytes[start] === h && link.test(latin1.decode(bytes.subarray(start, start + 9)))

/** Words of a text: neither an mbox line nor an unfolded parameter. */
const sentence = /^(?!>?From )(?:[^\s:=]{1,60} [^\s:=]|https?:\/\/[^\s])/

/** A field name below a sentence; other words with a colon may be part of the text: "Time: 10:00". */
const ofHeader =
  /^(?:[\w.]{1,60}-[\w.-]{0,60}|from|to|cc|bcc|subject|date|sender|received|references|status|lines|xref|newsgroups|path|organi[sz]ation|comments|keywords|precedence|importance|priority|sensitivity|encoding|encrypted|supersedes|expires|approved|autocrypt|distribution)[\t ]{0,9}:/i

/**
 * Returns the start of the text in a message without an empty line below its header: a sentence with no field
 * below it. Every header reader uses this, so that no line is a field to only one of them.
 *
 * @param text the result for the lines above
 * @param fields the names of fields below a sentence; undefined for all
 */
function startOfText(
  bytes: Uint8Array,
  line: Line,
  isSeen: boolean,
  text: number | null,
  fields?: RegExp,
): number | null {
  const { start, end } = line
  if (end === start || isIndented(bytes, line)) return text
  const words = () => latin1.decode(bytes.subarray(start, Math.min(end, start + 90)))
  if (isFieldAt(bytes, line)) return text === null || !fields || fields.test(words()) ? null : text
  const isText = isSeen && sentence.test(words())
  return text ?? (isText ? start : null)
}

/** Returns whether bytes have a NUL, or a CR that ends no line: programs disagree about these in a header. */
export function hasStrayControl(bytes: Uint8Array): boolean {
  if (bytes.includes(nul)) return true
  for (let at = bytes.indexOf(carriageReturn); at !== -1; at = bytes.indexOf(carriageReturn, at)) {
    while (bytes[at] === carriageReturn) at++
    if (at < bytes.length && bytes[at] !== lineFeed) return true
  }
  return false
}

/** Returns whether every header line ends with one CR LF, without blank lines before the header. */
function isPlain(bytes: Uint8Array, { start, end, bodyStart }: HeaderBlock): boolean {
  if (start > 0 || end === bodyStart) return false
  for (let at = bytes.indexOf(lineFeed); at !== -1 && at < bodyStart; at = bytes.indexOf(lineFeed, at + 1))
    if (bytes[at - 1] !== carriageReturn || bytes[at - 2] === carriageReturn) return false
  return true
}

/**
 * Returns the message with one CR LF after each header line, for programs that accept no other line end.
 * Keeps the body; returns the same object if the message already has this form.
 */
export function withPlainHeader(bytes: Uint8Array): Uint8Array {
  const block = headerBlockOf(bytes)
  if (isPlain(bytes, block)) return bytes
  const { start, end, bodyStart } = block
  // Each line end grows by at most one byte, and the last line and the header may have none.
  let lines = 2
  for (
    let at = bytes.indexOf(lineFeed, start);
    at !== -1 && at < bodyStart;
    at = bytes.indexOf(lineFeed, at + 1)
  )
    lines++
  const plain = new Uint8Array(bytes.length - start + 2 * lines)
  let length = 0
  const add = (piece: Uint8Array) => {
    plain.set(piece, length)
    length += piece.length
  }
  const lineEnd = Uint8Array.of(carriageReturn, lineFeed)
  for (let at = start; at < end; ) {
    const line = lineAt(bytes, at)
    add(bytes.subarray(at, line.end))
    add(lineEnd)
    at = line.next
  }
  add(lineEnd)
  add(bytes.subarray(bodyStart))
  return plain.subarray(0, length)
}
