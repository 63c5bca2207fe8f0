import { isServiceError } from '../../protocol/errors/error'
import { type ClientFrame, type CloseReason, clientFrame, heartbeatMs } from '../../protocol/frames'
import { idle, monotonicNow } from '../../protocol/time/clock'
import { isReadable, type Reach, requireReadable } from '../accounts/account'
import type { Scope } from '../accounts/keys'
import type { AccountPorts } from '../accounts/ports'
import { outageOf } from '../base/outage'
import { narrowEvent } from '../base/sender'
import { type LogFilter, type LogPage, logTopic, passes, readLog } from '../log/event-log'
import { epochOf, type LogEpoch } from '../log/log-epoch'
import type { Lookout } from '../log/lookout'
import type { LogEntry, LogHint } from '../ports'
import type { FairQueue } from './fair-queue'
import { Output, type OutputBudget, type Peer, sayGoodbye } from './output'

type Subscribe = Extract<ClientFrame, { type: 'subscribe' }>
interface Subscription {
  filter: LogFilter
  /** Position up to which the log was read. */
  cursor: number
  /** Last position sent to the reader, which stays behind while the filter excludes all events. */
  sent: number
  /** True once the reader was sent that it is caught up. */
  caughtUp: boolean
}

export interface SessionOptions {
  ports: AccountPorts
  scope: Scope
  peer: Peer
  budget: OutputBudget
  reads: FairQueue
  /** Polls the end of each account's log for all sockets. */
  lookout: Lookout<Reach>
  /** Called when the service ends the session, with the reason. */
  onGoodbye: (reason: CloseReason) => void
}

/**
 * Events in one page: small, so that one reader holds little in memory. Events that do not fit are read
 * again, in smaller pages.
 */
const maxPageSize = 20
/** Minimum time in ms between two subscribes, which cost reads of the log; the last of several counts. */
const subscribeEveryMs = 250
/**
 * Failed reads, seconds apart, before the socket closes: a restart of the database must not make all sockets
 * reconnect at once.
 */
const maxOutages = 2

/**
 * Frame budget: a frame costs 1, and 1 more per 1,024 characters. `maxBurst` is the maximum at once,
 * `perSecond` the refill.
 */
const maxBurst = 200
const perSecond = 20

/** Rate limit of one socket's frames (the generic cell rate algorithm: one number, and no timer). */
class FrameRate {
  #emptyAtMs = 0

  /** Counts a frame of this length; returns false if it came too fast. */
  take(length: number, nowMs: number): boolean {
    const cost = 1 + length / 1024
    const emptyAtMs = Math.max(this.#emptyAtMs, nowMs) + (cost / perSecond) * 1000
    if (emptyAtMs - nowMs > (maxBurst / perSecond) * 1000) return false
    this.#emptyAtMs = emptyAtMs
    return true
  }
}

/**
 * Sends the log of an account to one socket, from its own cursor:
 *
 *     open ──subscribe──▶ reading ──end of log──▶ live ──hint that follows the cursor──▶ live
 *                            ▲                      │
 *                            └─any other hint, or look─┘            any ──close, error, silence──▶ closed
 *
 * A live reader gets committed events directly from the hint. After a lost or late wake-up, or if the reader
 * is slow, the session reads the log again. Every few seconds the end of the log is polled for all sockets: a
 * session that is behind or not live reads.
 */
export class Session {
  readonly #ports: AccountPorts
  readonly #scope: Scope
  readonly #peer: Peer
  readonly #reads: FairQueue
  readonly #lookout: Lookout<Reach>
  readonly #onGoodbye: (reason: CloseReason) => void
  readonly #output: Output
  readonly #frames = new FrameRate()
  #subscription: Subscription | undefined
  /** Subscribe frame that is to replace the subscription. */
  #wanted: Subscribe | undefined
  #subscribing = false
  #unsubscribe = () => {}
  #cancelHeartbeat = () => {}
  #live = false
  #reading = false
  #readAgain = false
  #pageSize = maxPageSize
  #outages = 0
  #silentMs = 0
  #closed = false

