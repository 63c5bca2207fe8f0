import { createHash } from 'node:crypto'

/** Canonical form of white space in a body (RFC 6376 section 3.4). */
export type BodyForm = 'simple' | 'relaxed'

/** Hash of a complete body in a canonical form. */
export interface BodyHash {
  /** SHA-256 in Base64, as in `bh=`. */
  hash: string
  /** Length of the canonical form in bytes, as in `l=`. */
  length: number
}

const [tab, lineFeed, carriageReturn, space] = [9, 10, 13, 32]
const chunkBytes = 64 * 1024
/** Last position in a chunk at which two more bytes fit. */
const lastPlace = chunkBytes - 2

/** Hashes a body in a canonical form (RFC 6376 sections 3.4.3, 3.4.4) in linear time. LF ends lines, too. */
export function bodyHash(body: Uint8Array, form: BodyForm): BodyHash {
  const hash = createHash('sha256')
  const isRelaxed = form === 'relaxed'
  const chunk = new Uint8Array(chunkBytes)
  let used = 0
  let length = 0
  let lineEnds = 0
  let hasBlank = false
  // The step past the end closes the last line. Variables shared with inner functions would triple the time.
  for (let at = 0; at <= body.length; at++) {
    const isEnd = at === body.length
    const byte = body[at]!
    if (byte === lineFeed || (byte === carriageReturn && body[at + 1] === lineFeed)) {
      if (byte === carriageReturn) at++
      lineEnds++
      hasBlank = false
      continue
    }
    if (isRelaxed && (byte === space || byte === tab)) {
      hasBlank = true
      continue
    }
    // Empty lines count only if a line follows that is not empty.
    if (isEnd) lineEnds = length + used > 0 || !isRelaxed ? 1 : 0
    for (; lineEnds > 0; lineEnds--) {
      if (used > lastPlace) {
        hash.update(chunk.subarray(0, used))
        length += used
        used = 0
      }
      chunk[used++] = carriageReturn
      chunk[used++] = lineFeed
    }
    if (isEnd) break
    if (used > lastPlace) {
      hash.update(chunk.subarray(0, used))
      length += used
      used = 0
    }
    if (hasBlank) chunk[used++] = space
    chunk[used++] = byte
    hasBlank = false
  }
  hash.update(chunk.subarray(0, used))
  return { hash: hash.digest('base64'), length: length + used }
}
