import { RestanteError, UsageError } from './errors/error'
import { checkOptions, type OptionNames } from './options'
import { bytesOfSecret, requireWebhookSecret, toBase64 } from './webhook-secret'

/** Header with the epoch of the log for the position of the event. */
export const epochHeader = 'restante-log-epoch'

/** Headers of a delivery (Standard Webhooks 1.0, "Webhook metadata"). */
export interface WebhookHeaders {
  'webhook-id': string
  'webhook-timestamp': string
  'webhook-signature': string
}

/** Content that {@link signWebhook} signs. */
export interface WebhookContent {
  /** Id of the event: the same for every attempt. */
  id: string
  timestampMs: number
  body: string
}

const names: OptionNames<WebhookContent> = { id: 'string', timestampMs: 'number', body: true }

const encoder = new TextEncoder()
export const algorithm = { name: 'HMAC', hash: 'SHA-256' }

export const unverified = (message: string) => new RestanteError('webhook_unverified', message)

export function importSecret(secret: string): Promise<CryptoKey> {
  const bytes = bytesOfSecret(secret)
  if (!bytes?.length)
    throw unverified(
      'The webhook secret must be "whsec_" and base64: copy it again from the output that showed it.',
    )
  return crypto.subtle.importKey('raw', bytes, algorithm, false, ['sign', 'verify'])
}

/** Returns `id.timestamp.body`, the signed bytes (Standard Webhooks 1.0, "Signature scheme"). */
export function signedBytes(
  id: string,
  timestamp: string,
  body: string | Uint8Array,
): Uint8Array<ArrayBuffer> {
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
  content: WebhookContent,
): Promise<WebhookHeaders> {
  checkOptions('signWebhook()', content, names)
  const { id, timestampMs, body } = content
  requireWebhookSecret(secrets, 'signWebhook()')
  if (typeof body !== 'string')
    throw new UsageError('invalid_options', 'signWebhook() needs the body as text.')
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
