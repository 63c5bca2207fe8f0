import { isServiceError } from '../../protocol/error'
import {
  type ClientFrame,
  type CloseReason,
  clientFrame,
  closeCodes,
  heartbeatMs,
  type ServerFrame,
} from '../../protocol/frames'
import { requireReadable } from '../core/account'
import type { Core } from '../core/context'
import { type LogFilter, logHead, logTopic, passes, readLog } from '../core/event-log'
import type { Scope } from '../core/keys'
import { lookAgainMs } from '../core/lookout'
import type { LogEntry, LogHint } from '../ports'
import type { Peer } from './peer'

type Subscribe = Extract<ClientFrame, { type: 'subscribe' }>
interface Subscription {
  filter: LogFilter
  /** How far the log was read. */
  cursor: number
  /** The last position that the reader was told of: it stays behind while the filter leaves everything out. */
  told: number
  /** Whether the reader was told that it is caught up. */
  caughtUp: boolean
}

const pageSize = 200
const mostBuffered = 1024 * 1024

/**
 * One socket, reading the log of its account from its own cursor:
 *
 *     open ──subscribe──▶ reading ──end of log──▶ live ──hint that follows the cursor──▶ live
 *                            ▲                      │
 *                            └──any other hint, or 5 s─┘            any ──close, error, silence──▶ closed
 *
 * A live reader is told what was committed straight from the hint. Whatever does not fit (a lost or late
 * wake-up, a slow reader) sends it back to reading the log, which is the truth.
 */
export class Session {
  readonly #core: Core
  readonly #scope: Scope
  readonly #peer: Peer
  #subscription: Subscription | undefined
  #unsubscribe = () => {}
  #cancelLook = () => {}
  #cancelHeartbeat = () => {}
  #live = false
  #reading: Promise<void> | undefined
  #lookAgain = false
  #silentMs = 0
  #closed = false

  constructor(core: Core, scope: Scope, peer: Peer) {
    this.#core = core
    this.#scope = scope
    this.#peer = peer
    peer.onmessage = (text) => void this.#receive(text).catch((error) => this.#fail(error))
    peer.onclose = () => this.#end()
    this.#heartbeat()
  }

  /** How far it has read the log of its account; null while it was not asked to. */
  get position(): { tenantId: string; seq: number } | null {
    return this.#subscription ? { tenantId: this.#scope.tenantId, seq: this.#subscription.cursor } : null
  }

  /** Ends the session with a word of why. */
  close(reason: CloseReason, message: string): void {
    if (this.#closed) return
    const { code, reconnect } = closeCodes[reason]
    this.#send({ type: 'bye', reason: message, reconnect })
    this.#peer.close(code, message)
    this.#end()
  }

  #end(): void {
    this.#closed = true
    this.#unsubscribe()
    this.#cancelLook()
    this.#cancelHeartbeat()
  }

  #send(frame: ServerFrame): void {
    this.#peer.send(JSON.stringify(frame))
  }

  #heartbeat(): void {
    this.#cancelHeartbeat = this.#core.clock.after(heartbeatMs, () => {
      this.#silentMs += heartbeatMs
      if (this.#silentMs >= 2 * heartbeatMs)
        return this.close('no_heartbeat', 'nothing was heard for too long')
      this.#send({ type: 'ping' })
      this.#heartbeat()
    })
  }

  async #receive(text: string): Promise<void> {
    this.#silentMs = 0
    const frame = readFrame(text)
    if (!frame) {
      this.#send({
        type: 'error',
        error: 'invalid_frame',
        message: 'A frame is one JSON object with type subscribe, ping or pong.',
      })
      return this.close('invalid_frame', 'the frame is not one of this protocol')
    }
    if (frame.type === 'ping') this.#send({ type: 'pong' })
    if (frame.type === 'subscribe') await this.#subscribe(frame)
  }

  async #subscribe(frame: Subscribe): Promise<void> {
    await requireReadable(this.#core, this.#scope)
    const { tenantId, inboxId } = this.#scope
    const inboxIds = inboxId ? [inboxId] : frame.inbox_ids
    const head = await logHead(this.#core, tenantId)
    const cursor = frame.after === 'now' ? head : frame.after
    await readLog(this.#core, tenantId, cursor, {}, 1) // refuses a cursor that the log does not reach
    if (this.#closed) return
    this.#subscription = { cursor, told: cursor, caughtUp: false, filter: { inboxIds, types: frame.types } }
    this.#live = false
    this.#send({ type: 'subscribed', after: cursor, head })
    this.#unsubscribe()
    this.#unsubscribe = this.#core.signals.subscribe(logTopic(tenantId), (hint) => this.#onHint(hint))
    this.#read()
  }

  #onHint(hint: LogHint | undefined): void {
    const subscription = this.#subscription!
    const entries = this.#live ? hint?.() : undefined
    const follows = entries?.[0]?.seq === subscription.cursor + 1
    if (!follows || this.#peer.bufferedAmount > mostBuffered) return this.#read()
    this.#tell(subscription, entries, entries.at(-1)!.seq, true)
  }

  /**
   * Sends what passes, and says how far that reaches: the first time that it is the end of the log, and where
   * the filter left something out.
   */
  #tell(subscription: Subscription, entries: readonly LogEntry[], to: number, atEnd: boolean): void {
    for (const entry of entries) {
      if (!passes(subscription.filter, entry)) continue
      this.#peer.send(`{"type":"event","prev":${subscription.told},"event":${entry.json}}`)
      subscription.told = entry.seq
    }
    subscription.cursor = to
    const news = subscription.told < to || !subscription.caughtUp
    if (!atEnd || !news) return
    this.#send({ type: 'caught-up', prev: subscription.told, seq: to })
    subscription.told = to
    subscription.caughtUp = true
  }

  #read(): void {
    this.#lookAgain = true
    this.#live = false
    if (this.#reading || this.#closed) return
    this.#cancelLook()
    this.#reading = this.#readToEnd()
      .catch((error) => this.#fail(error))
      .finally(() => {
        this.#reading = undefined
        if (this.#closed) return
        if (this.#lookAgain) return this.#read()
        this.#cancelLook = this.#core.clock.after(lookAgainMs, () => this.#read())
      })
  }

  async #readToEnd(): Promise<void> {
    while (this.#lookAgain && !this.#closed) {
      this.#lookAgain = false
      await requireReadable(this.#core, this.#scope)
      const subscription = this.#subscription!
      const page = await readLog(
        this.#core,
        this.#scope.tenantId,
        subscription.cursor,
        subscription.filter,
        pageSize,
      )
      if (this.#closed) return
      if (subscription !== this.#subscription) {
        this.#lookAgain = true
        continue
      }
      this.#tell(subscription, page.entries, page.to, page.to === page.head)
      if (page.to < page.head) this.#lookAgain = true
      if (this.#peer.bufferedAmount > mostBuffered) await this.#peer.drained()
    }
    this.#live = true
  }

  #fail(error: unknown): void {
    if (this.#closed) return
    if (!isServiceError(error)) {
      this.#core.logger.error({ error }, 'realtime session failed')
      return this.close('internal_error', 'the service failed')
    }
    this.#send({ type: 'error', error: error.code, message: error.message })
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
