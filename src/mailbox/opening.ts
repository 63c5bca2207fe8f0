import { type Client, isTransient, onAbort, pause } from '../client'
import { type Account, isNetworkError, isServiceError, NetworkError, ServiceError } from '../protocol'
import { backoffMs } from './backoff'
import type { Clock } from './clock'
import type { SyncState } from './sync'

/** The bounds of opening a mailbox. */
export interface OpeningOptions {
  clock: Clock
  timeoutMs: number
  signal: AbortSignal | undefined
}

/** A mailbox that is being opened. */
export interface Opening {
  /** Aborts when the time is over or the caller aborts. */
  readonly signal: AbortSignal
  end(): void
}

/** Starts the time in which a mailbox must be open. */
export const createOpening = ({ clock, timeoutMs, signal }: OpeningOptions): Opening => {
  const controller = new AbortController()
  const late = new NetworkError('unreachable', `not open within ${timeoutMs} ms`)
  const cancel = clock.after(timeoutMs, () => controller.abort(late))
  const stop = onAbort(signal, () => controller.abort(signal?.reason))
  return {
    signal: controller.signal,
    end: () => {
      cancel()
      stop()
    },
  }
}

/** Reads the account, however often it takes; `onFailure` hears of what went wrong meanwhile. */
export const readAccount = async (
  client: Client,
  clock: Clock,
  signal: AbortSignal,
  onFailure: (error: unknown) => void,
): Promise<Account> => {
  for (let failures = 1; ; failures += 1) {
    try {
      return await client.account.get({}, { signal, retry: false, timeoutMs: 5_000 })
    } catch (error) {
      if (signal.aborted || !isTransient(error)) throw error
      onFailure(error)
      await pause(clock, backoffMs(failures, clock.random(), { baseMs: 250, capMs: 2_000 }), signal)
      signal.throwIfAborted()
    }
  }
}

/** The same failure in words that tell what to do about it. */
export const explainFailure = (error: unknown, name: string, last: unknown): unknown => {
  if (isServiceError(error, 'unauthorized'))
    return new ServiceError(
      'unauthorized',
      `${name} refused the API key: pass the key that signup or the console gave, and check that it was not revoked`,
      { status: 401, cause: error },
    )
  if (!isNetworkError(error) || error.code !== 'unreachable') return error
  const why = (last as Error | undefined)?.message ?? 'no answer'
  return new NetworkError(
    'unreachable',
    `${name} could not be reached: ${error.message} (${why}). Check that url is right and that the service runs`,
    { cause: last ?? error },
  )
}

/** Starts it, and resolves when it is live. */
export const untilLive = async (
  start: () => void,
  onState: (listener: (state: SyncState) => void) => () => void,
  signal: AbortSignal,
): Promise<void> => {
  const stops: (() => void)[] = []
  try {
    await new Promise<void>((resolve, reject) => {
      const stop = onState(({ status, error }) => {
        if (status === 'live') resolve()
        if (status === 'closed') reject(error)
      })
      stops.push(
        stop,
        onAbort(signal, () => reject(signal.reason)),
      )
      start()
    })
  } finally {
    for (const stop of stops) stop()
  }
}
