import type { IncomingHttpHeaders } from 'node:http'

/** A request that reached the proxy. */
export interface ProxiedRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly isUpgrade: boolean
  /** By `performance.now()`. */
  readonly atMs: number
}
/** An answer in place of the service. */
export interface Page {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}
/** Treatment of one request. Default: forwarded as it is. */
export interface Behaviour {
  page?: Page
  /** Never answered. */
  hangs?: boolean
  /** The connection ends before the request is forwarded. */
  cuts?: boolean
  /** The service has the request, and its answer is lost. */
  cutsAnswer?: boolean
  /** Whole answers and frames arrive this much later. */
  delayMs?: number
  /** The answer ends after this many bytes. */
  maxBytes?: number
  /** A WebSocket ends this long after it opened. */
  cutsAfterMs?: number
  /** Bytes that a WebSocket receives after it opened. */
  sends?: Uint8Array
}
export interface FaultyProxy {
  readonly url: string
  readonly requests: ProxiedRequest[]
  /** WebSockets that are open. */
  readonly sockets: number
  /** Decides on each request that comes from now on; without an argument, each is forwarded. */
  behave(next?: (request: ProxiedRequest) => Behaviour | undefined): void
  /** Ends all connections. */
  cut(): void
  /** All connections stay open, and carry nothing any more. */
  freeze(): void
  close(): Promise<void>
}
export function page(status: number, headers?: Record<string, string>, body?: string): Page
/** Starts a proxy in front of a service. */
export function startFaultyProxy(target: string): Promise<FaultyProxy>
