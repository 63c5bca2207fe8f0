/**
 * Typed calls to a service, generated from the table of routes.
 *
 * @module
 */
export { baseUrl, realtimeUrl } from './base-url'
export { type Call, type CallOptions, type Client, type ClientOptions, createClient } from './client'
export { type Clock, systemClock } from './clock'
export type { FetchLike } from './fetch-like'
export { abortable, onAbort } from './on-abort'
export { pause } from './pause'
export { isTransient, type RetryOptions } from './retry'
export type { ServiceLike } from './service-like'
export { type OpenSocket, type SocketLike, type SocketOptions, socketState } from './socket-like'
