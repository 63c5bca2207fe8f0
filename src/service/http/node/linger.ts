import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Clock } from '../../ports'

/** Time in ms for which a connection is read after its last answer, like nginx (`lingering_time`). */
const maxLingerMs = 30_000

/** Destroys a connection after {@link maxLingerMs}. Returns a function that cancels this. */
function destroyLater(socket: Duplex, clock: Clock): () => void {
  const cancel = clock.background(maxLingerMs, () => socket.destroy())
  socket.once('close', cancel)
  return () => {
    cancel()
    socket.off('close', cancel)
  }
}

/**
 * Writes a last answer and reads on until the peer is done. Closing with unread bytes would reset the
 * connection, and the peer could lose the answer (RFC 9112 section 9.6).
 */
export function endGently(socket: Duplex, clock: Clock, answer: string): void {
  destroyLater(socket, clock)
  socket.once('end', () => socket.destroy())
  socket.on('error', () => {})
  socket.end(answer)
}

/** Discards the rest of a body that was answered early. */
function readRest(request: IncomingMessage, clock: Clock): void {
  const { socket } = request
  const cancel = destroyLater(socket, clock)
  // Node and its adapter close a connection with this, which would reset it.
  socket.destroySoon = () => void socket.end()
  request.once('end', () => {
    cancel()
    socket.destroySoon = Object.getPrototypeOf(socket).destroySoon
    if (socket.writableEnded) socket.destroy()
  })
  request.removeAllListeners('data')
  request.resume()
}

/** Lets clients read an answer that arrives before they have sent their body. */
export function lingerAfterAnswers(server: Server, clock: Clock): void {
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    // Must run before the server's own listener, which closes.
    response.prependOnceListener('finish', () => {
      if (!request.complete) readRest(request, clock)
    })
  })
}
