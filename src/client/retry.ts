import pRetry from 'p-retry'
import { isNetworkError, isServiceError } from '../protocol/errors'
import type { Clock } from '../protocol/time'
import { onAbort, pause } from './abort'

/** The bounds of repeating a failed request. */
export interface RetryOptions {
  /** For how long, from the first attempt. Default: 5 minutes for sends with a `client_id`, 1 minute else. */
  totalMs?: number
  /** The shortest first wait; doubles each time, with jitter. Default 200. */
  minDelayMs?: number
  /** The longest wait. Default 10,000. */
  maxDelayMs?: number
}

const retriedStatuses: ReadonlySet<number> = new Set([502, 503, 504])
/** Codes of refusals that waiting does not help, whatever their status says. */
const finalCodes: ReadonlySet<string> = new Set(['signup_unavailable', 'quota_exceeded'])

/** Tells whether the same request may go through later: the network failed, or the service is away or busy. */
export const isTransient = (error: unknown): boolean => {
  if (isNetworkError(error)) return true
  if (!isServiceError(error) || finalCodes.has(error.code)) return false
  return retriedStatuses.has(error.status) || (error.status === 429 && error.retryAfterMs !== undefined)
}

/** Runs until it succeeds, fails for good, the time is over, or the signal aborts (at once, with its reason). */
export const withRetry = async <T>(
  run: () => Promise<T>,
  { totalMs = 60_000, minDelayMs = 200, maxDelayMs = 10_000 }: RetryOptions,
  signals: readonly (AbortSignal | undefined)[],
  clock: Clock,
): Promise<T> => {
  const endsAt = clock.now() + totalMs
  const controller = new AbortController()
  const { signal } = controller
  const stops = signals.map((one) => onAbort(one, () => controller.abort(one?.reason)))

  async function waitBeforeNext(error: Error, attempt: number): Promise<void> {
    if (!isTransient(error)) throw error
    const leftMs = endsAt - clock.now()
    const askedMs = (isServiceError(error) ? error.retryAfterMs : undefined) ?? 0
    if (leftMs <= 0 || askedMs >= leftMs) throw error
    // Between one bound and two, so that many clients do not come back at the same moment.
    const jitteredMs = minDelayMs * 2 ** (attempt - 1) * (1 + clock.random())
    await pause(clock, Math.max(askedMs, Math.min(maxDelayMs, jitteredMs, leftMs)), signal)
    signal.throwIfAborted()
  }

  try {
    // The waits go by our clock, so p-retry has none of its own.
    return await pRetry(run, {
      retries: Number.POSITIVE_INFINITY,
      minTimeout: 0,
      signal,
      onFailedAttempt: ({ error, attemptNumber }) => waitBeforeNext(error, attemptNumber),
    })
  } catch (error) {
    // p-retry wraps reasons that are not errors.
    throw signal.aborted ? signal.reason : error
  } finally {
    for (const stop of stops) stop()
  }
}
