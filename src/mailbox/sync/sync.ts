import type { Client } from '../../client/client'
import { isKeyRefusal, isTransient, retryPauseMs } from '../../client/retry'
import {
  isServiceError,
  NetworkError,
  type RestanteError,
  ServiceError,
  UsageError,
} from '../../protocol/errors/error'
import type { Event } from '../../protocol/records/event'
import { type Clock, monotonicNow } from '../../protocol/time/clock'
import { asRestanteError } from '../base/failures'
import { CursorWaits } from './cursor-waits'
import {
  pageLimit,
  type Source,
  type SourceKind,
  type SourceSink,
  type StartSource,
  takePage,
} from './source'
import { chooseSource, lostPoll, lostSocket, planTrial, untriedSockets, wonSocket } from './source-choice'
import { initialSync, type SyncInput, type SyncModel, type SyncStatus, stepSync } from './sync-machine'

/** Status of a mailbox, and its position in the event log. */
export interface SyncState {
  readonly status: SyncStatus
  /** The source that it reads from; null between attempts. */
  readonly source: SourceKind | null
  /** Last applied position of the log. */
  readonly cursor: number
  /** Newest known position of the log. */
  readonly head: number
  /** `head - cursor`, in positions. */
  readonly lag: number
  /** Time of the last change of `status`. */
  readonly since: Date
  /** Why it is not live, if something failed. */
  readonly error: RestanteError | undefined
}

/** Options of a {@link Sync}: its sources and callbacks. */
interface SyncOptions {
  client: Client
  clock: Clock
  /** `auto` uses the socket, and polls while sockets fail. */
  prefer: 'auto' | SourceKind
  inboxId: string | undefined
  sources: Readonly<Record<SourceKind, StartSource>>
  /** Called with each event once, in order, without gaps. */
  onEvent(event: Event): void
  onState(state: SyncState): void
  onError(error: RestanteError): void
  /** The log was cut: events between this position and the cursor are unknown. */
  onReset(applied: number): void
  /** The service refuses this key; the sync has ended. */
  onFatal(error: RestanteError): void
}

const steadyMs = 5_000

/** Epoch of a log that was never restored; services of earlier versions name none. */
const firstEpoch = 'first'
const otherEpoch = () =>
  new ServiceError('cursor_expired', 'the log was restored from a backup: positions mean other events', {
    status: 410,
  })

/** One attempt to read from one source. */
interface Attempt {
  source: Source | null
  openedAt: number | null
}

/** A proxy may also answer 401 to an upgrade, so an HTTP request must confirm that the key was refused. */
const isUpgradeRefusal = (error: unknown): boolean =>
  ((error as Error | null)?.cause as { code?: unknown } | undefined)?.code === 'upgrade_unauthorized'

const isExpiry = (error: unknown): boolean => isServiceError(error) && error.status === 410

