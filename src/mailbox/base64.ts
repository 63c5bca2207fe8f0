const chunk = 0x8000

/** Bytes, or text as UTF-8, in base64 (RFC 4648 section 4). */
export const encodeBase64 = (content: Uint8Array | string): string => {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
  let binary = ''
  for (let at = 0; at < bytes.length; at += chunk)
    binary += String.fromCharCode(...bytes.subarray(at, at + chunk))
  return btoa(binary)
}

/** The bytes of base64 text. */
export const decodeBase64 = (text: string): Uint8Array =>
  Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
