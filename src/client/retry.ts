import { isNetworkError, isServiceError, type ServiceError } from '../protocol/errors/error'
import { type Clock, minuteMs, monotonicNow } from '../protocol/time/clock'
import { onAbort, pause } from './abort'

/** The bounds of repeating a failed request. */
export interface RetryOptions {
  /** For how long, from the first attempt. Default: 5 minutes for sends with a `client_id`, 1 minute else. */
  totalMs?: number | undefined
  /** The shortest first wait; doubles each time, with jitter. Default 200. */
  minDelayMs?: number | undefined
  /** The longest wait. Default 10,000. */
  maxDelayMs?: number | undefined
}

/** Of gateways: 520 to 530 are Cloudflare's for an origin that is away. */
const retriedStatuses: ReadonlySet<number> = new Set([502, 503, 504, 520, 521, 522, 523, 524, 530])
/** Codes of refusals that waiting does not help, whatever their status says. */
const finalCodes: ReadonlySet<string> = new Set(['signup_unavailable', 'quota_exceeded'])

/** Statuses with which a proxy refuses for a while; others, such as 404 or a redirect, may mean a wrong address. */
const proxyStatuses: ReadonlySet<number> = new Set([401, 403, 408, 425, 429])

/** Returns whether a page answered in place of the service. JSON that does not fit is no page: it stays as it is. */
const isPage = ({ code, details }: ServiceError): boolean =>
  code === 'unexpected_answer' && !(details as { misfit?: string } | undefined)?.misfit

/**
 * Returns whether the service itself refuses the key, which no retry helps. A page of a proxy with the same status does
 * not count.
 */
export const isKeyRefusal = (error: unknown): boolean =>
  isServiceError(error) &&
  error.code !== 'unexpected_answer' &&
  (error.status === 401 || error.status === 403)

/** Pages in place of a service that had answered before. */
const temporaryPages = new WeakSet<object>()

/** Notes that a page is temporary, since the service has answered at this address. A permanent redirect is not. */
export const notePage = (error: unknown): void => {
  if (isServiceError(error) && isPage(error) && error.status !== 301 && error.status !== 308)
    temporaryPages.add(error)
}

/** Returns whether the same request may succeed later: the network failed, or the service is away or busy. */
export const isTransient = (error: unknown): boolean => {
  if (isNetworkError(error)) return true
  if (!isServiceError(error) || finalCodes.has(error.code)) return false
  if (temporaryPages.has(error)) return true
  if (isPage(error) && (proxyStatuses.has(error.status) || error.status >= 500)) return true
  return retriedStatuses.has(error.status) || (error.status === 429 && error.retryAfterMs !== undefined)
}

/** The pause that the service asked for by `Retry-After`. */
const askedMsOf = (error: unknown): number => (isServiceError(error) && error.retryAfterMs) || 0

/**
 * Milliseconds until the next attempt after this many failures in a row (1 or more): anything up to a bound that doubles,
 * so that many agents do not come back at the same moment ("full jitter"). At least what the service asked for, of which
 * a minute counts.
 *
 * @param maxMs The longest pause that the service did not ask for.
 */
export const retryPauseMs = (error: unknown, failures: number, clock: Clock, maxMs = 30_000): number =>
  Math.max(
    Math.round(clock.random() * Math.min(maxMs, 250 * 2 ** Math.min(failures - 1, 30))),
    Math.min(minuteMs, askedMsOf(error)),
  )

/** Runs until it succeeds, fails for good, the time is over, or the signal aborts (at once, with its reason). */
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

  async function waitBeforeNext(error: unknown, attempt: number): Promise<void> {
    if (!isTransient(error)) throw error
    const leftMs = endsAt - monotonicNow(clock)
    const askedMs = askedMsOf(error)
    if (leftMs <= 0 || askedMs >= leftMs) throw error
    // Between one bound and two, so that many clients do not come back at the same moment.
    const jitteredMs = minDelayMs * 2 ** (attempt - 1) * (1 + clock.random())
    await pause(clock, Math.max(askedMs, Math.min(maxDelayMs, jitteredMs, leftMs)), signal)
    signal.throwIfAborted()
  }

  try {
    signal.throwIfAborted()
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await run()
      } catch (error) {
        await waitBeforeNext(error, attempt)
      }
    }
  } catch (error) {
    throw signal.aborted ? signal.reason : error
  } finally {
    for (const stop of stops) stop()
  }
}
