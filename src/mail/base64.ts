const latin1 = new TextDecoder('latin1')

/** Decodes base64 (RFC 2045 §6.8); what is none of its characters is passed over. Never throws. */
export function decodeBase64(encoded: Uint8Array): Uint8Array {
  const text = latin1.decode(encoded).replace(/[^A-Za-z0-9+/=]+/g, '')
  // Some programs pad every line.
  const units = text.split(/=+/).map((unit) => atob(unit.length % 4 === 1 ? unit.slice(0, -1) : unit))
  const octets = units.join('')
  const decoded = new Uint8Array(octets.length)
  for (let at = 0; at < octets.length; at++) decoded[at] = octets.charCodeAt(at)
  return decoded
}
