import { bearerSubprotocolPrefix, realtimeSubprotocol } from '../../protocol'
import type { OpenSocket, SocketLike } from '../socket-like'

/** Opens the platform's WebSocket; the key rides in a subprotocol, since browsers cannot set a header. */
export const openSocket: OpenSocket = ({ url, apiKey }) =>
  new WebSocket(url, [realtimeSubprotocol, `${bearerSubprotocolPrefix}${apiKey}`]) as SocketLike
