import { isServiceError } from '../../protocol/errors/error'
import { type CloseReason, closeCodes } from '../../protocol/frames'
import type { Scope } from '../accounts/keys'
import type { Gateway } from './gateway'
import type { Peer } from './output'

const [connecting, open, closed] = [0, 1, 3]
const reasons: Record<number, CloseReason> = { 401: 'unauthorized', 403: 'forbidden' }

/** A socket to the service in the same process: the members of the web's `WebSocket` that a mailbox uses. */
export interface ServiceSocket {
  readonly readyState: number
  readonly bufferedAmount: number
  onopen: (() => void) | null
  onmessage: ((message: { readonly data: unknown }) => void) | null
  onclose: ((close: { readonly code: number; readonly reason: string }) => void) | null
  onerror: ((error: unknown) => void) | null
  send(text: string): void
  close(code?: number, reason?: string): void
}

/** Delivers frames in a microtask, so that no listener is called from within a call. */
export class InProcessSocket implements ServiceSocket {
  readyState = connecting
  readonly bufferedAmount = 0
  onopen: ServiceSocket['onopen'] = null
  onmessage: ServiceSocket['onmessage'] = null
  onclose: ServiceSocket['onclose'] = null
  onerror: ServiceSocket['onerror'] = null
  readonly #peer: Peer

  constructor(gateway: Gateway, identify: Promise<Scope>) {
    this.#peer = {
      bufferedAmount: 0,
      send: (text) => queueMicrotask(() => this.readyState === open && this.onmessage?.({ data: text })),
      close: (code, reason) => queueMicrotask(() => this.#end(code, reason)),
      onmessage: () => {},
      onping: () => {},
      ondrain: () => {},
      onclose: () => {},
    }
    const admitted = identify.then((scope) => {
      gateway.admit(scope)
      return scope
    })
    admitted.then(
      (scope) => this.#open(gateway, scope),
      (error) => this.#refuse(error),
    )
  }

  #open(gateway: Gateway, scope: Scope): void {
    if (this.readyState === closed) return
    this.readyState = open
    gateway.accept({ scope, group: null }, this.#peer)
    this.onopen?.()
  }

  #refuse(error: unknown): void {
    const reason = (isServiceError(error) && reasons[error.status]) || 'internal_error'
    this.onerror?.(error)
    this.#end(closeCodes[reason].code, reason)
  }

  #end(code: number, reason: string): void {
    if (this.readyState === closed) return
    this.readyState = closed
    this.#peer.onclose()
    this.onclose?.({ code, reason })
  }

  send(text: string): void {
    queueMicrotask(() => this.readyState === open && this.#peer.onmessage(text))
  }

  close(code = 1000, reason = ''): void {
    queueMicrotask(() => this.#end(code, reason))
  }
}
