import { refuse, refuseForNow } from '../../base'
import { type MemoryBudget, MessageBuffer } from '../smtp'

const retryMs = 10_000

const tooLarge = (maxBytes: number) =>
  refuse('message_too_large', `The mail is larger than ${maxBytes} bytes, which are the most here.`)

const refusals = {
  'too-large': tooLarge,
  'out-of-memory': () =>
    refuseForNow('Too much mail is coming in: bring it again in a moment.', retryMs, 'unavailable'),
}

/**
 * Reads a body and works on it; what all bodies hold together is bounded, and a body that is too large is not read to
 * its end.
 *
 * @throws ServiceError `message_too_large`, `unavailable`
 */
export async function withBody<T>(
  request: Request,
  maxBytes: number,
  budget: MemoryBudget,
  work: (bytes: Uint8Array<ArrayBuffer>) => Promise<T>,
): Promise<T> {
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) throw tooLarge(maxBytes)
  const buffer = new MessageBuffer(maxBytes, budget)
  try {
    for await (const piece of request.body ?? []) {
      buffer.add(Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength))
      if (buffer.state !== 'whole') throw refusals[buffer.state](maxBytes)
    }
    return await work(buffer.take())
  } finally {
    buffer.release()
  }
}
