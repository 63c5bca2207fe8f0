import { onAbort, pause } from '../client/abort'
import type { Client } from '../client/client'
import { isTransient, retryPauseMs } from '../client/retry'
import { isNetworkError, isServiceError, NetworkError, ServiceError } from '../protocol/errors/error'
import { checkChoice, checkOptions, type OptionNames } from '../protocol/options'
import type { Account } from '../protocol/records/account'
import { type Clock, systemClock } from '../protocol/time/clock'
import { Engine } from './engine'
import type { MailboxOptions } from './settings'
import { connect } from './sync/connection'

/** Bounds of opening a mailbox. */
interface OpeningOptions {
  clock: Clock
  timeoutMs: number
  signal: AbortSignal | undefined
}

/** A mailbox that is being opened. */
interface Opening {
  /** Aborts when the time is over or the caller aborts. */
  readonly signal: AbortSignal
  end(): void
}

/** Starts the timeout for opening a mailbox. */
const createOpening = ({ clock, timeoutMs, signal }: OpeningOptions): Opening => {
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

/** Reads the account, with retries until it succeeds; calls `onFailure` with each failure. */
const readAccount = async (
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
      await pause(clock, retryPauseMs(error, failures, clock, 2_000), signal)
      signal.throwIfAborted()
    }
  }
}

/** Replaces a failure by one whose text says what to do about it. */
const explainFailure = (error: unknown, name: string, last: unknown): unknown => {
  if (isServiceError(error, 'unauthorized'))
    return new ServiceError(
      'unauthorized',
      `${name} refused the API key: pass one from signup or the console that was not revoked`,
      { status: 401, cause: error },
    )
  if (!isNetworkError(error) || error.code !== 'unreachable') return error
  const why = (last as Error | undefined)?.message ?? 'no answer'
  return new NetworkError(
    'unreachable',
    `${name} could not be reached: ${error.message} (${why}). Check the url, and that the service runs`,
    { cause: last ?? error },
  )
}

/** Starts the sync; resolves when it is live. */
const untilLive = async ({ emitter, sync }: Engine, signal: AbortSignal): Promise<void> => {
  const stops: (() => void)[] = []
  try {
    await new Promise<void>((resolve, reject) => {
      const stop = emitter.on('state', ({ status, error }) => {
        if (status === 'live') resolve()
        if (status === 'closed') reject(error)
      })
      stops.push(
        stop,
        onAbort(signal, () => reject(signal.reason)),
      )
      sync.start()
    })
  } finally {
    for (const stop of stops) stop()
  }
}

const names: OptionNames<MailboxOptions> = {
  ...{ url: true, apiKey: true, service: true, fetch: true, openSocket: true, inbox: true, signal: true },
  ...{ source: true, openTimeoutMs: true, maxCacheBytes: true, readAhead: true, clock: true },
}

/**
 * Connects the parts of a mailbox, starts its sync and waits until it is live.
 *
 * @throws as `Mailbox.open`
 */
export async function openEngine(given: MailboxOptions | undefined): Promise<Engine> {
  // JavaScript callers may omit the options: an error below names the required ones.
  const options = given ?? ({} as MailboxOptions)
  checkOptions('Mailbox.open()', options, names)
  checkChoice('source', options.source ?? 'auto', ['auto', 'socket', 'poll', 'webhook'])
  const { clock = systemClock, openTimeoutMs: timeoutMs = 10_000 } = options
  const opening = createOpening({ clock, timeoutMs, signal: options.signal })
  const lifetime = new AbortController()
  let engine: Engine | undefined
  let name = 'the service'
  let last: unknown
  try {
    opening.signal.throwIfAborted()
    const connection = await connect(options, clock, lifetime.signal)
    name = connection.name
    const { inboxes } = await readAccount(connection.client, clock, opening.signal, (error) => {
      last = error
    })
    engine = new Engine({ connection, inboxes, lifetime, settings: options })
    await untilLive(engine, opening.signal)
    return engine
  } catch (error) {
    last = engine?.sync.state.error ?? last
    await engine?.close()
    lifetime.abort(error)
    throw explainFailure(error, name, last)
  } finally {
    opening.end()
  }
}
