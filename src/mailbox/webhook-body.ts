import { UsageError } from '../protocol/errors/error'
import { chunksOf, joinChunks } from './base/bytes'

/** The part of Node's `IncomingMessage` that a webhook needs; express and others add `body`. */
export interface NodeRequest extends AsyncIterable<unknown> {
  readonly method?: string | undefined
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly readableEnded?: boolean | undefined
  readonly body?: unknown
  /** Original bytes, which Firebase and Google Cloud Functions keep beside a parsed body. */
  readonly rawBody?: unknown
  iterator?(options: { destroyOnReturn: boolean }): AsyncIterable<unknown>
}

const encoder = new TextEncoder()

const tooLarge = (maxBytes: number) =>
  new UsageError(
    'body_too_large',
    `The body has more than ${maxBytes} bytes, which no event has. If needed, raise maxBytes of mailbox.webhook().`,
  )

/** @throws UsageError `body_too_large` */
const readBounded = (chunks: AsyncIterable<unknown>, maxBytes: number): Promise<Uint8Array> =>
  joinChunks(chunks, maxBytes, () => tooLarge(maxBytes))

function requireSize(bytes: number, maxBytes: number): void {
  if (bytes > maxBytes) throw tooLarge(maxBytes)
}

const consumed = () =>
  new UsageError(
    'body_consumed',
    'The body was parsed before the webhook could verify the signed bytes. Mount the webhook before the body parser, or give its route the raw bytes: express.raw({ type: "*/*" }) in express, a content type parser that leaves the payload alone in fastify, `bodyParser: false` in Next pages.',
  )

/**
 * Reads the original body of a web request.
 *
 * @throws UsageError `body_consumed`, `body_too_large`
 */
export async function readWebBody(request: Request, maxBytes: number): Promise<Uint8Array> {
  if (request.bodyUsed) throw consumed()
  requireSize(Number(request.headers.get('content-length') ?? 0), maxBytes)
  return request.body ? readBounded(chunksOf(request.body), maxBytes) : new Uint8Array()
}

/** Returns text or bytes of any realm as bytes; null for anything else. */
function bytesOf(body: unknown): Uint8Array | null {
  if (typeof body === 'string') return encoder.encode(body)
  return ArrayBuffer.isView(body) ? new Uint8Array(body.buffer, body.byteOffset, body.byteLength) : null
}

/**
 * Reads the original body of a Node request: from its stream, or as a raw body parser left it.
 *
 * @throws UsageError `body_consumed`, `body_too_large`
 */
export async function readNodeBody(request: NodeRequest, maxBytes: number): Promise<Uint8Array> {
  const bytes = bytesOf(request.rawBody) ?? bytesOf(request.body)
  if (bytes) {
    requireSize(bytes.length, maxBytes)
    return bytes
  }
  if (request.readableEnded) throw consumed()
  requireSize(Number(request.headers['content-length'] ?? 0), maxBytes)
  // Breaking out of a loop over the request itself would close the connection before the response.
  return readBounded(request.iterator?.({ destroyOnReturn: false }) ?? request, maxBytes)
}
