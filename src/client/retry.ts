import pRetry from 'p-retry'
import { isNetworkError, isServiceError } from '../protocol'
import { onAbort } from './on-abort'

/** How a failed request is repeated. */
export interface RetryOptions {
  /** For how long, from the first attempt. Default: 5 minutes for sends with a `client_id`, 1 minute else. */
  totalMs?: number
  /** The shortest first wait; doubles each time, with jitter. Default 200. */
  minDelayMs?: number
  /** The longest wait. Default 10,000. */
  maxDelayMs?: number
}

const retriedStatuses: ReadonlySet<number> = new Set([502, 503, 504])
/** Waiting does not help here, whatever the status says. */
const finalCodes: ReadonlySet<string> = new Set(['signup_unavailable', 'quota_exceeded'])

/** Whether the same request may go through later: the network failed, or the service is away or busy. */
export const isTransient = (error: unknown): boolean => {
  if (isNetworkError(error)) return true
  if (!isServiceError(error) || finalCodes.has(error.code)) return false
  return retriedStatuses.has(error.status) || (error.status === 429 && error.retryAfterMs !== undefined)
}

const sleep = (delayMs: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      stop()
      resolve()
    }, delayMs)
    const stop = onAbort(signal, () => {
      clearTimeout(timer)
      reject(signal.reason)
    })
  })

/** Runs until it succeeds, fails for good, the time is over, or the signal aborts (at once, with its reason). */
export const withRetry = async <T>(
  run: () => Promise<T>,
  { totalMs = 60_000, minDelayMs = 200, maxDelayMs = 10_000 }: RetryOptions,
  signals: readonly (AbortSignal | undefined)[],
): Promise<T> => {
  const endsAt = performance.now() + totalMs
  const controller = new AbortController()
  const stops = signals.map((signal) => onAbort(signal, () => controller.abort(signal?.reason)))
  try {
    return await pRetry(run, {
      retries: Number.POSITIVE_INFINITY,
      minTimeout: minDelayMs,
      maxTimeout: maxDelayMs,
      maxRetryTime: totalMs,
      randomize: true,
      signal: controller.signal,
      shouldRetry: ({ error }) => isTransient(error),
      onFailedAttempt: async ({ error }) => {
        if (!isServiceError(error) || !isTransient(error) || error.retryAfterMs === undefined) return
        if (performance.now() + error.retryAfterMs >= endsAt) throw error
        await sleep(error.retryAfterMs, controller.signal)
      },
    })
  } catch (error) {
    // p-retry wraps reasons that are not errors.
    throw controller.signal.aborted ? controller.signal.reason : error
  } finally {
    for (const stop of stops) stop()
  }
}
