import type { IncomingMessages, Message } from 'restante'

/** Receiver of pushed messages. */
interface Sink {
  /** Gets a message. The next one is requested when this has returned and its promise has resolved. */
  next(message: Message): unknown
  /** Gets the error that ended it. If `next` threw it, its message is given back. */
  error(error: unknown): void
  /** Called when there are no more messages. */
  end(): void
}

/** Pushes messages to a sink, one at a time. */
export async function pump(incoming: IncomingMessages, sink: Sink): Promise<void> {
  try {
    for await (const message of incoming) await sink.next(message)
  } catch (error) {
    return sink.error(error)
  }
  sink.end()
}

/**
 * Pushes messages until the returned function is called. Then nothing more is pushed, and the message in
 * progress is given back at once.
 */
export function pumpUntilLeft(incoming: IncomingMessages, sink: Sink): () => Promise<void> {
  let isLeft = false
  const unlessLeft = (then: () => void) => {
    if (!isLeft) then()
  }
  void pump(incoming, {
    next: (message) => sink.next(message),
    error: (error) => unlessLeft(() => sink.error(error)),
    end: () => unlessLeft(() => sink.end()),
  })
  return async () => {
    isLeft = true
    await incoming.return()
  }
}
