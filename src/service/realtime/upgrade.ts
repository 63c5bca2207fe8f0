import type { IncomingMessage, Server } from 'node:http'
import { type WebSocket, WebSocketServer } from 'ws'
import { isServiceError } from '../../protocol/errors'
import {
  accountSubprotocolPrefix,
  bearerSubprotocolPrefix,
  maxFrameBytes,
  realtimePath,
  realtimeSubprotocol,
} from '../../protocol/frames'
import { bearerOf } from '../accounts'
import { outageOf, refuse } from '../base'
import { rawRefusal } from '../http'
import type { Clock } from '../ports'
import type { Gateway, SocketOwner } from './gateway'
import type { Peer } from './peer'

const path = `/v1${realtimePath}`
/** A frame may come in pieces, but not in so many that their number costs more than their bytes. */
const maxPieces = 64
/** The time that a reader which is told goodbye has to take it. */
const lingerMs = 1_000

/** A `ws` socket as the gateway sees it. */
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
      // What it still says is of no use to anybody.
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
    // Of several pings only the last needs an answer (RFC 6455 section 5.5.3).
    if (socket.bufferedAmount === 0 && socket.readyState === socket.OPEN) socket.pong(data)
  })
  socket.on('close', () => peer.onclose())
  socket.on('error', () => {}) // `close` follows and says all there is to say
  return peer
}

/** The subprotocols that a socket offers. */
const protocolsOf = (request: IncomingMessage): string[] =>
  (request.headers['sec-websocket-protocol'] ?? '')
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean)

/**
 * Requires the subprotocol of this service where any is offered: one that was offered must be selected (RFC 6455
 * section 4.1), and the one with the key must not come back in a header.
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

/** Reads what a socket brings: from the header, or from a subprotocol, where browsers can put it. */
function claimOf(request: IncomingMessage, protocols: readonly string[]): SocketClaim {
  const after = (prefix: string) => protocols.find((one) => one.startsWith(prefix))?.slice(prefix.length)
  const key = bearerOf(request.headers.authorization) ?? after(bearerSubprotocolPrefix)
  return key === undefined ? { account: after(accountSubprotocolPrefix) } : { key }
}

/** The right by which a socket is asked for: a key, or the session of an operator and the account that they name. */
export interface SocketClaim {
  key?: string | undefined
  account?: string | undefined
}

/** Finds who asks for a socket. @throws ServiceError `unauthorized`, `sign_in_required`, `origin_refused`, `rate_limited` */
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

/** Lets agents open a socket at `/v1/realtime` of an HTTP server. */
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
