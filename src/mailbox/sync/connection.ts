import { baseUrl, realtimeUrl } from '../../client/base-url'
import { type Client, createClient, type ServiceLike } from '../../client/client'
import type { FetchLike, OpenSocket, SocketOptions } from '../../client/platform/platform'
import { UsageError } from '../../protocol/errors/error'
import type { Clock } from '../../protocol/time/clock'
import { loadLater } from '../base/load-later'
import { createPollSource, createWebhookSource } from './poll-source'
import { createSocketSource } from './socket-source'
import type { SourceKind, StartSource } from './source'

/** A service at an address. */
export interface RemoteOptions {
  /** The base address, such as `https://mail.example/v1`; `/v1` is added if missing. */
  url: string | URL
  apiKey: string
  service?: undefined
  /** Replaces the platform's `fetch`. */
  fetch?: FetchLike | undefined
  /** Replaces the platform's WebSocket. */
  openSocket?: OpenSocket | undefined
}

/** A service in the same process. */
export interface EmbeddedOptions {
  service: ServiceLike
  /** Default: the key of the account that the service created for itself. */
  apiKey?: string | undefined
  url?: undefined
}

/** Access to a service: a client, and a socket. */
export interface Connection {
  readonly client: Client
  readonly openSocket: OpenSocket
  readonly socket: SocketOptions
  /** Name of the service for error messages. */
  readonly name: string
}

const embedded = async (
  { service, apiKey }: EmbeddedOptions,
  clock: Clock,
  signal: AbortSignal,
): Promise<Connection> => {
  const key = apiKey ?? (await service.home()).apiKey
  const url = 'http://service.internal/v1'
  return {
    client: createClient({
      url,
      apiKey: key,
      signal,
      clock,
      fetch: (address, init) => service.fetch(new Request(address, init)),
    }),
    openSocket: (options) => service.socket({ apiKey: options.apiKey }),
    socket: { url: realtimeUrl(url), apiKey: key },
    name: 'the embedded service',
  }
}

// It is large in Node, and not needed just to import the package.
const loadWebSocket = loadLater(() => import('#websocket'))

/**
 * Resolves the options to a connection.
 *
 * @throws UsageError `invalid_options`, `invalid_url`, `invalid_api_key`
 */
export const connect = async (
  options: RemoteOptions | EmbeddedOptions,
  clock: Clock,
  signal: AbortSignal,
): Promise<Connection> => {
  if (options.service) return embedded(options, clock, signal)
  if (!options.url || !options.apiKey)
    throw new UsageError(
      'invalid_options',
      'Mailbox.open needs { url, apiKey } of a service, or { service } in the same process: an agent gets a key by POST /agent-signups',
    )
  const base = baseUrl(options.url)
  const openSocket = options.openSocket ?? (await loadWebSocket()).openSocket
  return {
    client: createClient({ url: base, apiKey: options.apiKey, fetch: options.fetch, signal, clock }),
    openSocket,
    socket: { url: realtimeUrl(base), apiKey: options.apiKey },
    name: base,
  }
}

/** Makes the sources that can read the log. */
export const createSources = (
  { client, openSocket, socket }: Connection,
  inboxId: string | undefined,
  clock: Clock,
): Readonly<Record<SourceKind, StartSource>> => ({
  socket: createSocketSource({ socket, openSocket, inboxId, clock }),
  webhook: createWebhookSource({ client, inboxId, clock }),
  poll: createPollSource({ client, inboxId, clock }),
})
