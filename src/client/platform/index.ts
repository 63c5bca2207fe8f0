/** The interfaces to the platform, by which Node and the rest differ: sockets, files, fetch. */

export {
  type FetchLike,
  fetch,
  type OpenSocket,
  type SocketLike,
  type SocketOptions,
  socketState,
} from './platform'
