/** The part of the web's `fetch` that the client uses. The global `fetch` fits. */
export type FetchLike = (url: string, init: RequestInit) => Promise<Response>

/** `readyState` of a {@link SocketLike}, as the web standard numbers it. */
export const socketState = { connecting: 0, open: 1, closing: 2, closed: 3 } as const

/** The part of the web's `WebSocket` that the mailbox uses; text frames only. */
export interface SocketLike {
  /** One of {@link socketState}. */
  readonly readyState: number
  /** Bytes that `send` took and the network has not. */
  readonly bufferedAmount: number
  onopen: (() => void) | null
  onmessage: ((message: { readonly data: unknown }) => void) | null
  /** Called exactly once, also when the socket never opened. */
  onclose: ((close: { readonly code: number; readonly reason: string }) => void) | null
  /** Always followed by `onclose`. */
  onerror: ((error: unknown) => void) | null
  send(text: string): void
  close(code?: number, reason?: string): void
}

/** The options of opening a socket to a service. */
export interface SocketOptions {
  /** Such as `wss://mail.example/v1/realtime`. */
  url: string
  apiKey: string
}

/** Opens a socket; never throws, failures come as `onerror` and `onclose`. */
export type OpenSocket = (options: SocketOptions) => SocketLike

/** HTTP by the platform; looked up at each call, so that one which is replaced later is found. */
export const fetch: FetchLike = (url, init) => globalThis.fetch(url, init)

/**
 * Reads a file of this machine: all of it, or `maxBytes` and one more where it is larger.
 *
 * @throws UsageError `no_files` on a platform that has none; what the platform throws
 */
export type ReadFile = (path: string | URL, maxBytes: number) => Promise<Uint8Array>
