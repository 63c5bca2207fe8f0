import type { WebhookDelivery } from '../../protocol/webhook'
import { webhookTestType } from '../../protocol/webhook'
import type { Core } from './context'
import { newId } from './ids'
import type { Scope } from './keys'
import { insertWebhookDeliveries, requireEnabled } from './webhook-deliveries'
import { type DeliveryRow, deliveryRecord } from './webhook-records'
import { changeWebhook } from './webhooks'

/**
 * Sends an event that is in no log. Its `seq` is the end of the log, so that a mailbox which takes it for a hint
 * finds nothing amiss.
 *
 * @throws ServiceError `not_found`, `webhook_disabled`, `claim_required`
 */
export async function sendTestEvent(core: Core, scope: Scope, id: string): Promise<WebhookDelivery> {
  return changeWebhook(core, scope, id, async ({ tx, now, account }, webhook) => {
    requireEnabled(webhook)
    const event = { id: newId('evt', core.clock.now()), type: webhookTestType, seq: account.seq }
    const [row] = await insertWebhookDeliveries(core, tx, webhook, [event], now)
    return deliveryRecord(row!, [])
  })
}

/** The body of a test event, in the form of every other. */
export const testEventJson = (row: DeliveryRow): string =>
  JSON.stringify({
    id: row.event_id,
    type: row.event_type,
    seq: row.event_seq,
    inbox_id: null,
    created_at: row.created_at,
    data: { webhook_id: row.webhook_id },
  })
