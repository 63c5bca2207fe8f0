import type { SocketLike } from './socket-like'

/** A service in the same process, as `createService` of `restante/service` returns it. */
export interface ServiceLike {
  /** Answers a request of the interface; paths start with `/v1`. */
  fetch(request: Request): Promise<Response>
  /** Opens one end of a realtime connection. */
  socket(options: { apiKey: string }): SocketLike
  /** The key of the account that the service made for itself. */
  home(): Promise<{ apiKey: string }>
}
