/** Most arguments in one call: engines bound them. */
const maxArguments = 0x8000

/** Encodes bytes, or text as UTF-8, in base64 (RFC 4648 section 4). */
export const encodeBase64 = (content: Uint8Array | string): string => {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
  let binary = ''
  for (let at = 0; at < bytes.length; at += maxArguments)
    binary += String.fromCharCode(...bytes.subarray(at, at + maxArguments))
  return btoa(binary)
}

/** Decodes base64 text (RFC 4648 section 4). */
export const decodeBase64 = (text: string): Uint8Array =>
  Uint8Array.from(atob(text), (character) => character.charCodeAt(0))

const encoder = new TextEncoder()

/** Iterates over the chunks of a stream: not every platform has an async iterator on streams. */
export async function* chunksOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader()
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value
  } finally {
    await reader.cancel().catch(() => {})
  }
}

/**
 * Joins all chunks into one array of bytes. Text becomes UTF-8.
 *
 * @throws the error of `tooLarge` as soon as there are more than `maxBytes`
 */
export async function joinChunks(
  chunks: AsyncIterable<unknown>,
  maxBytes: number,
  tooLarge: () => Error,
): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const chunk of chunks) {
    const part = typeof chunk === 'string' ? encoder.encode(chunk) : (chunk as Uint8Array)
    size += part.length
    if (size > maxBytes) throw tooLarge()
    parts.push(part)
  }
  const bytes = new Uint8Array(size)
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}

/** Returns a random id of 32 hexadecimal digits. */
export const randomId = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
