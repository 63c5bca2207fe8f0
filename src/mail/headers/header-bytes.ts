import { headerBlockOf, lineAt } from './line-reader'

const [tab, space] = [9, 32]

/** Tells whether the header has bytes beyond ASCII, which only an SMTPUTF8 server may be given (RFC 6532). */
export function hasUtf8Header(raw: Uint8Array): boolean {
  const { end } = headerBlockOf(raw)
  for (let at = 0; at < end; at++) if (raw[at]! > 127) return true
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
  let { next } = lineAt(raw, at)
  while (raw[next] === space || raw[next] === tab) next = lineAt(raw, next).next
  return next
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
