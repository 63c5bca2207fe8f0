import { WebSocket } from 'ws'
import type { OpenSocket, SocketLike, SocketOptions } from './platform'

const handshakeTimeoutMs = 10_000
const closeTimeoutMs = 1_000

/** A 401 may come from the service or from a proxy: on this code the caller asks the service by HTTP. */
const upgradeError = (status: number | undefined): Error =>
  Object.assign(new Error(`the upgrade to a WebSocket was answered ${status}`), {
    code: status === 401 ? 'upgrade_unauthorized' : 'upgrade_refused',
  })

/** `ws` socket as a {@link SocketLike}; calls its handlers without creating event objects. */
class NodeSocket implements SocketLike {
  onopen: SocketLike['onopen'] = null
  onmessage: SocketLike['onmessage'] = null
  onclose: SocketLike['onclose'] = null
  onerror: SocketLike['onerror'] = null
  readonly #socket: WebSocket

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
    // A dead peer never answers the close, and the process must not wait for it.
    setTimeout(() => this.#socket.terminate(), closeTimeoutMs).unref?.()
  }

  #listen(): void {
    const socket = this.#socket
    socket.on('open', () => this.onopen?.())
    socket.on('message', (data) => this.onmessage?.({ data: data.toString() }))
    socket.on('error', (error) => this.onerror?.(error))
    socket.on('close', (code, reason) => this.onclose?.({ code, reason: reason.toString() }))
    socket.on('unexpected-response', (_request, response) => {
      response.resume()
      this.onerror?.(upgradeError(response.statusCode))
      socket.terminate()
    })
  }
}

/** Opens a `ws` socket, with the key in the Authorization header. */
export const openSocket: OpenSocket = (options) => new NodeSocket(options)
