import { type SocketLike, socketState } from '../client/platform/platform'
import type { Lane } from './lane'

/** The parts of a {@link FaultySocket}. */
interface FaultySocketParts {
  /** Null while the service is down. */
  inner: SocketLike | null
  frames: Lane
  onMove(): void
  /** Called for each lost frame. */
  onLose(): void
  onOver(socket: FaultySocket): void
}

/** A socket whose frames pass a lane, and which can break. */
export class FaultySocket implements SocketLike {
  readonly #inner: SocketLike | null
  readonly #onOver: FaultySocketParts['onOver']
  onopen: SocketLike['onopen'] = null
  onmessage: SocketLike['onmessage'] = null
  onclose: SocketLike['onclose'] = null
  onerror: SocketLike['onerror'] = null
  readonly bufferedAmount = 0
  #over = false

  constructor({ inner, frames, onMove, onLose, onOver }: FaultySocketParts) {
    this.#inner = inner
    this.#onOver = onOver
    if (!inner) {
      queueMicrotask(() => this.cut())
      return
    }
    inner.onopen = () => this.onopen?.()
    inner.onerror = (error) => this.onerror?.(error)
    inner.onclose = ({ code, reason }) => this.#end(code, reason)
    inner.onmessage = (message) => {
      onMove()
      frames.send({ arrive: () => this.#over || this.onmessage?.(message), lose: onLose })
    }
  }

  get readyState(): number {
    return this.#over ? socketState.closed : (this.#inner?.readyState ?? socketState.connecting)
  }

  send(text: string): void {
    this.#inner?.send(text)
  }

  close(code?: number, reason?: string): void {
    if (this.#inner && !this.#over) this.#inner.close(code, reason)
  }

  /** Breaks the socket, as a pulled cable does once the other side notices (RFC 6455 section 7.1.5). */
  cut(): void {
    this.#inner?.close(1000)
    this.#end(1006, '')
  }

  #end(code: number, reason: string): void {
    if (this.#over) return
    this.#over = true
    this.#onOver(this)
    this.onclose?.({ code, reason })
  }
}
