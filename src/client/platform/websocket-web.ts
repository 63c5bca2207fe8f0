import { bearerSubprotocolPrefix, realtimeSubprotocol } from '../../protocol/socket'
import type { OpenSocket, SocketLike } from './platform'

/** Opens the platform's WebSocket, with the key in a subprotocol, since browsers cannot set a header. */
export const openSocket: OpenSocket = ({ url, apiKey }) =>
  new WebSocket(url, [realtimeSubprotocol, `${bearerSubprotocolPrefix}${apiKey}`]) as SocketLike
