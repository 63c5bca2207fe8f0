import { type Client, isTransient } from '../client'
import { type Event, isRestanteError, isServiceError, NetworkError, type RestanteError } from '../protocol'
import { backoffMs, reconnectBackoff } from './backoff'
import type { Clock } from './clock'
import { deliverPage, pageLimit } from './deliver-page'
import type { Source, SourceSink, StartSource } from './source'
import { initialSync, type SyncInput, type SyncModel, type SyncStatus, stepSync } from './sync-machine'

/** Where the mailbox stands. */
export interface SyncState {
  readonly status: SyncStatus
  /** What it reads from now; null between attempts. */
  readonly source: 'socket' | 'poll' | null
  /** The last position of the log that was applied. */
  readonly cursor: number
  /** The newest position known to exist. */
  readonly head: number
  /** `head - cursor`, in positions. */
  readonly lag: number
  /** When `status` became what it is. */
  readonly since: Date
  /** Why it is not live, where something failed. */
  readonly error: RestanteError | undefined
}

/** What a {@link Sync} reads, and whom it tells. */
export interface SyncOptions {
  client: Client
  clock: Clock
  /** `auto` takes the socket, and polls while sockets fail. */
  prefer: 'auto' | 'socket' | 'poll'
  inboxId: string | undefined
  startSocket: StartSource
  startPoll: StartSource
  /** Each event once, in order, without gaps. */
  onEvent(event: Event): void
  onState(state: SyncState): void
  onError(error: RestanteError): void
  /** The log was cut: what happened before this position and was not applied is not known. */
  onReset(cursor: number): void
  /** The service refuses this key; the sync has ended. */
  onFatal(error: RestanteError): void
}

const steadyMs = 5_000
const socketPatience = 3
const firstUpgradeMs = 60_000
const longestUpgradeMs = 10 * 60_000

/** One try of one source. */
interface Attempt {
  source: Source | null
  openedAt: number | null
}

const asError = (error: unknown): RestanteError =>
  isRestanteError(error)
    ? error
    : new NetworkError('network_failed', String((error as Error)?.message ?? error), { cause: error })

const isRefusal = (error: unknown): boolean =>
  isServiceError(error) && (error.status === 401 || error.status === 403)
const isExpiry = (error: unknown): boolean => isServiceError(error) && error.status === 410

/**
 * Keeps up with the log of an account: takes a snapshot, follows a source, repairs holes, reconnects and
 * never gives up by itself, unless the key is refused.
 */
export class Sync {
  readonly #options: SyncOptions
  readonly #controller = new AbortController()
  #model: SyncModel = initialSync
  #since: Date
  #error: RestanteError | undefined
  #current: Attempt | null = null
  #candidate: Attempt | null = null
  #needsSnapshot = true
  #fetching = false
  #failures = 0
  #socketFailures = 0
  #upgrades = 0
  #cancelRetry = () => {}
  #cancelUpgrade: (() => void) | null = null

  constructor(options: SyncOptions) {
    this.#options = options
    this.#since = new Date(options.clock.now())
  }

  get cursor(): number {
    return this.#model.cursor
  }

  get state(): SyncState {
    const { status, cursor, head } = this.#model
    const source = this.#current?.source?.kind ?? null
    const error = status === 'live' ? undefined : this.#error
    return { status, source, cursor, head, lag: head - cursor, since: this.#since, error }
  }

  start(): void {
    void this.#connect()
  }

  close(): void {
    this.#stop()
    this.#step({ type: 'closed' })
  }

  #stop(): void {
    this.#controller.abort()
    this.#cancelRetry()
    this.#cancelUpgrade?.()
    this.#candidate?.source?.close()
    this.#current?.source?.close()
    this.#candidate = this.#current = null
  }

  #step(input: SyncInput, event?: Event, misfit: RestanteError | null = null): void {
    const before = this.#model.status
    const { model, effect } = stepSync(this.#model, input)
    this.#model = model
    // First the event, then the word that it was the last one.
    if (effect === 'apply' && event) this.#apply(event, misfit)
    if (effect === 'fetch') void this.#fetch()
    if (this.#model === model && model.status !== before) this.#announce(model.status)
  }

  #announce(status: SyncStatus): void {
    this.#since = new Date(this.#options.clock.now())
    if (status === 'live') this.#error = undefined
    this.#options.onState(this.state)
  }

