import type { ExpressionBuilder, ExpressionWrapper, SqlBool, Transaction } from 'kysely'
import { newId } from '../base/ids'
import type { ChangeContext } from '../log/registry'
import type { Database } from '../store/tables/schema'
import type { WebhookPorts } from './ports'
import type { DispatchRow, WebhookRow } from './records'

/** Event of a dispatch. */
interface DispatchedEvent {
  id: string
  type: string
  seq: number
}

/** Queues events for a webhook whose row is locked; each dispatch gets its number. */
export async function insertDispatches(
  ports: WebhookPorts,
  tx: Transaction<Database>,
  webhook: WebhookRow,
  events: readonly DispatchedEvent[],
  time: string,
): Promise<DispatchRow[]> {
  const rows = events.map((event, i) => ({
    tenant_id: webhook.tenant_id,
    id: newId('dlv', ports.clock.now()),
    webhook_id: webhook.id,
    number: webhook.dispatches + i + 1,
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
  await tx.insertInto('webhook_dispatches').values(rows).execute()
  await tx
    .updateTable('webhooks')
    .set({ dispatches: rows.at(-1)!.number })
    .where('tenant_id', '=', webhook.tenant_id)
    .where('id', '=', webhook.id)
    .execute()
  return rows
}

type Dispatches = ExpressionBuilder<Database, 'webhook_dispatches'>

/** Deletes dispatches with their attempts. */
export async function dropDispatches(
  { tx, account }: ChangeContext,
  which: (where: Dispatches) => ExpressionWrapper<Database, 'webhook_dispatches', SqlBool>,
): Promise<void> {
  const { tenant_id } = account
  const dropped = tx
    .selectFrom('webhook_dispatches')
    .select('id')
    .where('tenant_id', '=', tenant_id)
    .where(which)
  await tx
    .deleteFrom('webhook_attempts')
    .where('tenant_id', '=', tenant_id)
    .where('dispatch_id', 'in', dropped)
    .execute()
  await tx.deleteFrom('webhook_dispatches').where('tenant_id', '=', tenant_id).where(which).execute()
}
