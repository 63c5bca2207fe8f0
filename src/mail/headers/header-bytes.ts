const [tab, lineFeed, carriageReturn, space] = [9, 10, 13, 32]

/** Tells whether the header has bytes beyond ASCII, which only an SMTPUTF8 server may be given (RFC 6532). */
export function hasUtf8Header(raw: Uint8Array): boolean {
  for (let at = 0; at < raw.length; at++) {
    const byte = raw[at]!
    if (byte > 127) return true
    const next = raw[at + 1] === carriageReturn ? raw[at + 2] : raw[at + 1]
    if (byte === lineFeed && next === lineFeed) return false
  }
  return false
}

const names = ['received:', 'return-path:', 'delivered-to:', 'x-received:']

const startsWith = (raw: Uint8Array, at: number, name: string): boolean => {
  for (let i = 0; i < name.length; i++)
    if ((raw[at + i]! | 32) !== name.charCodeAt(i) && raw[at + i] !== name.charCodeAt(i)) return false
  return true
}

/** Finds the end of the header field that begins at `at`, with its folded lines (RFC 5322 section 2.2.3). */
function fieldEnd(raw: Uint8Array, at: number): number {
  let end = at
  do {
    const next = raw.indexOf(lineFeed, end)
    if (next < 0) return raw.length
    end = next + 1
  } while (raw[end] === space || raw[end] === tab)
  return end
}

/**
 * Gives the mail without the trace fields at its top (RFC 5321 section 4.4), which stays the same when a sender that
 * lost the answer sends the mail again.
 */
export function withoutTrace(raw: Uint8Array): Uint8Array {
  let at = 0
  while (names.some((name) => startsWith(raw, at, name))) at = fieldEnd(raw, at)
  return raw.subarray(at)
}
