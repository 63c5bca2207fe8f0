import { type IncomingMessage, type Server, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import { isServiceError, type ServiceError } from '../../protocol/error'
import { bearerSubprotocolPrefix, realtimeSubprotocol } from '../../protocol/frames'
import { bearerOf, type Scope } from '../core/keys'
import { refuse } from '../core/refuse'
import type { Gateway } from './gateway'
import type { Peer } from './peer'

const path = '/v1/realtime'
const mostFrameBytes = 64 * 1024

/** A `ws` socket as the gateway sees it. */
function peerOf(socket: WebSocket): Peer {
  let wakeDrained = () => {}
  const peer: Peer = {
    get bufferedAmount() {
      return socket.bufferedAmount
    },
    send: (text) => {
      if (socket.readyState === socket.OPEN) socket.send(text, () => wakeDrained())
    },
    close: (code, reason) => {
      socket.close(code, reason)
      setTimeout(() => socket.terminate(), 1_000).unref()
    },
    drained: () =>
      new Promise((resolve) => {
        wakeDrained = () => {
          if (socket.bufferedAmount === 0 || socket.readyState !== socket.OPEN) resolve()
        }
        wakeDrained()
      }),
    onmessage: () => {},
    onclose: () => {},
  }
  socket.on('message', (data, isBinary) => peer.onmessage(isBinary ? '' : data.toString()))
  socket.on('close', () => {
    wakeDrained()
    peer.onclose()
  })
  socket.on('error', () => {}) // `close` follows and says all there is to say
  return peer
}

/** The key of a socket: in the header, or where a browser can only put it. */
function keyOf(request: IncomingMessage): string | undefined {
  const protocols = (request.headers['sec-websocket-protocol'] ?? '').split(',').map((one) => one.trim())
  const bearer = protocols.find((one) => one.startsWith(bearerSubprotocolPrefix))
  return bearerOf(request.headers.authorization) ?? bearer?.slice(bearerSubprotocolPrefix.length)
}

function refuseUpgrade(socket: Duplex, error: ServiceError): void {
  const body = JSON.stringify({ error: error.code, message: error.message })
  const { retryAfterMs } = error
  const wait =
    retryAfterMs === undefined ? '' : `Retry-After: ${Math.max(1, Math.ceil(retryAfterMs / 1000))}\r\n`
  socket.end(
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}\r\n${wait}Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
}

/** Finds whose key an upgrade brings. @throws ServiceError `unauthorized`, `rate_limited` */
export type AdmitSocket = (key: string | undefined, request: IncomingMessage) => Promise<Scope>

async function admitTo(admit: AdmitSocket, request: IncomingMessage): Promise<Scope> {
  const { pathname } = new URL(request.url ?? '/', 'http://localhost')
  if (pathname !== path) throw refuse('not_found', `Sockets are at ${path}.`)
  return admit(keyOf(request), request)
}

/** Lets agents open a socket at `/v1/realtime` of an HTTP server. */
export function attachRealtime(server: Server, admit: AdmitSocket, gateway: Gateway): void {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: mostFrameBytes,
    perMessageDeflate: false,
    handleProtocols: (offered) => (offered.has(realtimeSubprotocol) ? realtimeSubprotocol : false),
  })
  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => {})
    admitTo(admit, request).then(
      (scope) =>
        sockets.handleUpgrade(request, socket, head, (opened) => gateway.accept(scope, peerOf(opened))),
      (error) =>
        refuseUpgrade(
          socket,
          isServiceError(error) ? error : refuse('internal_error', 'The service failed.'),
        ),
    )
  })
}
