import type { Kysely, Transaction } from 'kysely'
import type { WebhookDelivery } from '../../protocol/webhook'
import type { Database } from '../store/schema'
import { requireReader } from './account'
import type { Core } from './context'
import { pageOf, readCursor } from './cursor'
import { newId } from './ids'
import type { Caller, Scope } from './keys'
import { notFound, refuse } from './refuse'
import { type AttemptRow, type DeliveryRow, deliveryRecord, type WebhookRow } from './webhook-records'
import { changeWebhook, webhookRow } from './webhooks'

const list = 'deliveries'

/** Which event a delivery is of. */
export interface DeliveredEvent {
  id: string
  type: string
  seq: number
}

/** Puts events on their way to a webhook whose row is locked; each delivery gets its number. */
export async function insertWebhookDeliveries(
  core: Core,
  tx: Transaction<Database>,
  webhook: WebhookRow,
  events: readonly DeliveredEvent[],
  time: string,
): Promise<DeliveryRow[]> {
  const rows = events.map((event, i) => ({
    tenant_id: webhook.tenant_id,
    id: newId('dlv', core.clock.now()),
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

/** @throws ServiceError `webhook_disabled` */
export function requireEnabled(webhook: WebhookRow): void {
  if (webhook.enabled !== 1)
    throw refuse(
      'webhook_disabled',
      `The webhook is switched off (${webhook.disabled_reason}): PATCH /webhooks/${webhook.id} with {"enabled": true} first.`,
    )
}

async function attemptsOf(
  db: Kysely<Database>,
  tenantId: string,
  deliveryIds: string[],
): Promise<Map<string, AttemptRow[]>> {
  const found = new Map<string, AttemptRow[]>()
  if (deliveryIds.length === 0) return found
  const rows = await db
    .selectFrom('webhook_attempts')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('delivery_id', 'in', deliveryIds)
    .orderBy('delivery_id')
    .orderBy('number')
    .execute()
  for (const row of rows) found.set(row.delivery_id, [...(found.get(row.delivery_id) ?? []), row])
  return found
}

export interface DeliveryQuery {
  id: string
  status?: string | undefined
  limit: number
  cursor?: string | undefined
}

/** What was sent to a webhook with every attempt, newest first. @throws ServiceError `not_found` */
export async function listDeliveries(core: Core, scope: Caller, query: DeliveryQuery) {
  requireReader(core, scope)
  const { db } = core.store
  const webhook = await webhookRow(db, scope, query.id)
  let select = db
    .selectFrom('webhook_deliveries')
    .selectAll()
    .where('tenant_id', '=', scope.tenantId)
    .where('webhook_id', '=', query.id)
    .orderBy('number', 'desc')
    .limit(query.limit + 1)
  if (query.status !== undefined) select = select.where('status', '=', query.status)
  if (query.cursor !== undefined) select = select.where('number', '<', readCursor(list, query.cursor))
  const { page, next_cursor } = pageOf(list, await select.execute(), query.limit, (row) => row.number)
  const ids = page.map((row) => row.id)
  const attempts = await attemptsOf(db, scope.tenantId, ids)
  // Nothing is attempted while the webhook is switched off.
  const waiting = webhook.enabled === 1 ? {} : { next_attempt_at: null }
  const deliveries = page.map((row) => ({ ...deliveryRecord(row, attempts.get(row.id) ?? []), ...waiting }))
  return { deliveries, next_cursor }
}

async function deliveryRow(db: Kysely<Database>, scope: Scope, webhookId: string, id: string) {
  const row = await db
    .selectFrom('webhook_deliveries')
    .selectAll()
    .where('tenant_id', '=', scope.tenantId)
    .where('webhook_id', '=', webhookId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw notFound('delivery', id)
  return row
}

/**
 * Sends an event once more, whatever became of it; one that is being sent at this moment is left to it.
 *
 * @throws ServiceError `not_found`, `webhook_disabled`, `claim_required`
 */
export async function redeliver(
  core: Core,
  scope: Scope,
  request: { id: string; delivery_id: string },
): Promise<WebhookDelivery> {
  return changeWebhook(core, scope, request.id, async ({ tx, now }, webhook) => {
    requireEnabled(webhook)
    const row = await deliveryRow(tx, scope, webhook.id, request.delivery_id)
    const again = { status: 'pending', failures: 0, next_attempt_at: now }
    const result = await tx
      .updateTable('webhook_deliveries')
      .set(again)
      .where('tenant_id', '=', scope.tenantId)
      .where('id', '=', row.id)
      .where('lease_token', 'is', null)
      .executeTakeFirst()
    const attempts = (await attemptsOf(tx, scope.tenantId, [row.id])).get(row.id) ?? []
    return deliveryRecord(Number(result.numUpdatedRows) === 1 ? { ...row, ...again } : row, attempts)
  })
}