  constructor({ ports, scope, peer, budget, reads, lookout, onGoodbye }: SessionOptions) {
    this.#ports = ports
    this.#scope = scope
    this.#peer = peer
    this.#reads = reads
    this.#lookout = lookout
    this.#onGoodbye = onGoodbye
    this.#output = new Output(peer, ports.clock, budget, () =>
      this.close('slow_reader', 'the client read too slowly: subscribe again'),
    )
    peer.onmessage = (text) => this.#receive(text)
    peer.onping = () => void this.#heard(0)
    peer.onclose = () => this.#end()
    this.#heartbeat()
  }

  /** Position up to which it has read the log of its account; null before the first subscribe. */
  get position(): { tenantId: string; seq: number } | null {
    return this.#subscription ? { tenantId: this.#scope.tenantId, seq: this.#subscription.cursor } : null
  }

  /** Ends the session with a reason. */
  close(reason: CloseReason, message: string): void {
    if (this.#closed) return
    this.#end()
    this.#onGoodbye(reason)
    sayGoodbye(this.#peer, reason, message, this.#subscription?.sent)
  }

  #end(): void {
    this.#closed = true
    this.#output.close()
    this.#unsubscribe()
    this.#cancelHeartbeat()
  }

  #heartbeat(): void {
    this.#cancelHeartbeat = idle(this.#ports.clock, heartbeatMs, () => {
      this.#silentMs += heartbeatMs
      if (this.#silentMs >= 2 * heartbeatMs)
        return this.close('no_heartbeat', 'nothing was heard for too long')
      this.#output.send({ type: 'ping' })
      this.#heartbeat()
    })
  }

  /** Counts a received frame; returns false if it must be ignored. */
  #heard(length: number): boolean {
    if (this.#closed) return false
    this.#silentMs = 0
    if (this.#frames.take(length, monotonicNow(this.#ports.clock))) return true
    this.close('too_many_frames', 'frames came too fast')
    return false
  }

  #receive(text: string): void {
    if (!this.#heard(text.length)) return
    const frame = readFrame(text)
    if (!frame) {
      this.#output.send({
        type: 'error',
        error: 'invalid_frame',
        message: 'A frame is one JSON object with type subscribe, ping or pong.',
      })
      return this.close('invalid_frame', 'the frame is not one of this protocol')
    }
    if (frame.type === 'ping') this.#output.pong()
    if (frame.type !== 'subscribe') return
    this.#wanted = frame
    this.#takeSubscribe()
  }

  #takeSubscribe(): void {
    const frame = this.#wanted
    if (!frame || this.#subscribing || this.#closed) return
    this.#wanted = undefined
    this.#subscribing = true
    const rested = () => {
      this.#subscribing = false
      this.#takeSubscribe()
    }
    this.#subscribe(frame)
      .catch((error) => this.#fail(error))
      .finally(() => this.#ports.clock.background(subscribeEveryMs, rested))
  }

  async #subscribe(frame: Subscribe): Promise<void> {
    await this.#output.drained()
    const { tenantId, inboxId } = this.#scope
    const inboxIds = inboxId ? [inboxId] : frame.inbox_ids
    const { cursor, head, epoch } = await this.#reads.run(tenantId, () => this.#begin(frame))
    if (this.#closed) return
    this.#subscription = { cursor, sent: cursor, caughtUp: false, filter: { inboxIds, types: frame.types } }
    this.#live = false
    this.#output.send({ type: 'subscribed', after: cursor, head, ...epoch })
    this.#unsubscribe()
    const stops = [
      this.#ports.signals.subscribe(logTopic(tenantId), (hint) => this.#onHint(hint)),
      this.#lookout.add(tenantId, (reach) => this.#onLook(reach)),
    ]
    this.#unsubscribe = () => {
      for (const stop of stops) stop()
    }
    this.#read()
  }

  /** Returns the position to begin at. @throws ServiceError `cursor_expired` if the log does not have it */
  async #begin({ after }: Subscribe): Promise<{ cursor: number; head: number; epoch: LogEpoch }> {
    const { tenantId } = this.#scope
    const account = await requireReadable(this.#ports, this.#scope)
    if (after === 'now') {
      await this.#ports.store.settled()
      return { cursor: account.seq, head: account.seq, epoch: epochOf(account) }
    }
    const { head, epoch } = await readLog(this.#ports, tenantId, after, {}, 1, account)
    return { cursor: after, head, epoch }
  }

  #onHint(hint: LogHint | undefined): void {
    const subscription = this.#subscription!
    const entries = this.#live ? hint?.() : undefined
    const follows = entries?.[0]?.seq === subscription.cursor + 1
    if (!follows || !this.#tell(subscription, entries, entries.at(-1)!.seq, true)) this.#read()
  }

  /**
   * Sends the events that pass the filter, then the reached position: at the first end of the log, and
   * whenever the filter excluded events.
   *
   * @returns False if the reader is behind: the rest must be read again
   */
  #tell(subscription: Subscription, entries: readonly LogEntry[], to: number, atEnd: boolean): boolean {
    for (const entry of entries) {
      if (!passes(subscription.filter, entry)) continue
      if (this.#output.full) {
        subscription.cursor = entry.seq - 1
        return false
      }
      this.#output.sendText(
        `{"type":"event","prev":${subscription.sent},"event":${narrowEvent(entry.json, this.#scope)}}`,
      )
      subscription.sent = entry.seq
    }
    subscription.cursor = to
    const news = subscription.sent < to || !subscription.caughtUp
    if (!atEnd || !news) return true
    this.#output.send({ type: 'caught-up', prev: subscription.sent, seq: to })
    subscription.sent = to
    subscription.caughtUp = true
    return true
  }

  /** A caught-up reader with access has nothing to read. */
  #onLook(reach: Reach | undefined): void {
    const hasAll = this.#live && reach !== undefined && reach.seq <= this.#subscription!.cursor
    if (!hasAll || !isReadable(this.#ports, reach)) this.#read()
  }

  /** Reads on to the end of the log, never twice at once. */
  #read(): void {
    this.#readAgain = true
    this.#live = false
    if (this.#reading) return
    this.#reading = true
    void this.#readWhileAsked()
  }

  /** Ends in the turn in which it sees no request, so that no wake-up is lost. */
  async #readWhileAsked(): Promise<void> {
    while (this.#readAgain && !this.#closed) {
      this.#readAgain = false
      await this.#readToEnd().catch((error) => this.#readFailed(error))
    }
    this.#reading = false
  }

  async #readToEnd(): Promise<void> {
    await this.#output.drained()
    if (!this.#closed) await this.#readOn()
    if (!this.#readAgain) this.#live = true
  }

  async #readOn(): Promise<void> {
    const subscription = this.#subscription!
    const page = await this.#reads.run(this.#scope.tenantId, () => this.#page(subscription))
    this.#outages = 0
    if (this.#closed) return
    if (subscription !== this.#subscription) {
      this.#readAgain = true
      return
    }
    const wasSent = this.#tell(subscription, page.entries, page.to, page.to === page.head)
    this.#pageSize = wasSent ? maxPageSize : Math.ceil(this.#pageSize / 2)
    if (!wasSent || page.to < page.head) this.#readAgain = true
  }

  async #page({ cursor, filter }: Subscription): Promise<LogPage> {
    const account = await requireReadable(this.#ports, this.#scope)
    return readLog(this.#ports, this.#scope.tenantId, cursor, filter, this.#pageSize, account)
  }

  /** An unreachable database is read again after the next poll. */
  #readFailed(error: unknown): void {
    this.#outages += 1
    if (!outageOf(error) || this.#outages > maxOutages) this.#fail(error)
  }

  #fail(error: unknown): void {
    if (this.#closed) return
    const outage = outageOf(error)
    // Another node may have the resources that this one lacks.
    if (outage) return this.close('going_away', outage.message)
    if (!isServiceError(error)) {
      this.#ports.logger.error({ error }, 'realtime session failed')
      return this.close('internal_error', 'the service failed')
    }
    this.#output.send({ type: 'error', error: error.code, message: error.message })
    this.close(error.code === 'cursor_expired' ? 'cursor_expired' : 'forbidden', error.code)
  }
}

function readFrame(text: string): ClientFrame | null {
  try {
    return clientFrame.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}
