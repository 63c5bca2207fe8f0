const [TAB, LF, CR, SPACE, EQUALS] = [9, 10, 13, 32, 61]
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const none = 255
const digits = new Uint8Array(256).fill(none)
for (let at = 0; at < alphabet.length; at++) digits[alphabet.charCodeAt(at)] = at
const begin = /^begin(?:-base64)? [0-7]{3,4} /
const latin1 = new TextDecoder('latin1')

/**
 * Decodes base64 (RFC 2045 §6.8) and skips other characters. Does not decode lines of words, which gateways
 * and lists put before and after the data. Linear time; never throws.
 *
 * @param keepsWords whether to keep these lines unchanged, as in a text, or to drop them
 */
export function decodeBase64(encoded: Uint8Array, keepsWords = false): Uint8Array {
  const { decoded, isPure } = decodeData(encoded)
  return isPure || !hasWords(encoded) ? decoded : decodeAmongWords(encoded, keepsWords)
}

/** Two words, or an HTML tag: junk within base64 never looks like this. */
const words = /[a-z]{2}[,.:;!?'"’)]{0,3} [(a-z]|<\/?[a-z]|[\x80-\xff]{2}|^[a-z]{2,20}[,.:!?]\s*$/im

/** Returns whether base64 contains lines of words. */
export const hasWords = (encoded: Uint8Array): boolean => words.test(latin1.decode(encoded))

const minData = 16

/** Returns whether lines without words are data: mixed case or digits, and a valid length. */
function isData(text: string): boolean {
  const data = text.replace(/[^A-Za-z0-9+/]/g, '')
  return (
    data.length >= minData && data.length % 4 !== 1 && /[a-z\d+/]/.test(data) && /[a-z][A-Z]|\d/.test(data)
  )
}

function decodeAmongWords(encoded: Uint8Array, keepsWords: boolean): Uint8Array {
  const blocks = blocksOf(encoded)
  // Plain text, wrongly declared as base64.
  if (!blocks.some(({ isData }) => isData)) return keepsWords ? encoded : decodeData(encoded).decoded
  const decoded = new Uint8Array(encoded.length)
  let length = 0
  for (const { bytes, isData } of blocks) {
    if (!isData && !keepsWords) continue
    const content = isData ? decodeData(bytes).decoded : bytes
    decoded.set(content, length)
    length += content.length
  }
  return decoded.subarray(0, length)
}

/** Splits lines into alternating blocks of data and other lines. */
function blocksOf(encoded: Uint8Array): { bytes: Uint8Array; isData: boolean }[] {
  const blocks: { bytes: Uint8Array; isData: boolean }[] = []
  let start = 0
  const finish = (end: number, hasWords: boolean) => {
    const bytes = encoded.subarray(start, end)
    if (end > start) blocks.push({ bytes, isData: !hasWords && isData(latin1.decode(bytes)) })
    start = end
  }
  for (let at = 0; at < encoded.length; ) {
    const lineFeed = encoded.indexOf(LF, at)
    const next = lineFeed === -1 ? encoded.length : lineFeed + 1
    if (words.test(latin1.decode(encoded.subarray(at, next)))) {
      finish(at, false)
      finish(next, true)
    }
    at = next
  }
  finish(encoded.length, false)
  return blocks
}

/** Decodes base64, and returns whether it has no other characters than line ends. */
function decodeData(encoded: Uint8Array): { decoded: Uint8Array; isPure: boolean } {
  const decoded = new Uint8Array(Math.ceil(encoded.length * 0.75))
  let length = 0
  let bits = 0
  let value = 0
  let isPure = true
  for (let at = 0; at < encoded.length; at++) {
    const byte = encoded[at]!
    const digit = digits[byte]!
    // Some programs pad every line.
    if (byte === EQUALS) bits = 0
    if (digit === none) {
      if (byte !== EQUALS && byte !== LF && byte !== CR) isPure = false
      continue
    }
    value = ((value << 6) | digit) & 0xfff
    bits += 6
    if (bits < 8) continue
    bits -= 8
    decoded[length++] = (value >> bits) & 0xff
  }
  return { decoded: decoded.subarray(0, length), isPure }
}

/**
 * Decodes quoted-printable to the exact octets (RFC 2045 §6.7). Keeps line breaks of the message and invalid
 * escapes; removes soft line breaks and white space at line ends. Linear time.
 */
export function decodeQuotedPrintable(encoded: Uint8Array): Uint8Array {
  const decoded = new Uint8Array(encoded.length)
  let length = 0
  for (let at = 0; at < encoded.length; ) {
    const lineFeed = encoded.indexOf(LF, at)
    const next = lineFeed === -1 ? encoded.length : lineFeed + 1
    length = decodeQuotedLine(encoded.subarray(at, next), decoded, length)
    at = next
  }
  return decoded.subarray(0, length)
}

// Writes one line to `to` and returns the offset for the next one.
function decodeQuotedLine(line: Uint8Array, to: Uint8Array, start: number): number {
  const lineBreak = lineBreakOf(line)
  const text = withoutBlanks(line.subarray(0, line.length - lineBreak.length))
  const isSoft = text[text.length - 1] === EQUALS
  const end = decodeEscapes(isSoft ? text.subarray(0, -1) : text, to, start)
  if (isSoft) return end
  to.set(lineBreak, end)
  return end + lineBreak.length
}

function lineBreakOf(line: Uint8Array): Uint8Array {
  if (line[line.length - 1] !== LF) return line.subarray(line.length)
  return line.subarray(line[line.length - 2] === CR ? -2 : -1)
}

function withoutBlanks(text: Uint8Array): Uint8Array {
  let end = text.length
  while (text[end - 1] === SPACE || text[end - 1] === TAB) end--
  return text.subarray(0, end)
}

function decodeEscapes(text: Uint8Array, to: Uint8Array, start: number): number {
  let end = start
  for (let at = 0; at < text.length; at++) {
    const octet = text[at] === EQUALS ? octetAt(text, at + 1) : -1
    to[end++] = octet === -1 ? text[at]! : octet
    if (octet !== -1) at += 2
  }
  return end
}

function octetAt(text: Uint8Array, at: number): number {
  const [high, low] = [digitOf(text[at]), digitOf(text[at + 1])]
  return high === -1 || low === -1 ? -1 : high * 16 + low
}

function digitOf(code = 0): number {
  if (code >= 48 && code <= 57) return code - 48
  const letter = code | 32
  return letter >= 97 && letter <= 102 ? letter - 87 : -1
}

/**
 * Decodes uuencoded data from the line `begin` to the line `end`; returns everything if there is no such
 * line. Linear time; never throws.
 */
export function decodeUuencode(encoded: Uint8Array): Uint8Array {
  const decoded = new Uint8Array(encoded.length)
  let length = 0
  let hasBegun = false
  for (let at = 0; at < encoded.length; ) {
    const lineFeed = encoded.indexOf(LF, at)
    const next = lineFeed === -1 ? encoded.length : lineFeed + 1
    const line = encoded.subarray(at, next)
    at = next
    if (!hasBegun) hasBegun = begin.test(latin1.decode(line.subarray(0, 20)))
    else if (isEnd(line)) break
    else length = decodeUuencodedLine(line, decoded, length)
  }
  return hasBegun ? decoded.subarray(0, length) : encoded
}

const isEnd = (line: Uint8Array) => /^end[\r\n]*$/.test(latin1.decode(line.subarray(0, 6)))

const sextet = (code: number | undefined) =>
  code === undefined || code === LF || code === CR ? 0 : (code - SPACE) & 63

// The first character gives the number of bytes in the line.
function decodeUuencodedLine(line: Uint8Array, to: Uint8Array, start: number): number {
  const count = Math.min(sextet(line[0]), line.length)
  for (let index = 0; index < count; index++) {
    const at = 1 + Math.floor(index / 3) * 4 + (index % 3)
    const shift = 2 * (index % 3) + 2
    to[start + index] = ((sextet(line[at]) << shift) | (sextet(line[at + 1]) >> (6 - shift))) & 0xff
  }
  return start + count
}
