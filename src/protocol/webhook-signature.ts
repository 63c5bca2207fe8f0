import { RestanteError, UsageError } from './errors'
import { checkOptions, type OptionNames } from './options'

const secretPrefix = 'whsec_'

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

const toBase64 = (bytes: Uint8Array) => btoa(String.fromCharCode(...bytes))
export const fromBase64 = (text: string): Uint8Array<ArrayBuffer> | null => {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return null
  }
}

export const unverified = (message: string) => new RestanteError('webhook_unverified', message)

/**
 * Formats a secret: `whsec_` and the base64 of its bytes.
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
 * Requires one or several secrets that are valid.
 *
 * @param what Name of the calling function, for the error text.
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
    `${what} ${isEmpty ? 'has no secret: is WEBHOOK_SECRET set?' : 'got a value that is not a secret.'} It is whsec_…, as \`restante webhooks add\` or POST /webhooks shows it once, and \`restante listen --forward\` each time.`,
  )
}

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
