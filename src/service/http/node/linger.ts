import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Clock } from '../../ports'

/** Time for which a connection is read after its last answer: as long as nginx does (`lingering_time`). */
const maxLingerMs = 30_000

/** Ends a connection for good once its peer has ended it, or after {@link maxLingerMs}. */
function destroyLater(socket: Duplex, clock: Clock): () => void {
  const cancel = clock.background(maxLingerMs, () => socket.destroy())
  socket.once('close', cancel)
  return () => {
    cancel()
    socket.off('close', cancel)
  }
}

/**
 * Writes a last answer and reads on until the peer is done: closing with unread bytes resets the connection, and the
 * peer may lose the answer (RFC 9112 section 9.6).
 */
export function endGently(socket: Duplex, clock: Clock, answer: string): void {
  destroyLater(socket, clock)
  socket.once('end', () => socket.destroy())
  socket.on('error', () => {})
  socket.end(answer)
}

/** Reads the rest of a body that was answered early, without keeping it. */
function readRest(request: IncomingMessage, clock: Clock): void {
  const { socket } = request
  const cancel = destroyLater(socket, clock)
  // Node and its adapter call it to close a connection, which would reset this one.
  socket.destroySoon = () => void socket.end()
  request.once('end', () => {
    cancel()
    socket.destroySoon = Object.getPrototypeOf(socket).destroySoon
    if (socket.writableEnded) socket.destroy()
  })
  request.removeAllListeners('data')
  request.resume()
}

/** Lets clients read an answer that comes before they have sent their body. */
export function lingerAfterAnswers(server: Server, clock: Clock): void {
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    // Before the listener of the server, which closes.
    response.prependOnceListener('finish', () => {
      if (!request.complete) readRest(request, clock)
    })
  })
}
