import type { IncomingMessages, Message } from 'restante'

/** Takes the messages that are pushed. */
interface Sink {
  /** The next is asked for when this has returned, and its promise, if it is one, has resolved. */
  next(message: Message): unknown
  /** Takes the error that ended it, also one that `next` threw, whose message is given back. */
  error(error: unknown): void
  /** Nothing comes any more. */
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

/** The same until the returned function is called: then nothing more is pushed, and what is in hand goes back at once. */
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