/**
 * Follows the log of an account: takes a snapshot, follows a source, repairs gaps and reconnects. It gives up
 * only if the key is refused.
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
  #epoch = firstEpoch
  /** Last position that this epoch shares with the one before. */
  #epochFrom = 0
  #fetching = false
  #ending: RestanteError | undefined
  #failures = 0
  #sockets = untriedSockets
  readonly #waits = new CursorWaits()
  #cancelRetry = () => {}
  #cancelTrial: (() => void) | null = null

  constructor(options: SyncOptions) {
    this.#options = options
    this.#since = new Date(options.clock.now())
  }

  get cursor(): number {
    return this.#model.cursor
  }

  /** Epoch of the log; undefined for the first, so that older tokens stay valid. */
  get epoch(): string | undefined {
    return this.#epoch === firstEpoch ? undefined : this.#epoch
  }

  /** Returns the position from which this epoch has everything after `seq` of that epoch. */
  positionOf(seq: number, epoch = firstEpoch): number {
    return epoch === this.#epoch ? seq : Math.min(seq, this.#epochFrom)
  }

  /** Returns whether a page of the log is of the epoch that the sync reads. */
  isCurrent({ epoch = firstEpoch }: { readonly epoch?: string | undefined }): boolean {
    return epoch === this.#epoch
  }

  get state(): SyncState {
    const { status, cursor } = this.#model
    const head = Math.max(this.#model.head, this.#model.wanted)
    const source = this.#current?.source?.kind ?? null
    const error = status === 'live' ? undefined : this.#error
    return { status, source, cursor, head, lag: head - cursor, since: this.#since, error }
  }

  start(): void {
    void this.#connect()
  }

  close(): void {
    this.#stop(new UsageError('mailbox_closed', 'the mailbox was closed: open another one'))
    this.#step({ type: 'closed' })
  }

  /**
   * Reads the log up to this position, whatever the source does; resolves once it is applied. It costs
   * nothing if the cursor is already there.
   *
   * @throws NetworkError `log_incomplete` if the log ends before that position; ServiceError
   *   `cursor_expired` if the position is of another epoch, which is read from now on; errors of the read,
   *   after which the source continues by itself; UsageError `mailbox_closed`
   */
  hint(seq: number, epoch = this.#epoch): Promise<void> {
    const { status, cursor } = this.#model
    if (status === 'closed') return Promise.reject(this.#ending)
    if (epoch !== this.#epoch) {
      const attempt = this.#current
      attempt?.source?.close()
      if (attempt) this.#lost(attempt, otherEpoch())
      return Promise.reject(otherEpoch())
    }
    if (seq <= cursor) return Promise.resolve()
    const reached = this.#waits.add(seq)
    this.#step({ type: 'hint', seq })
    return reached
  }

  #stop(why: RestanteError): void {
    this.#ending ??= why
    this.#controller.abort()
    this.#waits.fail(why)
    this.#cancelRetry()
    this.#cancelTrial?.()
    this.#candidate?.source?.close()
    this.#current?.source?.close()
    this.#candidate = this.#current = null
  }

  #step(input: SyncInput, event?: Event, misfit: RestanteError | null = null): void {
    const before = this.#model.status
    const { model, effect } = stepSync(this.#model, input)
    this.#model = model
    // Emit the event before the status that says it was the last one.
    if (effect === 'apply' && event) this.#apply(event, misfit)
    this.#waits.reached(model.cursor)
    if (effect === 'fetch') void this.#fetch()
    if (this.#model === model && model.status !== before) this.#announce(model.status)
  }

  #announce(status: SyncStatus): void {
    this.#since = new Date(this.#options.clock.now())
    if (status === 'live') this.#error = undefined
    this.#options.onState(this.state)
  }

  #apply(event: Event, misfit: RestanteError | null): void {
    if (misfit) return this.#options.onError(misfit)
    try {
      this.#options.onEvent(event)
    } catch (error) {
      // One event must not keep later ones from being read.
      this.#options.onError(asRestanteError(error))
    }
  }

  async #connect(): Promise<void> {
    try {
      if (this.#needsSnapshot) await this.#takeSnapshot()
    } catch (error) {
      return this.#failed(error)
    }
    if (!this.#controller.signal.aborted && !this.#current)
      this.#current = this.#attempt(chooseSource(this.#options.prefer, this.#sockets))
  }

  async #takeSnapshot(): Promise<void> {
    const { client, inboxId, onReset } = this.#options
    const { signal } = this.#controller
    const query = { after: 'now', inbox_id: inboxId, limit: 1 } as const
    const page = await client.events.list(query, { signal, retry: false, timeoutMs: 10_000 })
    const { to, epoch = firstEpoch, epoch_from = to } = page
    const before = this.#epoch
    this.#needsSnapshot = false
    this.#epoch = epoch
    this.#epochFrom = epoch_from
    const applied = this.positionOf(this.#model.cursor, before)
    this.#step({ type: 'snapshot', cursor: to })
    onReset(applied)
  }

  #attempt(kind: SourceKind): Attempt {
    const attempt: Attempt = { source: null, openedAt: null }
    attempt.source = this.#options.sources[kind](this.#sinkOf(attempt))
    if (kind === 'poll' && this.#options.prefer === 'auto') this.#planTrial()
    return attempt
  }

  #sinkOf(attempt: Attempt): SourceSink {
    return {
      cursor: () => this.#model.cursor,
      check: (page) => {
        if (!this.isCurrent(page)) throw otherEpoch()
      },
      opened: (head) => this.#opened(attempt, head),
      event: (prev, event, misfit) => this.#step({ type: 'event', prev, seq: event.seq }, event, misfit),
      covered: (prev, seq, head) => this.#step({ type: 'covered', prev, seq, head }),
      warn: (error) => this.#options.onError(asRestanteError(error)),
      lost: (error) => this.#lost(attempt, error),
    }
  }

  #opened(attempt: Attempt, head: number): void {
    attempt.openedAt = monotonicNow(this.#options.clock)
    if (attempt === this.#candidate) {
      this.#current?.source?.close()
      this.#cancelRetry()
      this.#current = attempt
      this.#candidate = null
      this.#sockets = wonSocket(this.#sockets)
    }
    this.#step({ type: 'opened', head })
  }

  #lost(attempt: Attempt, error: unknown): void {
    const { openedAt } = attempt
    const steady = openedAt !== null && monotonicNow(this.#options.clock) - openedAt >= steadyMs
    if (attempt.source?.kind === 'socket') this.#sockets = lostSocket(this.#sockets, steady, error)
    if (attempt.source?.kind === 'poll' && attempt.openedAt === null) this.#serviceIsDown()
    if (attempt === this.#candidate) {
      this.#candidate = null
      if (isKeyRefusal(error)) this.#refused(asRestanteError(error))
      else this.#planTrial()
      return
    }
    if (attempt !== this.#current) return
    this.#current = null
    if (steady) this.#failures = 0
    this.#failed(error)
  }

  #serviceIsDown(): void {
    this.#sockets = lostPoll
    this.#cancelTrial?.()
    this.#cancelTrial = null
  }

  #failed(error: unknown): void {
    if (!isUpgradeRefusal(error)) return this.#failedBy(error)
    void this.#askByHttp().then((refusal) => this.#failedBy(refusal ?? error))
  }

  /** Asks the service by HTTP whether it accepts the key; returns its refusal, or null. */
  async #askByHttp(): Promise<unknown> {
    const { client, inboxId } = this.#options
    const { signal } = this.#controller
    try {
      const query = { after: 'now', inbox_id: inboxId, limit: 1 } as const
      await client.events.list(query, { signal, retry: false, timeoutMs: 10_000 })
      return null
    } catch (error) {
      return isKeyRefusal(error) ? error : null
    }
  }

  #failedBy(error: unknown): void {
    if (this.#controller.signal.aborted) return
    this.#error = asRestanteError(error)
    if (isKeyRefusal(error)) return this.#refused(this.#error)
    this.#failures += 1
    if (isExpiry(error)) {
      this.#needsSnapshot = true
      this.#step({ type: 'expired' })
    } else this.#step({ type: 'lost' })
    if (!isTransient(error)) this.#options.onError(this.#error)
    this.#retryLater(error)
  }

  #retryLater(error: unknown): void {
    const { clock } = this.#options
    this.#cancelRetry()
    if (this.#controller.signal.aborted) return
    this.#cancelRetry = clock.after(retryPauseMs(error, this.#failures, clock), () => void this.#connect())
  }

  #refused(error: RestanteError): void {
    this.#error = error
    this.#stop(error)
    this.#step({ type: 'refused' })
    this.#options.onFatal(error)
  }

  #planTrial(): void {
    if (this.#cancelTrial || this.#controller.signal.aborted) return
    const { delayMs, record } = planTrial(this.#sockets)
    this.#sockets = record
    this.#cancelTrial = this.#options.clock.background(delayMs, () => {
      this.#cancelTrial = null
      if (this.#current?.source?.kind === 'socket' || this.#candidate) return
      this.#candidate = this.#attempt('socket')
    })
  }

  /** Reads the log up to the wanted position. Events from the source may overlap. */
  async #fetch(): Promise<void> {
    if (this.#fetching) return
    this.#fetching = true
    const attempt = this.#current
    try {
      while (this.#model.wanted > this.#model.cursor && !this.#controller.signal.aborted)
        await this.#fetchPage(attempt)
    } catch (error) {
      this.#waits.fail(error)
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
    const sink = this.#sinkOf(attempt ?? { source: null, openedAt: null })
    sink.check(page)
    takePage(page, sink)
    if (this.#model.cursor <= after) this.#notFound(after)
  }

  /** Handles a page without progress: an error of the service, unless a hint named another log. */
  #notFound(after: number): void {
    const error = new NetworkError('log_incomplete', `the service does not show its log after ${after}`)
    this.#step({ type: 'ended' })
    if (this.#model.wanted > this.#model.cursor) throw error
    this.#waits.fail(error)
  }
}
