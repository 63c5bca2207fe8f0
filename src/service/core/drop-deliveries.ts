import type { ExpressionBuilder, ExpressionWrapper, SqlBool } from 'kysely'
import type { Database } from '../store/schema'
import type { Change } from './change'

type Deliveries = ExpressionBuilder<Database, 'webhook_deliveries'>

/** Removes what was sent to webhooks, with each attempt at it. */
export async function dropDeliveries(
  { tx, account }: Change,
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
