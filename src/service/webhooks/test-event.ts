import { type WebhookDelivery, webhookTestType } from '../../protocol/records/webhook'
import type { Scope } from '../accounts/keys'
import { newId } from '../base/ids'
import { insertDispatches } from './dispatch-rows'
import { requireEnabled } from './dispatches'
import type { WebhookPorts } from './ports'
import { type DispatchRow, dispatchRecord } from './records'
import { changeWebhook } from './webhooks'

/**
 * Sends an event that is in no log. Its `seq` is the end of the log, so that a mailbox can take it as a hint.
 *
 * @throws ServiceError `not_found`, `webhook_disabled`, `claim_required`
 */
export async function sendTestEvent(ports: WebhookPorts, scope: Scope, id: string): Promise<WebhookDelivery> {
  return changeWebhook(ports, scope, id, async ({ tx, now, account }, webhook) => {
    requireEnabled(webhook)
    const event = { id: newId('evt', ports.clock.now()), type: webhookTestType, seq: account.seq }
    const [row] = await insertDispatches(ports, tx, webhook, [event], now)
    return dispatchRecord(row!, [])
  })
}

/** Returns the body of a test event, in the common form. */
export const testEventJson = (row: DispatchRow): string =>
  JSON.stringify({
    id: row.event_id,
    type: row.event_type,
    seq: row.event_seq,
    inbox_id: null,
    created_at: row.created_at,
    data: { webhook_id: row.webhook_id },
  })
