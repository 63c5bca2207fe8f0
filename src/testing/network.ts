import { abortable, onAbort } from '../client/abort'
import type { ServiceLike } from '../client/client'
import type { Service } from '../service/service'
import type { Activity } from './activity'
import type { Lanes } from './faults'
import { FaultySocket } from './faulty-socket'

const unreachable = () =>
  new TypeError('fetch failed', { cause: new Error('the network of the world failed') })

/** Returns whether the service may hold the request until something happens. */
const isHeld = (request: Request, body: string): boolean =>
  /[?&]wait_ms=[1-9]/.test(request.url) || /"wait_ms":[1-9]/.test(body)

/** The parts of a {@link Network}. */
interface NetworkParts {
  lanes: Lanes
  activity: Activity
  /** Returns the service; null while it is down. */
  current(): Service | null
  /** Called for each lost frame: its reader notices that by the clock. */
  onLose(): void
}

/** The network between mailboxes and a service that may be down. */
export class Network implements ServiceLike {
  readonly #lanes: Lanes
  readonly #activity: Activity
  readonly #current: () => Service | null
  readonly #onLose: () => void
  readonly #sockets = new Set<FaultySocket>()
  /** Requests in progress. */
  readonly #requests = new Set<AbortController>()

  constructor({ lanes, activity, current, onLose }: NetworkParts) {
    this.#lanes = lanes
    this.#activity = activity
    this.#current = current
    this.#onLose = onLose
  }

  async fetch(request: Request): Promise<Response> {
    const body = request.body === null ? '' : await request.clone().text()
    const ask = () => this.#ask(request)
    const response = await this.#lanes.requests.call(
      () => (isHeld(request, body) ? ask() : this.#activity.during(ask)),
      unreachable,
    )
    this.#activity.moved()
    return this.#lanes.answers.call(async () => response.clone(), unreachable)
  }

  socket({ apiKey }: { apiKey: string }): FaultySocket {
    this.#activity.moved()
    const socket = new FaultySocket({
      inner: this.#current()?.socket({ apiKey }) ?? null,
      frames: this.#lanes.frames,
      onMove: this.#activity.moved,
      onLose: this.#onLose,
      onOver: (over) => void this.#sockets.delete(over),
    })
    this.#sockets.add(socket)
    return socket
  }

  async home(): Promise<{ apiKey: string }> {
    const service = this.#current()
    if (!service) throw unreachable()
    return service.home()
  }

  /** Breaks all open sockets and requests. */
  cut(): void {
    for (const request of [...this.#requests]) request.abort(unreachable())
    for (const socket of [...this.#sockets]) socket.cut()
  }

  async #ask(request: Request): Promise<Response> {
    const service = this.#current()
    if (!service) throw unreachable()
    const way = new AbortController()
    this.#requests.add(way)
    const forget = onAbort(request.signal, () => way.abort(request.signal.reason))
    const read = async (): Promise<Response> => {
      const response = await service.fetch(new Request(request.clone(), { signal: way.signal }))
      const bytes = await response.arrayBuffer()
      const { status, headers } = response
      return new Response(status === 204 || status === 304 ? null : bytes, { status, headers })
    }
    return abortable(read(), way.signal).finally(() => {
      forget()
      this.#requests.delete(way)
    })
  }
}
