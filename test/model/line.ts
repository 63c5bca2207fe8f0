import type { ServiceLike } from 'restante'

type SocketLike = ReturnType<ServiceLike['socket']>

/** A socket that never opens. */
const deadSocket = (): SocketLike => {
  const socket: SocketLike = {
    readyState: 3,
    bufferedAmount: 0,
    onopen: null,
    onmessage: null,
    onclose: null,
    onerror: null,
    send() {},
    close() {},
  }
  queueMicrotask(() => socket.onclose?.({ code: 1006, reason: '' }))
  return socket
}

/** The way of one process to the service: it can be cut, which is also how a process dies. */
export class Line implements ServiceLike {
  readonly #service: ServiceLike
  readonly #sockets = new Set<SocketLike>()
  #isCut = false

  constructor(service: ServiceLike) {
    this.#service = service
  }

  home(): Promise<{ apiKey: string }> {
    return this.#service.home()
  }

  async fetch(request: Request): Promise<Response> {
    this.#requireWhole()
    const response = await this.#service.fetch(request)
    this.#requireWhole()
    return response
  }

  socket(options: { apiKey: string }): SocketLike {
    if (this.#isCut) return deadSocket()
    const socket = this.#service.socket(options)
    this.#sockets.add(socket)
    return socket
  }

  cut(): void {
    this.#isCut = true
    for (const socket of this.#sockets) socket.close()
    this.#sockets.clear()
  }

  mend(): void {
    this.#isCut = false
  }

  #requireWhole(): void {
    if (this.#isCut) throw new TypeError('fetch failed')
  }
}
