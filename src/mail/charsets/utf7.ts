/**
 * Decodes UTF-7 (RFC 2152): `+` starts UTF-16 in unpadded base64, up to the first other character. Never
 * throws.
 */
export function decodeUtf7(text: string): string {
  return text.replace(/\+([A-Za-z0-9+/]*)-?/g, (_, encoded: string) => (encoded ? utf16Of(encoded) : '+'))
}

function utf16Of(encoded: string): string {
  const octets = atob(encoded.length % 4 === 1 ? encoded.slice(0, -1) : encoded)
  let units = ''
  for (let at = 0; at + 1 < octets.length; at += 2)
    units += String.fromCharCode(octets.charCodeAt(at) * 256 + octets.charCodeAt(at + 1))
  return units
}
