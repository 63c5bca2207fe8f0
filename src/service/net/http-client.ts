import { loadLater } from '../base/load-later'

/** Loads the HTTP client, and its agent for public addresses, with the first request. */
export const loadHttpClient = loadLater(() => import('./guarded-agent'))

/** Reads a body. Throws the error of `tooLarge` once it has more than `maxBytes`. */
export async function readBounded(
  body: AsyncIterable<Uint8Array>,
  maxBytes: number,
  tooLarge: () => Error,
): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > maxBytes) throw tooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
