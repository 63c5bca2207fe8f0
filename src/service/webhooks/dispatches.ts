import type { Kysely } from 'kysely'
import type { WebhookDelivery, WebhookRecoverBody } from '../../protocol/records/webhook'
import { requireReader } from '../accounts/account'
import type { Caller, Scope } from '../accounts/keys'
import { decodeCursor, pageOf } from '../base/cursor'
import { notFound, refuse } from '../base/refuse'
import type { Database } from '../store/tables/schema'
import type { WebhookPorts } from './ports'
import { type AttemptRow, dispatchRecord, type WebhookRow } from './records'
import { changeWebhook, webhookRow } from './webhooks'

const list = 'deliveries'

/** @throws ServiceError `webhook_disabled` */
export function requireEnabled(webhook: WebhookRow): void {
  if (webhook.enabled !== 1)
    throw refuse(
      'webhook_disabled',
      `The webhook is disabled (${webhook.disabled_reason}): PATCH /webhooks/${webhook.id} with {"enabled": true} first.`,
    )
}

async function attemptsOf(
  db: Kysely<Database>,
  tenantId: string,
  dispatchIds: string[],
): Promise<Map<string, AttemptRow[]>> {
  const found = new Map<string, AttemptRow[]>()
  if (dispatchIds.length === 0) return found
  const rows = await db
    .selectFrom('webhook_attempts')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('dispatch_id', 'in', dispatchIds)
    .orderBy('dispatch_id')
    .orderBy('number')
    .execute()
  for (const row of rows) found.set(row.dispatch_id, [...(found.get(row.dispatch_id) ?? []), row])
  return found
}

interface DispatchQuery {
  id: string
  status?: string | undefined
  limit: number
  cursor?: string | undefined
}

/** Returns the dispatches of a webhook with their attempts, newest first. @throws ServiceError `not_found` */
export async function listDispatches(ports: WebhookPorts, scope: Caller, query: DispatchQuery) {
  requireReader(ports, scope)
  const { db } = ports.store
  const webhook = await webhookRow(db, scope, query.id)
  let select = db
    .selectFrom('webhook_dispatches')
    .selectAll()
    .where('tenant_id', '=', scope.tenantId)
    .where('webhook_id', '=', query.id)
    .orderBy('number', 'desc')
    .limit(query.limit + 1)
  if (query.status !== undefined) select = select.where('status', '=', query.status)
  if (query.cursor !== undefined) select = select.where('number', '<', decodeCursor(list, query.cursor))
  const { page, next_cursor } = pageOf(list, await select.execute(), query.limit, (row) => row.number)
  const ids = page.map((row) => row.id)
  const attempts = await attemptsOf(db, scope.tenantId, ids)
  // A disabled webhook makes no attempts.
  const waiting = webhook.enabled === 1 ? {} : { next_attempt_at: null }
  const deliveries = page.map((row) => ({ ...dispatchRecord(row, attempts.get(row.id) ?? []), ...waiting }))
  return { deliveries, next_cursor }
}

async function dispatchRow(db: Kysely<Database>, scope: Scope, webhookId: string, id: string) {
  const row = await db
    .selectFrom('webhook_dispatches')
    .selectAll()
    .where('tenant_id', '=', scope.tenantId)
    .where('webhook_id', '=', webhookId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw notFound('delivery', id)
  return row
}

/**
 * Sends dead dispatches created since a time again, with all attempts.
 *
 * @throws ServiceError `not_found`, `webhook_disabled`, `claim_required`
 */
export async function recoverWebhook(
  ports: WebhookPorts,
  scope: Scope,
  { id, since }: WebhookRecoverBody & { id: string },
): Promise<{ recovered: number }> {
  return changeWebhook(ports, scope, id, async ({ tx, now }, webhook) => {
    requireEnabled(webhook)
    const { numUpdatedRows } = await tx
      .updateTable('webhook_dispatches')
      .set({ status: 'pending', failures: 0, next_attempt_at: now })
      .where('tenant_id', '=', scope.tenantId)
      .where('webhook_id', '=', webhook.id)
      .where('status', '=', 'dead')
      .where('created_at', '>=', since)
      .executeTakeFirst()
    return { recovered: Number(numUpdatedRows) }
  })
}

/**
 * Sends an event again, whatever its status; a dispatch that is being sent now stays unchanged.
 *
 * @throws ServiceError `not_found`, `webhook_disabled`, `claim_required`
 */
export async function redeliver(
  ports: WebhookPorts,
  scope: Scope,
  request: { id: string; delivery_id: string },
): Promise<WebhookDelivery> {
  return changeWebhook(ports, scope, request.id, async ({ tx, now }, webhook) => {
    requireEnabled(webhook)
    const row = await dispatchRow(tx, scope, webhook.id, request.delivery_id)
    const again = { status: 'pending', failures: 0, next_attempt_at: now }
    const result = await tx
      .updateTable('webhook_dispatches')
      .set(again)
      .where('tenant_id', '=', scope.tenantId)
      .where('id', '=', row.id)
      .where('lease_token', 'is', null)
      .executeTakeFirst()
    const attempts = (await attemptsOf(tx, scope.tenantId, [row.id])).get(row.id) ?? []
    return dispatchRecord(Number(result.numUpdatedRows) === 1 ? { ...row, ...again } : row, attempts)
  })
}
