import type { IncomingMessage, Server } from 'node:http'
import { type WebSocket, WebSocketServer } from 'ws'
import { isServiceError } from '../../protocol/errors/error'
import {
  accountSubprotocolPrefix,
  bearerSubprotocolPrefix,
  maxFrameBytes,
  realtimePath,
  realtimeSubprotocol,
} from '../../protocol/frames'
import { bearerOf } from '../accounts/keys'
import { outageOf } from '../base/outage'
import { refuse } from '../base/refuse'
import { rawRefusal } from '../http/raw-refusal'
import type { Clock } from '../ports'
import type { Gateway, SocketOwner } from './gateway'
import type { Peer } from './output'

const path = `/v1${realtimePath}`
/** Maximum number of fragments of a frame, whose overhead must not exceed their bytes. */
const maxPieces = 64
/** Time in ms that a reader has to read the last frame. */
const lingerMs = 1_000

/** Wraps a `ws` socket for the gateway. */
function peerOf(socket: WebSocket, clock: Clock): Peer {
  const sent = () => peer.ondrain()
  const peer: Peer = {
    get bufferedAmount() {
      return socket.bufferedAmount
    },
    send: (text) => {
      if (socket.readyState === socket.OPEN) socket.send(text, sent)
    },
    close: (code, reason) => {
      // Later frames are useless.
      socket.removeAllListeners('message').removeAllListeners('ping')
      socket.close(code, reason)
      socket.once(
        'close',
        clock.background(lingerMs, () => socket.terminate()),
      )
    },
    onmessage: () => {},
    onping: () => {},
    ondrain: () => {},
    onclose: () => {},
  }
  socket.on('message', (data, isBinary) => peer.onmessage(isBinary ? '' : data.toString()))
  socket.on('ping', (data) => {
    peer.onping()
    // Only the last of several pings needs an answer (RFC 6455 section 5.5.3).
    if (socket.bufferedAmount === 0 && socket.readyState === socket.OPEN) socket.pong(data)
  })
  socket.on('close', () => peer.onclose())
  socket.on('error', () => {}) // `close` follows, which is enough
  return peer
}

/** Returns the subprotocols that a socket offers. */
const protocolsOf = (request: IncomingMessage): string[] =>
  (request.headers['sec-websocket-protocol'] ?? '')
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean)

/**
 * Requires the subprotocol of this service if any is offered. An offered one must be selected (RFC 6455
 * section 4.1), and the one with the key must not be returned in a header.
 *
 * @throws ServiceError `invalid_request`
 */
function requireSubprotocol(protocols: readonly string[]): void {
  if (protocols.length === 0 || protocols.includes(realtimeSubprotocol)) return
  throw refuse(
    'invalid_request',
    `Offer the subprotocol ${realtimeSubprotocol}, and in a browser the key beside it: new WebSocket(url, ['${realtimeSubprotocol}', '${bearerSubprotocolPrefix}<key>']).`,
  )
}

/** Reads the claim of a socket: from the header, or from a subprotocol, which browsers can set. */
function claimOf(request: IncomingMessage, protocols: readonly string[]): SocketClaim {
  const after = (prefix: string) => protocols.find((one) => one.startsWith(prefix))?.slice(prefix.length)
  const key = bearerOf(request.headers.authorization) ?? after(bearerSubprotocolPrefix)
  return key === undefined ? { account: after(accountSubprotocolPrefix) } : { key }
}

/** Credentials of a socket: a key, or an operator's session with the account that they name. */
export interface SocketClaim {
  key?: string | undefined
  account?: string | undefined
}

/**
 * Finds the owner of a requested socket. @throws ServiceError `unauthorized`, `sign_in_required`,
 * `origin_refused`, `rate_limited`
 */
type IdentifySocket = (claim: SocketClaim, request: IncomingMessage) => Promise<SocketOwner>

async function admit(
  gateway: Gateway,
  identify: IdentifySocket,
  request: IncomingMessage,
): Promise<SocketOwner> {
  const { pathname } = new URL(request.url ?? '/', 'http://localhost')
  if (pathname !== path) throw refuse('not_found', `Sockets are at ${path}.`)
  const protocols = protocolsOf(request)
  requireSubprotocol(protocols)
  const owner = await identify(claimOf(request, protocols), request)
  gateway.admit(owner.scope)
  return owner
}

const refusalOf = (error: unknown) =>
  isServiceError(error) ? error : (outageOf(error) ?? refuse('internal_error', 'The service failed.'))

/** Accepts sockets at `/v1/realtime` of an HTTP server. */
export function attachRealtime(
  server: Server,
  identify: IdentifySocket,
  gateway: Gateway,
  clock: Clock,
): void {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: maxFrameBytes,
    maxFragments: maxPieces,
    maxBufferedChunks: 4 * maxPieces,
    autoPong: false,
    perMessageDeflate: false,
    handleProtocols: (offered) => (offered.has(realtimeSubprotocol) ? realtimeSubprotocol : false),
  })
  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => {})
    admit(gateway, identify, request).then(
      (owner) =>
        sockets.handleUpgrade(request, socket, head, (opened) =>
          gateway.accept(owner, peerOf(opened, clock)),
        ),
      (error) => socket.end(rawRefusal(refusalOf(error))),
    )
  })
}
