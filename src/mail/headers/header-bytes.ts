import { headerBlockOf, lineAt, maxHeaderLines } from './line-reader'

const [tab, space] = [9, 32]

/** Returns whether the header has bytes beyond ASCII, which need an SMTPUTF8 server (RFC 6532). */
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

/**
 * Returns the message without the trace fields at its top (RFC 5321 section 4.4). The rest is the same if a
 * sender that missed the answer sends the message again.
 */
export function withoutTrace(raw: Uint8Array): Uint8Array {
  let at = 0
  let lines = 0
  let isTrace = false
  while (lines++ < maxHeaderLines) {
    const isFolded: boolean = isTrace && (raw[at] === space || raw[at] === tab)
    isTrace = isFolded || names.some((name) => startsWith(raw, at, name))
    if (!isTrace) break
    at = lineAt(raw, at).next
  }
  return raw.subarray(at)
}
