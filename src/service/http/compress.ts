import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

/** Minimum size for compression: anything smaller fits in one packet either way. */
export const minCompressedBytes = 1024
/** Size from which speed matters more than the last few percent. */
const largeBytes = 256 * 1024

const runGzip = promisify(gzip)
const runBrotli = promisify(brotliCompress)

/** Codings, best first. Both run in libuv's threads, not in the service's own. */
const codings = {
  br: (content: Uint8Array, isLarge: boolean) =>
    runBrotli(content, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: isLarge ? 1 : 4,
        [constants.BROTLI_PARAM_SIZE_HINT]: content.byteLength,
      },
    }),
  gzip: (content: Uint8Array, isLarge: boolean) => runGzip(content, { level: isLarge ? 1 : 6 }),
}
/** Content coding that the service writes. */
export type Coding = keyof typeof codings

/** Returns the coding that the client prefers (RFC 9110 section 12.5.3); null for none. */
export function codingFor(acceptEncoding: string | null): Coding | null {
  if (!acceptEncoding) return null
  const weights = new Map(
    acceptEncoding.split(',').map((one) => {
      const [name = '', ...parameters] = one.split(';').map((part) => part.trim().toLowerCase())
      const weight = parameters.find((parameter) => parameter.startsWith('q='))
      return [name, weight === undefined ? 1 : Number(weight.slice(2))]
    }),
  )
  const weightOf = (name: string) => weights.get(name) ?? weights.get('*') ?? 0
  const liked = (Object.keys(codings) as Coding[]).filter((name) => weightOf(name) > 0)
  return liked.sort((a, b) => weightOf(b) - weightOf(a))[0] ?? null
}

/** Compresses a whole body. */
export async function compress(content: Uint8Array, coding: Coding): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await codings[coding](content, content.byteLength >= largeBytes))
}
