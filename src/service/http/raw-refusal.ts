import { STATUS_CODES } from 'node:http'
import type { ServiceError } from '../../protocol/errors/error'

/** Returns the seconds of a `Retry-After` field. */
export const retryAfterSeconds = (retryAfterMs: number): number => Math.max(1, Math.ceil(retryAfterMs / 1000))

/** Writes a refusal as a complete HTTP answer that closes the connection. */
export function rawRefusal({ status, code, message, retryAfterMs }: ServiceError): string {
  const body = JSON.stringify({ error: code, message })
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    ...(retryAfterMs === undefined ? [] : [`Retry-After: ${retryAfterSeconds(retryAfterMs)}`]),
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n')
}
