import { NetworkError } from '../protocol'
import { onAbort } from './on-abort'

/** What ends a piece of work before it is done. */
export interface DeadlineOptions {
  timeoutMs: number
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
  { timeoutMs, signals, where }: DeadlineOptions,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> => {
  const controller = new AbortController()
  const interrupted = new Promise<never>((_resolve, reject) => {
    controller.signal.addEventListener('abort', () => reject(controller.signal.reason), { once: true })
  })
  interrupted.catch(() => {})
  const timeout = () =>
    controller.abort(
      new NetworkError(
        'timeout',
        `${where}: no answer within ${timeoutMs} ms; try again, or raise timeoutMs`,
      ),
    )
  const timer = setTimeout(timeout, timeoutMs)
  const stops = signals.map((signal) => onAbort(signal, () => controller.abort(signal?.reason)))
  try {
    controller.signal.throwIfAborted()
    return await Promise.race([interrupted, run(controller.signal)])
  } finally {
    clearTimeout(timer)
    for (const stop of stops) stop()
  }
}
