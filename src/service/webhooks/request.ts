import { type Dispatcher as Connections, request } from 'undici'
import { maxHeaderBytes, notPublic } from '../net/guarded-agent'
import type { Clock, EndpointAnswer, EndpointRequest } from '../ports'

const timeoutMs = 15_000
const maxKeptBytes = 2 * 1024

const problems: Record<string, string> = {
  [notPublic]: 'The host name leads to no address on the public internet.',
  ENOTFOUND: 'The host name does not exist.',
  ENODATA: 'The host name has no address.',
  ETIMEOUT: 'DNS gave no answer for the host name.',
  ECONNREFUSED: 'The connection was refused.',
  ECONNRESET: 'The connection was closed before an answer came.',
  UND_ERR_SOCKET: 'The connection was closed before an answer came.',
  UND_ERR_CONNECT_TIMEOUT: 'The connection could not be made in time.',
  UND_ERR_HEADERS_OVERFLOW: `The headers of the answer are larger than ${maxHeaderBytes} bytes.`,
}
const timedOut = `There was no answer within ${timeoutMs / 1_000} seconds.`

function problemOf(error: unknown): string {
  const { code = '', name } = error as NodeJS.ErrnoException
  if (name === 'HTTPParserError') return 'The answer is not HTTP.'
  return problems[code] ?? `The request failed${code && ` (${code})`}.`
}

/** Returns why an answer with this status counts as failed; null if it succeeded. */
function problemOfStatus(status: number): string | null {
  if (status >= 200 && status < 300) return null
  if (status >= 300 && status < 400)
    return `The endpoint answered ${status}: redirects are not followed, give the webhook the address itself.`
  return `The endpoint answered ${status}.`
}

/** Reads the first bytes of an answer. An endless one is cut, and bytes before a failure are kept. */
async function readStart(body: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of body) {
      chunks.push(chunk)
      size += chunk.length
      if (size >= maxKeptBytes) break
    }
  } catch {} // the status is known, and decides
  return Buffer.concat(chunks).subarray(0, maxKeptBytes)
}

/**
 * Decodes bytes of a stranger as text that is safe for a terminal, a page and a database; a character cut in
 * two is dropped.
 */
const safeText = (bytes: Uint8Array): string =>
  new TextDecoder().decode(bytes, { stream: true }).replace(/[^\P{C}\n\t]/gu, '\uFFFD')

/**
 * Posts to an endpoint once. The status decides as soon as it is received; redirects are not followed.
 *
 * @param signal Ends the request; then it rejects, unless the status was received.
 */
export async function postToEndpoint(
  connections: Connections,
  clock: Clock,
  { url, headers, body }: EndpointRequest,
  signal: AbortSignal,
): Promise<EndpointAnswer> {
  const timeout = new AbortController()
  const cancel = clock.background(timeoutMs, () => timeout.abort())
  try {
    const answer = await request(url, {
      method: 'POST',
      headers,
      body,
      dispatcher: connections,
      signal: AbortSignal.any([signal, timeout.signal]),
    })
    answer.body.on('error', () => {}) // stopping early causes one
    const responseBody = safeText(await readStart(answer.body))
    return { httpStatus: answer.statusCode, error: problemOfStatus(answer.statusCode), responseBody }
  } catch (error) {
    signal.throwIfAborted()
    const problem = timeout.signal.aborted ? timedOut : problemOf(error)
    return { httpStatus: null, error: problem, responseBody: null }
  } finally {
    cancel()
  }
}
