/** Platform functions that differ between Node and others: sockets, files, fetch. */

export {
  type FetchLike,
  fetch,
  type OpenSocket,
  type SocketLike,
  type SocketOptions,
  socketState,
} from './platform'
