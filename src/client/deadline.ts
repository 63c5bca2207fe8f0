import { NetworkError } from '../protocol'
import type { Clock } from './clock'
import { onAbort } from './on-abort'

/** What ends a piece of work before it is done. */
export interface DeadlineOptions {
  timeoutMs: number
  clock: Clock
  signals: readonly (AbortSignal | undefined)[]
  /** Names the work in the message of the timeout. */
  where: string
}

/**
 * Runs work that must end in time. Rejects at once, also when the work does not listen to its signal.
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
