import type { MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { refuse } from '../../base/refuse'

const tooLarge = (maxBytes: number) =>
  refuse('payload_too_large', `The body is larger than ${maxBytes} bytes, which is the most here.`)

/** Refuses bodies that are too large. Without a declared length, reads them before the caller is known. */
export const limited = (maxBytes: number): MiddlewareHandler =>
  bodyLimit({
    maxSize: maxBytes,
    onError: () => {
      throw tooLarge(maxBytes)
    },
  })

/** Refuses bodies whose declared length is too large; their readers bound the others. */
export const limitedByLength =
  (maxBytes: number): MiddlewareHandler =>
  async (c, next) => {
    if (Number(c.req.header('content-length') ?? 0) > maxBytes) throw tooLarge(maxBytes)
    await next()
  }

/** Reads a body of at most `maxBytes`. @throws ServiceError `payload_too_large` */
export async function readUpTo(maxBytes: number, { body }: Request): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of body ?? []) {
    size += piece.byteLength
    if (size > maxBytes) throw tooLarge(maxBytes)
    pieces.push(piece)
  }
  return new Uint8Array(Buffer.concat(pieces))
}
