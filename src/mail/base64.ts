const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const PADDING = 61
const NONE = 255
const digits = new Uint8Array(256).fill(NONE)
for (let at = 0; at < ALPHABET.length; at++) digits[ALPHABET.charCodeAt(at)] = at

/** Decodes base64 (RFC 2045 §6.8); what is none of its characters is passed over. Linear time; never throws. */
export function decodeBase64(encoded: Uint8Array): Uint8Array {
  const decoded = new Uint8Array(Math.ceil(encoded.length * 0.75))
  let length = 0
  let bits = 0
  let value = 0
  for (let at = 0; at < encoded.length; at++) {
    const byte = encoded[at]!
    const digit = digits[byte]!
    // Some programs pad every line.
    if (byte === PADDING) bits = 0
    if (digit === NONE) continue
    value = ((value << 6) | digit) & 0xfff
    bits += 6
    if (bits < 8) continue
    bits -= 8
    decoded[length++] = (value >> bits) & 0xff
  }
  return decoded.subarray(0, length)
}
