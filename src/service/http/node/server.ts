import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { monotonicNow } from '../../../protocol/time/clock'
import { refuse } from '../../base/refuse'
import type { Clock } from '../../ports'
import { rawRefusal } from '../raw-refusal'
import { lingerAfterAnswers } from './linger'
import { failedRequest, refuseMalformed } from './malformed'

/** Minimum bytes of a body in `withinMs`, 546 bytes a second: anything slower is treated as an attack. */
const minBytes = 16 * 1024
const withinMs = 30_000
/** Idle time in ms after which a connection is closed; longer than any answer takes. */
const silentMs = 120_000

interface Body {
  sinceMs: number
  /** Bytes that the connection had read at that time. */
  bytes: number
}

/** Written to the socket directly, since the server still waits for the rest of the body. */
const tooSlow = () =>
  rawRefusal(
    refuse(
      'request_timeout',
      `The body came too slowly: send at least ${minBytes} bytes every ${withinMs / 1000} seconds.`,
    ),
  )

/**
 * Ends requests whose body arrives too slowly, and idle connections. Single bytes would keep every idle
 * timeout from firing.
 */
function endSlowBodies(server: Server, clock: Clock): void {
  const bodies = new Map<IncomingMessage, Body>()
  server.timeout = silentMs
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    if (request.headers['content-length'] === undefined && request.headers['transfer-encoding'] === undefined)
      return
    bodies.set(request, { sinceMs: monotonicNow(clock), bytes: request.socket.bytesRead })
    const over = () => void bodies.delete(request)
    request.once('end', over)
    response.once('close', over)
  })
  let cancel = () => {}
  const look = () => {
    const now = monotonicNow(clock)
    for (const [request, body] of bodies) {
      if (now - body.sinceMs < withinMs) continue
      const { socket } = request
      if (socket.bytesRead - body.bytes < minBytes) {
        bodies.delete(request)
        socket.end(tooSlow(), () => socket.destroy())
      } else bodies.set(request, { sinceMs: now, bytes: socket.bytesRead })
    }
    cancel = clock.background(withinMs / 2, look)
  }
  look()
  server.once('close', () => cancel())
}

/** Creates a server that answers by `fetch`, refuses invalid HTTP in JSON, and drops slow clients. */
export function createHttpServer(fetch: Parameters<typeof getRequestListener>[0], clock: Clock): Server {
  const listener = getRequestListener(fetch, { errorHandler: failedRequest })
  // `failedRequest` refuses requests without `Host`, with a body.
  const server = createServer({ requireHostHeader: false }, listener)
  endSlowBodies(server, clock)
  lingerAfterAnswers(server, clock)
  refuseMalformed(server, clock)
  return server
}
