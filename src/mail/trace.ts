const names = ['received:', 'return-path:', 'delivered-to:', 'x-received:']
const [lineFeed, space, tab] = [10, 32, 9]

const startsWith = (raw: Uint8Array, at: number, name: string): boolean => {
  for (let i = 0; i < name.length; i++)
    if ((raw[at + i]! | 32) !== name.charCodeAt(i) && raw[at + i] !== name.charCodeAt(i)) return false
  return true
}

/** Where the header field that begins at `at` ends, its folded lines included (RFC 5322 section 2.2.3). */
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
 * The mail without the trace fields at its top (RFC 5321 section 4.4): what stays the same when a sender that
 * lost the answer sends the mail again.
 */
export function withoutTrace(raw: Uint8Array): Uint8Array {
  let at = 0
  while (names.some((name) => startsWith(raw, at, name))) at = fieldEnd(raw, at)
  return raw.subarray(at)
}
