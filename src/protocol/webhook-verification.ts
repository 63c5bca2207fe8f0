import { RestanteError } from './errors'
import type { Event } from './records'
import { misfitOf } from './shape'
import { minuteMs } from './time'
import {
  algorithm,
  fromBase64,
  importSecret,
  signedBytes,
  unverified,
  type WebhookHeaders,
} from './webhook-signature'
import { eventShape } from './wire'

/** The most that the clock of the sender may be off, in ms (Standard Webhooks). */
const toleranceMs = 5 * minuteMs

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
