const LF = 10
const CR = 13
const SPACE = 32
const BEGIN = /^begin(?:-base64)? [0-7]{3,4} /
const latin1 = new TextDecoder('latin1')

/**
 * Decodes what uuencode wrote, from the line `begin` to the line `end`; everything where there is no such line. Linear
 * time; never throws.
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
    if (!hasBegun) hasBegun = BEGIN.test(latin1.decode(line.subarray(0, 20)))
    else if (isEnd(line)) break
    else length = decodeLine(line, decoded, length)
  }
  return hasBegun ? decoded.subarray(0, length) : encoded
}

const isEnd = (line: Uint8Array) => /^end[\r\n]*$/.test(latin1.decode(line.subarray(0, 6)))

const sextet = (code: number | undefined) =>
  code === undefined || code === LF || code === CR ? 0 : (code - SPACE) & 63

// The first character says how many bytes the line holds.
function decodeLine(line: Uint8Array, to: Uint8Array, start: number): number {
  const count = Math.min(sextet(line[0]), line.length)
  for (let index = 0; index < count; index++) {
    const at = 1 + Math.floor(index / 3) * 4 + (index % 3)
    const shift = 2 * (index % 3) + 2
    to[start + index] = ((sextet(line[at]) << shift) | (sextet(line[at + 1]) >> (6 - shift))) & 0xff
  }
  return start + count
}
