import {
  type OpenSocket,
  type SocketLike,
  type SocketOptions,
  socketState,
} from '../../client/platform/platform'
import { NetworkError, ServiceError } from '../../protocol/errors/error'
import type { ClientFrame, ServerFrame } from '../../protocol/frames'
import { type CloseReason, closeCodes, heartbeatMs } from '../../protocol/socket'
import { type Clock, idle, monotonicNow } from '../../protocol/time/clock'
import { findMisfit, readFrame } from './read-frame'
import type { Source, SourceSink, StartSource } from './source'

/** Watches a connection for silence. */
interface Heartbeat {
  /** Notes that something arrived from the other side. */
  heard(): void
  stop(): void
}

/** Options of a {@link Heartbeat}. */
interface HeartbeatOptions {
  clock: Clock
  /** Called after `heartbeatMs` of silence. */
  ping(): void
  /** Called once, after twice as much silence. */
  dead(): void
}

/** Pings after `heartbeatMs` of silence and gives up after twice as much. */
const createHeartbeat = ({ clock, ping, dead }: HeartbeatOptions): Heartbeat => {
  let heardAt = monotonicNow(clock)
  let cancel = () => {}
  // A timer that checks a timestamp costs nothing per event, unlike a timer that is reset.
  const look = (delayMs: number): void => {
    cancel = idle(clock, delayMs, (skippedMs = 0) => {
      const nowMs = monotonicNow(clock)
      heardAt = Math.min(nowMs, heardAt + skippedMs)
      const silenceMs = nowMs - heardAt
      if (silenceMs >= 2 * heartbeatMs) return dead()
      if (silenceMs >= heartbeatMs) ping()
      look(silenceMs >= heartbeatMs ? 2 * heartbeatMs - silenceMs : heartbeatMs - silenceMs)
    })
  }
  look(heartbeatMs)
  return {
    heard: () => {
      heardAt = monotonicNow(clock)
    },
    stop: () => cancel(),
  }
}

/** Options of a socket source. */
interface SocketSourceOptions {
  socket: SocketOptions
  openSocket: OpenSocket
  inboxId: string | undefined
  clock: Clock
}

const openTimeoutMs = 5_000

const codeOf = (reason: string): number =>
  Object.hasOwn(closeCodes, reason) ? closeCodes[reason as CloseReason].code : closeCodes.going_away.code

const refusals = new Map<number, { code: string; status: number }>([
  [closeCodes.unauthorized.code, { code: 'unauthorized', status: 401 }],
  [closeCodes.forbidden.code, { code: 'forbidden', status: 403 }],
  [closeCodes.cursor_expired.code, { code: 'cursor_expired', status: 410 }],
])

const whyClosed = (code: number, reason: string): Error => {
  const refusal = refusals.get(code)
  const words = `the service closed the socket (${code}${reason && `, ${reason}`})`
  if (refusal) return new ServiceError(refusal.code, words, { status: refusal.status })
  return new NetworkError('socket_closed', words)
}

class SocketSource implements Source {
  readonly kind = 'socket'
  readonly #socket: SocketLike
  readonly #sink: SourceSink
  readonly #heartbeat: Heartbeat
  readonly #inboxId: string | undefined
  readonly #stopWaiting: () => void
  #subscribed = false
  /** Last position that the source reported. */
  #covered = 0
  #failure: unknown
  #over = false

  constructor({ socket, openSocket, inboxId, clock }: SocketSourceOptions, sink: SourceSink) {
    this.#sink = sink
    this.#inboxId = inboxId
    this.#socket = openSocket(socket)
    this.#heartbeat = createHeartbeat({
      clock,
      ping: () => this.#send({ type: 'ping' }),
      dead: () => this.#end(new NetworkError('socket_silent', 'the socket fell silent')),
    })
    this.#stopWaiting = clock.background(openTimeoutMs, () =>
      this.#end(new NetworkError('socket_timeout', 'the socket did not open in time')),
    )
    this.#socket.onopen = () => this.#subscribe()
    this.#socket.onmessage = ({ data }) => this.#receive(data)
    this.#socket.onerror = (error) => {
      this.#failure = error
    }
    this.#socket.onclose = ({ code, reason }) => this.#closed(code, reason)
    if (this.#socket.readyState === socketState.open) this.#subscribe()
  }

  close(): void {
    if (this.#over) return
    this.#over = true
    this.#heartbeat.stop()
    this.#stopWaiting()
    this.#socket.close(1000)
  }

  #subscribe(): void {
    if (this.#subscribed) return
    this.#subscribed = true
    const filter = this.#inboxId === undefined ? {} : { inbox_ids: [this.#inboxId] }
    const after = this.#sink.cursor()
    this.#covered = after
    this.#send({ type: 'subscribe', after, ...filter })
  }

  #send(frame: ClientFrame): void {
    if (!this.#over && this.#socket.readyState === socketState.open) this.#socket.send(JSON.stringify(frame))
  }

  #end(error: unknown): void {
    if (this.#over) return
    this.close()
    this.#sink.lost(error)
  }

  #closed(code: number, reason: string): void {
    const why = whyClosed(code, reason)
    why.cause ??= this.#failure
    this.#end(why)
  }

  #receive(data: unknown): void {
    if (this.#over) return
    this.#heartbeat.heard()
    try {
      const frame = readFrame(data)
      if (frame) this.#take(frame)
    } catch (error) {
      this.#end(error)
    }
  }

  #take(frame: ServerFrame): void {
    switch (frame.type) {
      case 'event':
        this.#covered = frame.event.seq
        return this.#sink.event(frame.prev, frame.event, findMisfit(frame.event))
      case 'caught-up': {
        const prev = frame.prev ?? Math.min(this.#covered, frame.seq)
        this.#covered = frame.seq
        return this.#sink.covered(prev, frame.seq, frame.seq)
      }
      case 'subscribed':
        this.#stopWaiting()
        this.#sink.check(frame)
        return this.#sink.opened(frame.head)
      case 'ping':
        return this.#send({ type: 'pong' })
      case 'error':
        return this.#sink.warn(new ServiceError(frame.error, frame.message, { status: 400 }))
      case 'bye':
        return this.#closed(codeOf(frame.reason), frame.message ?? frame.reason)
    }
  }
}

/** Reads the log over a socket: each event arrives as soon as it is committed. */
export const createSocketSource =
  (options: SocketSourceOptions): StartSource =>
  (sink) => {
    try {
      return new SocketSource(options, sink)
    } catch (error) {
      // Later, since the caller does not have the source yet.
      queueMicrotask(() => sink.lost(error))
      return { kind: 'socket', close: () => {} }
    }
  }
