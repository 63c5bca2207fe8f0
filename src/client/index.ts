/**
 * Typed calls to a service, generated from the table of routes.
 *
 * @module
 */

export { type Clock, systemClock } from '../protocol/time'
export { abortable, onAbort, pause } from './abort'
export { baseUrl, realtimeUrl } from './base-url'
export {
  type Call,
  type CallOptions,
  type Client,
  type ClientOptions,
  createClient,
  type ServiceLike,
} from './client'
export { type FetchLike, type OpenSocket, type SocketLike, type SocketOptions, socketState } from './platform'
export { isKeyRefusal, isTransient, type RetryOptions, retryPauseMs } from './retry'
