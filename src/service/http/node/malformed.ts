import { type IncomingMessage, maxHeaderSize, type Server, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { ServiceError } from '../../../protocol/errors/error'
import { refuse } from '../../base/refuse'
import type { Clock } from '../../ports'
import { rawRefusal } from '../raw-refusal'
import { endGently } from './linger'

interface ParserError extends Error {
  code?: string
  /** Description by the parser. */
  reason?: string
}

/** Returns the refusal for a request that the HTTP parser could not read. */
function refusalOf({ code, reason }: ParserError): ServiceError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return refuse(
        'header_too_large',
        `The request line and the header are larger than ${maxHeaderSize} bytes: shorten the query, or send fewer cookies.`,
      )
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return refuse('payload_too_large', 'The chunk extensions are too large: leave them out.')
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return refuse('request_timeout', 'The request came too slowly: send it again.')
    default:
      return refuse(
        'malformed_request',
        `The request is not valid HTTP${reason ? ` (${reason})` : ''}: use an HTTP client library.`,
      )
  }
}

/** Answers a request that the adapter could not read, such as one without `Host`. */
export function failedRequest(error: unknown): Response {
  const isRequest = error instanceof Error && error.name === 'RequestError'
  const { status, code, message } = isRequest
    ? refuse(
        'malformed_request',
        `The request is not valid: ${error.message}. Check its path and its Host field.`,
      )
    : refuse('internal_error', 'The service failed at this; the request can be repeated.')
  return Response.json({ error: code, message }, { status })
}

/** Answers invalid HTTP once for each connection, with the body of a refusal. */
export function refuseMalformed(server: Server, clock: Clock): void {
  const refused = new WeakSet<Duplex>()
  const asked = new WeakMap<Duplex, { request: IncomingMessage; response: ServerResponse }>()
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    asked.set(request.socket, { request, response })
  })
  server.on('clientError', (error: ParserError, socket: Duplex) => {
    // The parser fails again for each later chunk.
    if (refused.has(socket)) return
    const last = asked.get(socket)
    // An answer is being written: another would look like a part of it, or like the answer to that request.
    const isAnswering =
      last !== undefined &&
      !last.response.writableFinished &&
      (last.request.complete || last.response.headersSent)
    if (!socket.writable || error.code === 'ECONNRESET' || isAnswering) return void socket.destroy()
    refused.add(socket)
    endGently(socket, clock, rawRefusal(refusalOf(error)))
  })
}
