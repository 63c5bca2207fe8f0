/** Part of the web's `fetch` that the client uses. The global `fetch` fits. */
export type FetchLike = (url: string, init: RequestInit) => Promise<Response>

/** Values of `readyState` of a {@link SocketLike}, as in the web standard. */
export const socketState = { connecting: 0, open: 1, closing: 2, closed: 3 } as const

/** Part of the web's `WebSocket` that the mailbox uses; text frames only. */
export interface SocketLike {
  /** One of {@link socketState}. */
  readonly readyState: number
  /** Bytes that `send` accepted and the network has not. */
  readonly bufferedAmount: number
  onopen: (() => void) | null
  onmessage: ((message: { readonly data: unknown }) => void) | null
  /** Called exactly once, even if the socket never opened. */
  onclose: ((close: { readonly code: number; readonly reason: string }) => void) | null
  /** Always followed by `onclose`. */
  onerror: ((error: unknown) => void) | null
  send(text: string): void
  close(code?: number, reason?: string): void
}

/** Options for opening a socket to a service. */
export interface SocketOptions {
  /** For example `wss://mail.example/v1/realtime`. */
  url: string
  apiKey: string
}

/** Opens a socket. Never throws: failures arrive as `onerror` and `onclose`. */
export type OpenSocket = (options: SocketOptions) => SocketLike

/** Calls the platform's `fetch`, which is looked up at each call, so that a later replacement is used. */
export const fetch: FetchLike = (url, init) => globalThis.fetch(url, init)

/**
 * Reads a local file: all of it, or `maxBytes` and one byte more if it is larger.
 *
 * @throws UsageError `no_files` on a platform without files; the platform's own errors
 */
export type ReadFile = (path: string | URL, maxBytes: number) => Promise<Uint8Array>
