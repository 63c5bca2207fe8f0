import { NetworkError } from '../protocol/errors/error'
import type { Clock } from '../protocol/time/clock'

const callbacksOf = new WeakMap<AbortSignal, Set<() => void>>()

const watch = (signal: AbortSignal): Set<() => void> => {
  const callbacks = new Set<() => void>()
  const fire = () => {
    for (const callback of [...callbacks]) callback()
  }
  // One listener for any number of waiters: Node warns of a leak from the eleventh listener on.
  signal.addEventListener('abort', fire, { once: true })
  callbacksOf.set(signal, callbacks)
  return callbacks
}

/** Calls back once when the signal aborts, or at once if it has. The returned function unsubscribes. */
export const onAbort = (signal: AbortSignal | undefined, callback: () => void): (() => void) => {
  if (!signal) return () => {}
  if (signal.aborted) {
    callback()
    return () => {}
  }
  const callbacks = callbacksOf.get(signal) ?? watch(signal)
  const own = () => callback()
  callbacks.add(own)
  return () => void callbacks.delete(own)
}

/** Settles like the promise, or rejects with the signal's reason as soon as that aborts. */
export const abortable = <T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> => {
  if (!signal) return promise
  return new Promise<T>((resolve, reject) => {
    const stop = onAbort(signal, () => reject(signal.reason))
    promise.then(resolve, reject).finally(stop)
  })
}

/** Resolves after `delayMs`, or as soon as the signal aborts; check the signal to tell which. */
export const pause = (clock: Clock, delayMs: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = () => {
      cancel()
      stop()
      resolve()
    }
    const cancel = clock.after(delayMs, end)
    // `onAbort` calls `end` before it returns if the signal has aborted already.
    let stop = () => {}
    stop = onAbort(signal, end)
  })

/** Bounds of a piece of work. */
interface DeadlineOptions {
  timeoutMs: number
  clock: Clock
  signals: readonly (AbortSignal | undefined)[]
  /** Name of the work in the message of the timeout. */
  where: string
}

/**
 * Runs work with a time limit. Rejects at once, even if the work ignores its signal.
 *
 * @throws NetworkError `timeout`; the reason of the first of `signals` that aborts.
 */
export const withDeadline = async <T>(
  { timeoutMs, clock, signals, where }: DeadlineOptions,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> => {
  const controller = new AbortController()
  const interrupted = new Promise<never>((_resolve, reject) => {
    const interrupt = () => {
      cancel()
      reject(controller.signal.reason)
    }
    controller.signal.addEventListener('abort', interrupt, { once: true })
  })
  interrupted.catch(() => {})
  const timeout = () =>
    controller.abort(
      new NetworkError(
        'timeout',
        `${where}: no answer within ${timeoutMs} ms; try again, or raise timeoutMs`,
      ),
    )
  const cancel = clock.after(timeoutMs, timeout)
  const stops = signals.map((signal) => onAbort(signal, () => controller.abort(signal?.reason)))
  try {
    controller.signal.throwIfAborted()
    return await Promise.race([interrupted, run(controller.signal)])
  } finally {
    cancel()
    for (const stop of stops) stop()
  }
}
