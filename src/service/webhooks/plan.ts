import type { Transaction } from 'kysely'
import { now } from '../base/time'
import { logTail } from '../log/event-log'
import { isMissingTable } from '../log/log-partitions'
import type { Database } from '../store/tables/schema'
import { insertDispatches } from './dispatch-rows'
import type { WebhookPorts } from './ports'
import type { WebhookRow } from './records'

const pageSize = 200

/** Key of a webhook. */
export interface WebhookKey {
  tenantId: string
  webhookId: string
}

/** Finds the accounts with an enabled webhook, whose logs to listen to. */
export async function tenantsWithWebhooks(ports: WebhookPorts): Promise<string[]> {
  const rows = await ports.store.db
    .selectFrom('webhooks')
    .select('tenant_id')
    .distinct()
    .where('enabled', '=', 1)
    .execute()
  return rows.map((row) => row.tenant_id)
}

/** Finds webhooks whose log has grown beyond their cursor, of these accounts or of all. */
export async function webhooksBehind(
  ports: WebhookPorts,
  tenantIds?: readonly string[],
): Promise<WebhookKey[]> {
  let query = ports.store.db
    .selectFrom('webhooks')
    .innerJoin('accounts', 'accounts.tenant_id', 'webhooks.tenant_id')
    .select(['webhooks.tenant_id as tenantId', 'webhooks.id as webhookId'])
    .where('webhooks.enabled', '=', 1)
    .where('accounts.suspended_at', 'is', null)
    .whereRef('webhooks.cursor', '<', 'accounts.seq')
  if (tenantIds) query = query.where('webhooks.tenant_id', 'in', tenantIds)
  return query.execute()
}

/** Write queue for transactions that lock a webhook of an account. */
export const queueOf = (tenantId: string): string => `${tenantId} webhooks`

/** Reads the row and locks it until the transaction ends: one node at a time moves its cursor. */
export async function lockWebhook(ports: WebhookPorts, tx: Transaction<Database>, key: WebhookKey) {
  const query = tx
    .selectFrom('webhooks')
    .selectAll()
    .where('tenant_id', '=', key.tenantId)
    .where('id', '=', key.webhookId)
  return (ports.store.dialect === 'postgres' ? query.forUpdate() : query).executeTakeFirst()
}

async function readEvents(
  ports: WebhookPorts,
  tx: Transaction<Database>,
  { tenant_id, cursor }: WebhookRow,
  everywhere: boolean,
) {
  const { table, to } = await logTail(ports, tx, tenant_id, cursor)
  return tx
    .selectFrom(everywhere ? 'events' : table)
    .select(['id', 'type', 'seq', 'inbox_id'])
    .where('tenant_id', '=', tenant_id)
    .where('seq', '>', cursor)
    .where('seq', '<=', to)
    .orderBy('seq')
    .limit(pageSize)
    .execute()
}

type Wanted = (event: { type: string; inbox_id: string | null }) => boolean

function wantedBy({ events, inbox_ids }: WebhookRow): Wanted {
  const types: string[] = JSON.parse(events)
  const inboxIds: string[] | null = inbox_ids === null ? null : JSON.parse(inbox_ids)
  return ({ type, inbox_id }) =>
    (types.includes('*') || types.includes(type)) &&
    (inboxIds === null || inbox_id === null || inboxIds.includes(inbox_id))
}

/**
 * Queues the next events of the log for a webhook. The cursor moves in the same transaction, so that each
 * event is queued once, even if nodes compete or are killed.
 *
 * @returns Whether there may be more.
 */
export const planDispatches = (ports: WebhookPorts, key: WebhookKey): Promise<boolean> =>
  planFrom(ports, key, false).catch((error) => {
    // The partition that the account names was dropped or split meanwhile.
    if (!isMissingTable(error)) throw error
    return planFrom(ports, key, true)
  })

async function planFrom(ports: WebhookPorts, key: WebhookKey, everywhere: boolean): Promise<boolean> {
  return ports.store.write(async (tx) => {
    const webhook = await lockWebhook(ports, tx, key)
    if (webhook?.enabled !== 1) return false
    const events = await readEvents(ports, tx, webhook, everywhere)
    const last = events.at(-1)
    if (!last) return false
    await insertDispatches(ports, tx, webhook, events.filter(wantedBy(webhook)), now(ports))
    await tx
      .updateTable('webhooks')
      .set({ cursor: last.seq })
      .where('tenant_id', '=', key.tenantId)
      .where('id', '=', key.webhookId)
      .execute()
    return events.length === pageSize
  }, queueOf(key.tenantId))
}
