const [lineFeed, carriageReturn] = [10, 13]

/** Whether the header has bytes beyond ASCII, which only an SMTPUTF8 server may be given (RFC 6532). */
export function hasUtf8Header(raw: Uint8Array): boolean {
  for (let at = 0; at < raw.length; at++) {
    const byte = raw[at]!
    if (byte > 127) return true
    const next = raw[at + 1] === carriageReturn ? raw[at + 2] : raw[at + 1]
    if (byte === lineFeed && next === lineFeed) return false
  }
  return false
}
