import pRetry from 'p-retry'
import { isNetworkError, isServiceError, type ServiceError } from '../protocol/errors'
import { type Clock, minuteMs, monotonicNow } from '../protocol/time'
import { onAbort, pause } from './abort'

/** Bounds of retries. */
export interface RetryOptions {
  /**
   * Maximum time for all attempts, from the first one. Default 1 minute for reads, 5 minutes for other calls.
   */
  totalMs?: number | undefined
  /** Minimum wait before the first retry; doubles each time, with jitter. Default 200. */
  minDelayMs?: number | undefined
  /** Maximum wait. Default 10,000. */
  maxDelayMs?: number | undefined
}

/** Statuses of gateways; 520 to 530 are Cloudflare's for an origin that is away. */
const retriedStatuses: ReadonlySet<number> = new Set([502, 503, 504, 520, 521, 522, 523, 524, 530])
/** Codes of refusals that no retry helps, whatever the status. */
const finalCodes: ReadonlySet<string> = new Set(['signup_unavailable', 'quota_exceeded'])

/** Statuses with which a proxy refuses temporarily. Others, such as 404 or a redirect, mean a wrong URL. */
const proxyStatuses: ReadonlySet<number> = new Set([401, 403, 408, 425, 429])

/** Returns true if a proxy answered instead of the service, which says nothing about the key. */
const isPageOfProxy = ({ code, status }: ServiceError): boolean =>
  code === 'unexpected_answer' && (proxyStatuses.has(status) || status >= 500)

/**
 * Returns true if the service itself refuses the key, which no retry helps. A page of a proxy with the same
 * status does not count.
 */
export const isKeyRefusal = (error: unknown): boolean =>
  isServiceError(error) &&
  error.code !== 'unexpected_answer' &&
  (error.status === 401 || error.status === 403)

/** Returns true if the same request may succeed later: the network failed, or the service is away or busy. */
export const isTransient = (error: unknown): boolean => {
  if (isNetworkError(error)) return true
  if (!isServiceError(error) || finalCodes.has(error.code)) return false
  if (isPageOfProxy(error)) return true
  return retriedStatuses.has(error.status) || (error.status === 429 && error.retryAfterMs !== undefined)
}

/** Returns the milliseconds that the service requested by `Retry-After`, or 0. */
const askedMsOf = (error: unknown): number => (isServiceError(error) && error.retryAfterMs) || 0

/**
 * Returns the milliseconds until the next attempt, after this many consecutive failures (1 or more). The
 * pause is random up to a bound that doubles ("full jitter"), so that agents do not all return at once. It is
 * at least the time that the service requested, of which one minute counts.
 *
 * @param maxMs Longest pause that the service did not request.
 */
export const retryPauseMs = (error: unknown, failures: number, clock: Clock, maxMs = 30_000): number =>
  Math.max(
    Math.round(clock.random() * Math.min(maxMs, 250 * 2 ** Math.min(failures - 1, 30))),
    Math.min(minuteMs, askedMsOf(error)),
  )

/** Retries until success, a permanent error, the time limit, or an abort (at once, with its reason). */
export const withRetry = async <T>(
  run: () => Promise<T>,
  { totalMs = 60_000, minDelayMs = 200, maxDelayMs = 10_000 }: RetryOptions,
  signals: readonly (AbortSignal | undefined)[],
  clock: Clock,
): Promise<T> => {
  const endsAt = monotonicNow(clock) + totalMs
  const controller = new AbortController()
  const { signal } = controller
  const stops = signals.map((one) => onAbort(one, () => controller.abort(one?.reason)))

  async function waitBeforeNext(error: Error, attempt: number): Promise<void> {
    if (!isTransient(error)) throw error
    const leftMs = endsAt - monotonicNow(clock)
    const askedMs = askedMsOf(error)
    if (leftMs <= 0 || askedMs >= leftMs) throw error
    // Between one and two times the bound, so that clients do not all return at once.
    const jitteredMs = minDelayMs * 2 ** (attempt - 1) * (1 + clock.random())
    await pause(clock, Math.max(askedMs, Math.min(maxDelayMs, jitteredMs, leftMs)), signal)
    signal.throwIfAborted()
  }

  try {
    // The waits use our clock, so p-retry adds none.
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
