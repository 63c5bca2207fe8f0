import { isServiceError } from '../../protocol/errors'
import { type ClientFrame, type CloseReason, clientFrame, heartbeatMs } from '../../protocol/frames'
import { idle, monotonicNow } from '../../protocol/time'
import { type AccountPorts, isReadable, type Reach, requireReadable, type Scope } from '../accounts'
import { narrowEvent, outageOf } from '../base'
import {
  epochOf,
  type LogEpoch,
  type LogFilter,
  type LogPage,
  type Lookout,
  logTopic,
  passes,
  readLog,
} from '../log'
import type { LogEntry, LogHint } from '../ports'
import type { FairQueue } from './fair-queue'
import { Output, type OutputBudget } from './output'
import { type Peer, sayGoodbye } from './peer'

type Subscribe = Extract<ClientFrame, { type: 'subscribe' }>
interface Subscription {
  filter: LogFilter
  /** The position up to which the log was read. */
  cursor: number
  /** The last position that the reader was told of: it stays behind while the filter leaves everything out. */
  told: number
  /** True once the reader was told that it is caught up. */
  caughtUp: boolean
}

export interface SessionOptions {
  ports: AccountPorts
  scope: Scope
  peer: Peer
  budget: OutputBudget
  reads: FairQueue
  /** Looks for all sockets how far the log of each account reaches. */
  lookout: Lookout<Reach>
  /** Hears that the service ends the session, and why. */
  onGoodbye: (reason: CloseReason) => void
}

/** Small, so that what is read for one reader is never much. What a reader has no room for is read again, in less. */
const maxPageSize = 20
/** A subscribe costs some reads of the log: the next waits for so long, and the last of several is taken. */
const subscribeEveryMs = 250
/** So many reads from a database that is away, seconds apart, are borne: a restart does not bring every socket back at once. */
const maxOutages = 2

/**
 * The budget of frames: a frame costs 1, and 1 for each kibibyte; so much may come at once, and so much comes back in
 * a second.
 */
const maxBurst = 200
const perSecond = 20

/** Bounds how fast frames of one socket are taken (the generic cell rate algorithm: one number, and no timer). */
class FrameRate {
  #emptyAtMs = 0

  /** Counts a frame of this length; false for one that came too fast. */
  take(length: number, nowMs: number): boolean {
    const cost = 1 + length / 1024
    const emptyAtMs = Math.max(this.#emptyAtMs, nowMs) + (cost / perSecond) * 1000
    if (emptyAtMs - nowMs > (maxBurst / perSecond) * 1000) return false
    this.#emptyAtMs = emptyAtMs
    return true
  }
}

/**
 * Tells one socket of the log of its account, from its own cursor:
 *
 *     open ──subscribe──▶ reading ──end of log──▶ live ──hint that follows the cursor──▶ live
 *                            ▲                      │
 *                            └─any other hint, or look─┘            any ──close, error, silence──▶ closed
 *
 * A live reader is told what was committed straight from the hint. Whatever does not fit (a lost or late wake-up, a
 * slow reader) sends it back to reading the log, which is the truth. Every few seconds somebody looks for all sockets
 * how far the log reaches: one that is not there, or not live, reads.
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
  /** The subscribe that is to take the place of the subscription. */
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
      this.close('slow_reader', 'what was sent was not taken in time: subscribe again'),
    )
    peer.onmessage = (text) => this.#receive(text)
    peer.onping = () => void this.#heard(0)
    peer.onclose = () => this.#end()
    this.#heartbeat()
  }

  /** The position up to which it has read the log of its account; null before the first subscribe. */
  get position(): { tenantId: string; seq: number } | null {
    return this.#subscription ? { tenantId: this.#scope.tenantId, seq: this.#subscription.cursor } : null
  }

  /** Ends the session with a word of why. */
  close(reason: CloseReason, message: string): void {
    if (this.#closed) return
    this.#end()
    this.#onGoodbye(reason)
    sayGoodbye(this.#peer, reason, message, this.#subscription?.told)
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

  /** Counts what came; false where it may not be taken. */
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
    await this.#output.room()
    const { tenantId, inboxId } = this.#scope
    const inboxIds = inboxId ? [inboxId] : frame.inbox_ids
    const { cursor, head, epoch } = await this.#reads.run(tenantId, () => this.#begin(frame))
    if (this.#closed) return
    this.#subscription = { cursor, told: cursor, caughtUp: false, filter: { inboxIds, types: frame.types } }
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

  /** Finds the position to begin at. @throws ServiceError `cursor_expired` for what the log does not reach */
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
   * Sends what passes, and says how far that reaches: the first time that it is the end of the log, and where
   * the filter left something out.
   *
   * @returns False where the reader had no room for all of it: the rest is to be read again
   */
  #tell(subscription: Subscription, entries: readonly LogEntry[], to: number, atEnd: boolean): boolean {
    for (const entry of entries) {
      if (!passes(subscription.filter, entry)) continue
      if (this.#output.full) {
        subscription.cursor = entry.seq - 1
        return false
      }
      this.#output.sendText(
        `{"type":"event","prev":${subscription.told},"event":${narrowEvent(entry.json, this.#scope)}}`,
      )
      subscription.told = entry.seq
    }
    subscription.cursor = to
    const news = subscription.told < to || !subscription.caughtUp
    if (!atEnd || !news) return true
    this.#output.send({ type: 'caught-up', prev: subscription.told, seq: to })
    subscription.told = to
    subscription.caughtUp = true
    return true
  }

  /** A reader that has all there is, and may have it, has nothing to read. */
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

  /** Ends in the same turn in which it sees that nothing is asked for, so that no wake-up falls between. */
  async #readWhileAsked(): Promise<void> {
    while (this.#readAgain && !this.#closed) {
      this.#readAgain = false
      await this.#readToEnd().catch((error) => this.#readFailed(error))
    }
    this.#reading = false
  }

  async #readToEnd(): Promise<void> {
    await this.#output.room()
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
    const told = this.#tell(subscription, page.entries, page.to, page.to === page.head)
    this.#pageSize = told ? maxPageSize : Math.ceil(this.#pageSize / 2)
    if (!told || page.to < page.head) this.#readAgain = true
  }

  async #page({ cursor, filter }: Subscription): Promise<LogPage> {
    const account = await requireReadable(this.#ports, this.#scope)
    return readLog(this.#ports, this.#scope.tenantId, cursor, filter, this.#pageSize, account)
  }

  /** A database that is away is read from again after the next look. */
  #readFailed(error: unknown): void {
    this.#outages += 1
    if (!outageOf(error) || this.#outages > maxOutages) this.#fail(error)
  }

  #fail(error: unknown): void {
    if (this.#closed) return
    const outage = outageOf(error)
    // Another node may have what this one lacks.
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
