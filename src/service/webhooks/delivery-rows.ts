import type { ExpressionBuilder, ExpressionWrapper, SqlBool, Transaction } from 'kysely'
import { newId } from '../base'
import type { ChangeContext } from '../log'
import type { Database } from '../store/tables'
import type { WebhookPorts } from './ports'
import type { DeliveryRow, WebhookRow } from './records'

/** The event that a delivery is of. */
interface DeliveredEvent {
  id: string
  type: string
  seq: number
}

/** Puts events on their way to a webhook whose row is locked; each delivery gets its number. */
export async function insertWebhookDeliveries(
  ports: WebhookPorts,
  tx: Transaction<Database>,
  webhook: WebhookRow,
  events: readonly DeliveredEvent[],
  time: string,
): Promise<DeliveryRow[]> {
  const rows = events.map((event, i) => ({
    tenant_id: webhook.tenant_id,
    id: newId('dlv', ports.clock.now()),
    webhook_id: webhook.id,
    number: webhook.deliveries + i + 1,
    event_id: event.id,
    event_type: event.type,
    event_seq: event.seq,
    status: 'pending',
    attempts: 0,
    failures: 0,
    next_attempt_at: time,
    lease_token: null,
    created_at: time,
  }))
  if (rows.length === 0) return []
  await tx.insertInto('webhook_deliveries').values(rows).execute()
  await tx
    .updateTable('webhooks')
    .set({ deliveries: rows.at(-1)!.number })
    .where('tenant_id', '=', webhook.tenant_id)
    .where('id', '=', webhook.id)
    .execute()
  return rows
}

type Deliveries = ExpressionBuilder<Database, 'webhook_deliveries'>

/** Removes what was sent to webhooks, with each attempt at it. */
export async function dropDeliveries(
  { tx, account }: ChangeContext,
  which: (where: Deliveries) => ExpressionWrapper<Database, 'webhook_deliveries', SqlBool>,
): Promise<void> {
  const { tenant_id } = account
  const dropped = tx
    .selectFrom('webhook_deliveries')
    .select('id')
    .where('tenant_id', '=', tenant_id)
    .where(which)
  await tx
    .deleteFrom('webhook_attempts')
    .where('tenant_id', '=', tenant_id)
    .where('delivery_id', 'in', dropped)
    .execute()
  await tx.deleteFrom('webhook_deliveries').where('tenant_id', '=', tenant_id).where(which).execute()
}
