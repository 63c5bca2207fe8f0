import { minuteMs, refuse, refuseForNow } from '../../base'
import type { Clock } from '../../ports'
import { type MemoryBudget, MessageBuffer } from '../smtp'

const retryMs = 10_000
/** The time in which a body has to be here whole, where nothing before it shows who sends it. */
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

/** The bounds of a body. */
export interface BodyBounds {
  maxBytes: number
  budget: MemoryBudget
  /** The clock by which it has to come, where somebody sends it who is not known yet. */
  clock?: Pick<Clock, 'now'> | undefined
}

/** A part of a budget: whoever uses it up takes no more of the whole than that. */
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
 * Reads a body and works on it; what all bodies hold together is bounded, and a body that is too large is not read to
 * its end.
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
      // One that drips is ended by the server: pieces come often enough to look at the clock with each.
      if (clock && clock.now() - startedMs > strangerMs) throw tooSlow()
      buffer.add(Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength))
      if (buffer.state !== 'whole') throw refusals[buffer.state](maxBytes)
    }
    return await work(buffer.take())
  } finally {
    buffer.release()
  }
}
