import { UsageError } from './errors/error'
import { checkOptions, type OptionNames } from './options'
import { minuteMs } from './time/clock'
import { fromBase64, requireWebhookSecret } from './webhook-secret'
import { algorithm, importSecret, signedBytes, unverified, type WebhookHeaders } from './webhook-signature'

/** Largest difference to the clock of the sender, in ms (Standard Webhooks). */
const toleranceMs = 5 * minuteMs

/** Headers of any class with `get`. */
interface HeaderReader {
  get(name: string): string | null | undefined
}

/** Headers of a request: an object with `get`, or one with a value or an array for each name. */
export type WebhookRequestHeaders =
  | HeaderReader
  | Readonly<Record<string, string | readonly string[] | undefined>>

/** The request that {@link verifyWebhook} checks, with the secrets. */
export interface VerifyWebhookOptions {
  /** `whsec_…`; several during a rotation. */
  secret: string | readonly string[]
  headers: WebhookRequestHeaders
  /** Original body: parsing and serialising it again changes the bytes. */
  body: string | Uint8Array | ArrayBuffer
  /** Current time, in ms since 1970. Default: the clock of this machine. */
  nowMs?: number | undefined
}

const names: OptionNames<VerifyWebhookOptions> = { secret: true, headers: true, body: true, nowMs: 'number' }

const isReader = (headers: WebhookRequestHeaders): headers is HeaderReader =>
  typeof (headers as { get?: unknown }).get === 'function'

/** Reads a header; its value may have any type. */
export function rawHeader(headers: WebhookRequestHeaders, name: string): unknown {
  const value = isReader(headers)
    ? headers.get(name)
    : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  return Array.isArray(value) && value.length === 1 ? value[0] : value
}

function readHeader(headers: WebhookRequestHeaders, name: keyof WebhookHeaders): string {
  const value = rawHeader(headers ?? {}, name)
  if (typeof value !== 'string' || value === '')
    throw unverified(`The request has no header ${name}: it is not a webhook, or a proxy took it away.`)
  return value
}

function checkTime(timestamp: string, nowMs: number): void {
  const timestampMs = /^\d{1,12}$/.test(timestamp) ? Number(timestamp) * 1_000 : Number.NaN
  if (!(Math.abs(nowMs - timestampMs) <= toleranceMs))
    throw unverified(
      'The timestamp is more than 5 minutes off: a repeated request, or a clock that is wrong.',
    )
}

const maxSignatures = 20

/** Returns the signatures of the known version; others are for other receivers. */
const signaturesOf = (header: string) =>
  header
    .split(' ')
    .slice(0, maxSignatures)
    .filter((part) => part.startsWith('v1,'))
    .map((part) => fromBase64(part.slice(3)))
    .filter((signature) => signature !== null)

/**
 * Checks the signature and the time of a request; resolves with its body as text. The comparison is
 * WebCrypto's, and takes the same time for early and late differences.
 *
 * @throws RestanteError `webhook_unverified`; UsageError `invalid_options`, `invalid_secret`, `body_consumed`
 */
export async function verifiedBody(options: VerifyWebhookOptions): Promise<string> {
  checkOptions('verifyWebhook()', options, names)
  const { secret, headers, body: given, nowMs = Date.now() } = options
  requireWebhookSecret(secret, 'verifyWebhook()')
  const body = originalBody(given)
  const timestamp = readHeader(headers, 'webhook-timestamp')
  checkTime(timestamp, nowMs)
  const signatures = signaturesOf(readHeader(headers, 'webhook-signature'))
  const bytes = signedBytes(readHeader(headers, 'webhook-id'), timestamp, body)
  const keys = await Promise.all([secret].flat().map(importSecret))
  const checks = keys.flatMap((key) =>
    signatures.map((signature) => crypto.subtle.verify(algorithm.name, key, signature, bytes)),
  )
  if (!(await Promise.all(checks)).includes(true))
    throw unverified('No signature fits: wrong secret, or the body was changed after it was signed.')
  return typeof body === 'string' ? body : new TextDecoder().decode(body)
}

/** @throws UsageError `body_consumed` for a value that is neither text nor bytes, such as a parsed body */
function originalBody(body: unknown): string | Uint8Array {
  if (typeof body === 'string') return body
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength)
  if (Object.prototype.toString.call(body) === '[object ArrayBuffer]')
    return new Uint8Array(body as ArrayBuffer)
  throw new UsageError(
    'body_consumed',
    `verifyWebhook() needs the original body as text or bytes, and was given ${body === undefined ? 'none' : 'something else'}: pass await request.text(), and mount it before any body parser.`,
  )
}