  #apply(event: Event, misfit: RestanteError | null): void {
    if (misfit) this.#options.onError(misfit)
    else this.#options.onEvent(event)
  }

  async #connect(): Promise<void> {
    try {
      if (this.#needsSnapshot) await this.#takeSnapshot()
    } catch (error) {
      return this.#failed(error)
    }
    if (!this.#controller.signal.aborted && !this.#current) this.#current = this.#attempt(this.#kind())
  }

  async #takeSnapshot(): Promise<void> {
    const { client, inboxId, onReset } = this.#options
    const { signal } = this.#controller
    const query = { after: 'now', inbox_id: inboxId, limit: 1 } as const
    const { to } = await client.events.list(query, { signal, retry: false, timeoutMs: 10_000 })
    this.#needsSnapshot = false
    this.#step({ type: 'snapshot', cursor: to })
    onReset(to)
  }

  #kind(): Source['kind'] {
    const { prefer } = this.#options
    if (prefer !== 'auto') return prefer
    return this.#socketFailures >= socketPatience ? 'poll' : 'socket'
  }

  #attempt(kind: Source['kind']): Attempt {
    const attempt: Attempt = { source: null, openedAt: null }
    const start = kind === 'socket' ? this.#options.startSocket : this.#options.startPoll
    attempt.source = start(this.#model.cursor, this.#sinkOf(attempt))
    if (kind === 'poll' && this.#options.prefer === 'auto') this.#planUpgrade()
    return attempt
  }

  #sinkOf(attempt: Attempt): SourceSink {
    return {
      opened: (head) => this.#opened(attempt, head),
      event: (prev, event, misfit) => this.#step({ type: 'event', prev, seq: event.seq }, event, misfit),
      covered: (prev, seq, head) => this.#step({ type: 'covered', prev, seq, head }),
      warn: (error) => this.#options.onError(asError(error)),
      lost: (error) => this.#lost(attempt, error),
    }
  }

  #opened(attempt: Attempt, head: number): void {
    attempt.openedAt = this.#options.clock.now()
    if (attempt === this.#candidate) {
      this.#current?.source?.close()
      this.#cancelRetry()
      this.#current = attempt
      this.#candidate = null
      this.#socketFailures = 0
    }
    this.#step({ type: 'opened', head })
  }

  #lost(attempt: Attempt, error: unknown): void {
    const steady = attempt.openedAt !== null && this.#options.clock.now() - attempt.openedAt >= steadyMs
    if (attempt.source?.kind === 'socket') this.#countSocketFailure(error, steady)
    if (attempt === this.#candidate) {
      this.#candidate = null
      if (isRefusal(error)) this.#refused(asError(error))
      else this.#planUpgrade()
      return
    }
    if (attempt !== this.#current) return
    this.#current = null
    if (steady) this.#failures = 0
    this.#failed(error)
  }

  #countSocketFailure(error: unknown, steady: boolean): void {
    if (steady) {
      this.#socketFailures = 0
      this.#upgrades = 0
    }
    // Something that swallows sockets will do so again: no need to wait for it three times.
    const hopeless = (error as { code?: unknown }).code === 'socket_timeout'
    this.#socketFailures += hopeless ? socketPatience : 1
  }

  #failed(error: unknown): void {
    if (this.#controller.signal.aborted) return
    this.#error = asError(error)
    if (isRefusal(error)) return this.#refused(this.#error)
    this.#failures += 1
    if (isExpiry(error)) {
      this.#needsSnapshot = true
      this.#step({ type: 'expired' })
    } else this.#step({ type: 'lost' })
    if (!isTransient(error)) this.#options.onError(this.#error)
    this.#retryLater()
  }

  #retryLater(): void {
    const { clock } = this.#options
    const delayMs = backoffMs(this.#failures, clock.random(), reconnectBackoff)
    this.#cancelRetry()
    if (this.#controller.signal.aborted) return
    this.#cancelRetry = clock.after(delayMs, () => void this.#connect())
  }

  #refused(error: RestanteError): void {
    this.#error = error
    this.#stop()
    this.#step({ type: 'refused' })
    this.#options.onFatal(error)
  }

  #planUpgrade(): void {
    if (this.#cancelUpgrade || this.#controller.signal.aborted) return
    const delayMs = Math.min(longestUpgradeMs, firstUpgradeMs * 2 ** Math.min(this.#upgrades, 10))
    this.#upgrades += 1
    this.#cancelUpgrade = this.#options.clock.background(delayMs, () => {
      this.#cancelUpgrade = null
      if (this.#current?.source?.kind === 'socket' || this.#candidate) return
      this.#candidate = this.#attempt('socket')
    })
  }

  /** Reads the log up to what is wanted; what the source tells meanwhile may overlap. */
  async #fetch(): Promise<void> {
    if (this.#fetching) return
    this.#fetching = true
    const attempt = this.#current
    try {
      while (this.#model.wanted > this.#model.cursor && !this.#controller.signal.aborted)
        await this.#fetchPage(attempt)
    } catch (error) {
      attempt?.source?.close()
      if (attempt) this.#lost(attempt, error)
    } finally {
      this.#fetching = false
    }
  }

  async #fetchPage(attempt: Attempt | null): Promise<void> {
    const { client, inboxId } = this.#options
    const after = this.#model.cursor
    const page = await client.events.list(
      { after, inbox_id: inboxId, limit: pageLimit },
      { signal: this.#controller.signal, retry: false },
    )
    if (this.#controller.signal.aborted) return
    deliverPage(page, this.#sinkOf(attempt ?? { source: null, openedAt: null }))
    if (this.#model.cursor <= after)
      throw new NetworkError('log_incomplete', `the service does not show its log after ${after}`)
  }
}
