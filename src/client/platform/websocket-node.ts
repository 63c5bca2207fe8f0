import { WebSocket } from 'ws'
import { closeCodes } from '../../protocol/close-codes'
import type { OpenSocket, SocketLike, SocketOptions } from './platform'

const handshakeTimeoutMs = 10_000
const closeTimeoutMs = 1_000

/** A `ws` socket as a {@link SocketLike}; calls its handlers without making event objects. */
class NodeSocket implements SocketLike {
  onopen: SocketLike['onopen'] = null
  onmessage: SocketLike['onmessage'] = null
  onclose: SocketLike['onclose'] = null
  onerror: SocketLike['onerror'] = null
  readonly #socket: WebSocket
  #refusedCode: number | undefined

  constructor({ url, apiKey }: SocketOptions) {
    this.#socket = new WebSocket(url, {
      headers: { authorization: `Bearer ${apiKey}` },
      perMessageDeflate: false,
      handshakeTimeout: handshakeTimeoutMs,
      maxPayload: 16 * 1024 * 1024,
    })
    this.#listen()
  }

  get readyState(): number {
    return this.#socket.readyState
  }

  get bufferedAmount(): number {
    return this.#socket.bufferedAmount
  }

  send(text: string): void {
    this.#socket.send(text)
  }

  close(code = 1000, reason = ''): void {
    this.#socket.close(code, reason)
    // A peer that is gone never answers the close; the process must not wait for it.
    setTimeout(() => this.#socket.terminate(), closeTimeoutMs).unref?.()
  }

  #listen(): void {
    const socket = this.#socket
    socket.on('open', () => this.onopen?.())
    socket.on('message', (data) => this.onmessage?.({ data: data.toString() }))
    socket.on('error', (error) => this.onerror?.(error))
    socket.on('close', (code, reason) =>
      this.onclose?.({ code: this.#refusedCode ?? code, reason: reason.toString() }),
    )
    socket.on('unexpected-response', (_request, response) => {
      // Only this one is surely the service's: proxies answer 403 and worse to an upgrade.
      if (response.statusCode === 401) this.#refusedCode = closeCodes.unauthorized.code
      response.resume()
      this.onerror?.(new Error(`the service answered ${response.statusCode} to the upgrade`))
      socket.terminate()
    })
  }
}

/** Opens a socket by `ws`, with the key in the Authorization header. */
export const openSocket: OpenSocket = (options) => new NodeSocket(options)
