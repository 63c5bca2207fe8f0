const [TAB, LF, CR, SPACE, EQUALS] = [9, 10, 13, 32, 61]

/**
 * Decodes quoted-printable to the exact octets (RFC 2045 §6.7): line breaks stay those of the mail; soft ones and white
 * space at the end of a line go; what is no escape stays as it is. Linear time.
 */
export function decodeQuotedPrintable(encoded: Uint8Array): Uint8Array {
  const decoded = new Uint8Array(encoded.length)
  let length = 0
  for (let at = 0; at < encoded.length; ) {
    const lineFeed = encoded.indexOf(LF, at)
    const next = lineFeed === -1 ? encoded.length : lineFeed + 1
    length = decodeLine(encoded.subarray(at, next), decoded, length)
    at = next
  }
  return decoded.subarray(0, length)
}

// Writes one line to `to` and gives where the next one goes.
function decodeLine(line: Uint8Array, to: Uint8Array, start: number): number {
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
