import { refuse, refuseForNow } from '../../base/refuse'
import { minuteMs } from '../../base/time'
import type { Clock } from '../../ports'
import { type MemoryBudget, MessageBuffer } from '../smtp/message-buffer'

const retryMs = 10_000
/** Time in ms within which a body must arrive, if its headers do not show who sends it. */
const strangerMs = 2 * minuteMs

const tooLarge = (maxBytes: number) =>
  refuse('message_too_large', `The mail is larger than ${maxBytes} bytes, which are the most here.`)

const refusals = {
  'too-large': tooLarge,
  'out-of-memory': () =>
    refuseForNow('Too much mail is coming in: bring it again in a moment.', retryMs, 'unavailable'),
}

const tooSlow = () =>
  refuseForNow(
    `The body did not come within ${strangerMs / 1_000} seconds: bring it again.`,
    retryMs,
    'unavailable',
  )

/** Limits of a body. */
export interface BodyBounds {
  maxBytes: number
  budget: MemoryBudget
  /** Clock for the time limit, if the sender is not known yet. */
  clock?: Pick<Clock, 'now'> | undefined
}

/** Returns a share of a budget, which limits what its user takes from the whole. */
export function shareOf(whole: MemoryBudget, maxBytes: number): MemoryBudget {
  let used = 0
  return {
    get maxBytes() {
      return Math.min(maxBytes, used + whole.maxBytes - whole.usedBytes)
    },
    get usedBytes() {
      return used
    },
    set usedBytes(bytes) {
      whole.usedBytes += bytes - used
      used = bytes
    },
  }
}

/**
 * Reads a body and works on it. The memory of all bodies together is limited, and a body that is too large is
 * not read to its end.
 *
 * @throws ServiceError `message_too_large`, `unavailable`
 */
export async function withBody<T>(
  request: Request,
  { maxBytes, budget, clock }: BodyBounds,
  work: (bytes: Uint8Array<ArrayBuffer>) => Promise<T>,
): Promise<T> {
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) throw tooLarge(maxBytes)
  const buffer = new MessageBuffer(maxBytes, budget)
  const startedMs = clock?.now() ?? 0
  try {
    for await (const piece of request.body ?? []) {
      // The server ends bodies that trickle, so chunks arrive often enough to check the clock with each.
      if (clock && clock.now() - startedMs > strangerMs) throw tooSlow()
      buffer.add(Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength))
      if (buffer.state !== 'whole') throw refusals[buffer.state](maxBytes)
    }
    return await work(await buffer.take())
  } finally {
    buffer.release()
  }
}
