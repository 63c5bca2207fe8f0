const encoder = new TextEncoder()

/** The chunks of a stream. Not every platform lets one iterate over it. */
export async function* chunksOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader()
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value
  } finally {
    await reader.cancel().catch(() => {})
  }
}

/**
 * All chunks in one, text as UTF-8.
 *
 * @throws What `tooLarge` makes, as soon as there are more than so many bytes
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
