import type { Event } from '../protocol/records/event'
import { readWebhookEvent } from '../protocol/webhook-event'
import { type VerifyWebhookOptions, verifiedBody } from '../protocol/webhook-verification'

/**
 * Checks that a request comes from the service and is not older than 5 minutes, and returns its event.
 *
 * @throws RestanteError `webhook_unverified`: answer 401 and do nothing else; UsageError `invalid_options`,
 *   `invalid_secret`, `body_consumed` for a call that cannot work
 *
 * @example
 * ```ts
 * const event = await verifyWebhook({ secret, headers: request.headers, body: await request.text() })
 * ```
 */
export async function verifyWebhook(options: VerifyWebhookOptions): Promise<Event> {
  return readWebhookEvent(await verifiedBody(options))
}
