import type { ClientFrame, ServerFrame } from 'restante/protocol'
import type { SocketLike } from '../../../src/client/platform/platform'

/** The faults of the next frames on their way to the client. */
export type Fault = 'drop' | 'duplicate' | 'swap'

/** A socket within the process; `server…` is the other end. */
export class MemorySocket implements SocketLike {
  onopen: SocketLike['onopen'] = null
  onmessage: SocketLike['onmessage'] = null
  onclose: SocketLike['onclose'] = null
  onerror: SocketLike['onerror'] = null
  readyState = 0
  readonly bufferedAmount = 0
  serverReceives: (frame: ClientFrame) => void = () => {}
  serverCloses: () => void = () => {}
  /** Half open: nothing gets through any more, and nobody says so. */
  silent = false
  readonly faults: Fault[] = []
  #swapped: string | null = null

  serverOpen(): void {
    queueMicrotask(() => {
      if (this.readyState !== 0) return
      this.readyState = 1
      this.onopen?.()
    })
  }

  serverSend(frame: ServerFrame): void {
    this.serverSendText(JSON.stringify(frame))
  }

  serverSendText(text: string): void {
    if (this.silent || this.readyState > 1) return
    const fault = this.faults.shift()
    if (fault === 'drop') return
    if (fault === 'swap') {
      this.#swapped = text
      return
    }
    this.#pass(text)
    if (fault === 'duplicate') this.#pass(text)
    if (this.#swapped !== null) this.#pass(this.#swapped)
    this.#swapped = null
  }

  serverClose(code: number, reason = ''): void {
    queueMicrotask(() => this.#close(code, reason))
  }

  send(text: string): void {
    if (!this.silent) queueMicrotask(() => this.serverReceives(JSON.parse(text)))
  }

  close(code = 1000, reason = ''): void {
    this.readyState = Math.max(this.readyState, 2)
    queueMicrotask(() => this.#close(code, reason))
  }

  #pass(text: string): void {
    queueMicrotask(() => {
      if (this.readyState === 1) this.onmessage?.({ data: text })
    })
  }

  #close(code: number, reason: string): void {
    if (this.readyState === 3) return
    this.readyState = 3
    this.serverCloses()
    this.onclose?.({ code, reason })
  }
}
