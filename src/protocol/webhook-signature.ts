import { RestanteError, UsageError } from './errors'
import type { Event } from './records'
import { misfitOf } from './shape'
import { minuteMs } from './time'
import { eventShape } from './wire'

const secretPrefix = 'whsec_'
/** The most that the clock of the sender may be off, in ms (Standard Webhooks). */
const toleranceMs = 5 * minuteMs

/** The headers of a delivery (Standard Webhooks 1.0, "Webhook metadata"). */
export interface WebhookHeaders {
  'webhook-id': string
  'webhook-timestamp': string
  'webhook-signature': string
}

/** The content that {@link signWebhook} signs. */
export interface WebhookContent {
  /** The id of the event: the same for every attempt. */
  id: string
  timestampMs: number
  body: string
}

/** The request that {@link verifyWebhook} checks, and the secrets. */
export interface VerifyWebhookOptions {
  /** `whsec_…`; several while one takes the place of another. */
  secret: string | readonly string[]
  headers: Headers | Record<string, string | readonly string[] | undefined>
  /** The body exactly as it came: parsing and writing it again changes the bytes. */
  body: string | Uint8Array
  /** The time now; the clock of this machine where nothing is said. */
  nowMs?: number
}

const encoder = new TextEncoder()
const algorithm = { name: 'HMAC', hash: 'SHA-256' }

const toBase64 = (bytes: Uint8Array) => btoa(String.fromCharCode(...bytes))
const fromBase64 = (text: string): Uint8Array<ArrayBuffer> | null => {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return null
  }
}

const unverified = (message: string) => new RestanteError('webhook_unverified', message)

/**
 * A secret as receivers keep it: `whsec_` and the base64 of its bytes.
 *
 * @example
 * ```ts
 * const secret = webhookSecret(crypto.getRandomValues(new Uint8Array(24)))
 * ```
 */
export const webhookSecret = (bytes: Uint8Array): string => secretPrefix + toBase64(bytes)

const bytesOfSecret = (secret: string) =>
  fromBase64(secret.startsWith(secretPrefix) ? secret.slice(secretPrefix.length) : secret)

/**
 * Requires that something can be verified with a secret, or with each of several.
 *
 * @param what Whoever takes it, for the words of the refusal.
 * @throws UsageError `invalid_secret`
 */
export function requireWebhookSecret(secret: unknown, what: string): void {
  const secrets = [secret].flat()
  const isGood = (one: unknown) => typeof one === 'string' && (bytesOfSecret(one)?.length ?? 0) > 0
  if (secrets.length > 0 && secrets.every(isGood)) return
  const isEmpty =
    secrets.length === 0 || secrets.some((one) => one === '' || one === undefined || one === null)
  throw new UsageError(
    'invalid_secret',
    `${what} ${isEmpty ? 'has no secret: is WEBHOOK_SECRET set?' : 'was given what is no secret.'} It is whsec_…, as \`restante webhooks add\` or POST /webhooks shows it once, and \`restante listen --forward\` each time.`,
  )
}

function importSecret(secret: string): Promise<CryptoKey> {
  const bytes = bytesOfSecret(secret)
  if (!bytes?.length)
    throw unverified('The webhook secret is not "whsec_" and base64: copy it from where it was shown.')
  return crypto.subtle.importKey('raw', bytes, algorithm, false, ['sign', 'verify'])
}

/** `id.timestamp.body`: what is signed (Standard Webhooks 1.0, "Signature scheme"). */
function signedBytes(id: string, timestamp: string, body: string | Uint8Array): Uint8Array<ArrayBuffer> {
  const head = encoder.encode(`${id}.${timestamp}.`)
  const tail = typeof body === 'string' ? encoder.encode(body) : body
  const bytes = new Uint8Array(head.length + tail.length)
  bytes.set(head)
  bytes.set(tail, head.length)
  return bytes
}

/**
 * Signs a delivery with each secret, HMAC-SHA-256 (Standard Webhooks 1.0).
 *
 * @param secrets `whsec_…`, the newest first; the receiver needs one of them.
 * @example
 * ```ts
 * const headers = await signWebhook([secret], { id: 'evt_1', timestampMs: Date.now(), body: '{}' })
 * ```
 */
export async function signWebhook(
  secrets: readonly string[],
  { id, timestampMs, body }: WebhookContent,
): Promise<WebhookHeaders> {
  const timestamp = String(Math.floor(timestampMs / 1_000))
  const bytes = signedBytes(id, timestamp, body)
  const signatures = secrets.map(async (secret) => {
    const signature = await crypto.subtle.sign(algorithm.name, await importSecret(secret), bytes)
    return `v1,${toBase64(new Uint8Array(signature))}`
  })
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': (await Promise.all(signatures)).join(' '),
  }
}

function readHeader(headers: VerifyWebhookOptions['headers'], name: keyof WebhookHeaders): string {
  const value =
    headers instanceof Headers
      ? headers.get(name)
      : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
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

/** The signatures of a version that we know; others are for other receivers. */
const signaturesOf = (header: string) =>
  header
    .split(' ')
    .slice(0, maxSignatures)
    .filter((part) => part.startsWith('v1,'))
    .map((part) => fromBase64(part.slice(3)))
    .filter((signature) => signature !== null)

/**
 * Checks that a request comes from the service and is not older than 5 minutes, and reads its event. The
 * comparison takes the same time whether it fails early or late (it is WebCrypto's own).
 *
 * @throws RestanteError `webhook_unverified`: answer 401 and do nothing else
 *
 * @example
 * ```ts
 * const event = await verifyWebhook({ secret, headers: request.headers, body: await request.text() })
 * ```
 */
export async function verifyWebhook(options: VerifyWebhookOptions): Promise<Event> {
  const { secret, headers, body, nowMs = Date.now() } = options
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
  return readEvent(body)
}

function readEvent(body: string | Uint8Array): Event {
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body)
  try {
    const event: unknown = JSON.parse(text)
    const misfit = misfitOf(eventShape, event)
    if (misfit === null) return event as Event
    throw new TypeError(`it${misfit}`)
  } catch (cause) {
    throw new RestanteError('webhook_unverified', 'The signature fits, but the body is not an event.', {
      cause,
    })
  }
}
