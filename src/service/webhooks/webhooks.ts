import type { Kysely } from 'kysely'
import type { Webhook, WebhookBody, WebhookChanges, WebhookWithSecret } from '../../protocol/records/webhook'
import { type CountLimit, requireBelowLimit, requireManaging, requireReader } from '../accounts/account'
import type { Caller, Scope } from '../accounts/keys'
import { decodeIdCursor, pageOf } from '../base/cursor'
import { newId } from '../base/ids'
import { notFound } from '../base/refuse'
import { inboxRow } from '../inboxes/inboxes'
import { changeAccount } from '../log/change'
import type { ChangeContext } from '../log/registry'
import type { Database } from '../store/tables/schema'
import { dropDispatches } from './dispatch-rows'
import type { WebhookPorts } from './ports'
import { type WebhookRow, webhookRecord, webhooksTopic } from './records'
import { firstSecretSource, rotatedSources, webhookSecrets } from './secrets'
import { checkWebhookUrl } from './url'

const list = 'webhooks'
const maxWebhooks = 50

/** Checks that a key reaches a webhook; a key of one inbox only those of that inbox alone. */
const reaches = ({ inboxId }: Scope, row: WebhookRow): boolean =>
  inboxId === null || row.inbox_ids === JSON.stringify([inboxId])

/** Returns the row of a webhook that the key reaches. @throws ServiceError `not_found` */
export async function webhookRow(db: Kysely<Database>, scope: Scope, id: string): Promise<WebhookRow> {
  const row = await db
    .selectFrom('webhooks')
    .selectAll()
    .where('tenant_id', '=', scope.tenantId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row || !reaches(scope, row)) throw notFound('webhook', id)
  return row
}

/** Runs a change to a webhook; the account is locked, so that changes are serial. */
export function changeWebhook<T>(
  ports: WebhookPorts,
  scope: Scope,
  id: string,
  work: (change: ChangeContext, row: WebhookRow) => Promise<T>,
): Promise<T> {
  return changeAccount(ports, scope.tenantId, async (change) => {
    requireManaging(change.account, change.now)
    change.wake(webhooksTopic)
    return work(change, await webhookRow(change.tx, scope, id))
  })
}

async function readInboxIds(
  ports: WebhookPorts,
  scope: Scope,
  wanted: readonly string[] | null,
): Promise<string | null> {
  const ids = wanted ?? (scope.inboxId === null ? null : [scope.inboxId])
  for (const id of ids ?? []) await inboxRow(ports, scope, id)
  return ids && JSON.stringify([...new Set(ids)])
}

const withSecret = (ports: WebhookPorts, row: WebhookRow): WebhookWithSecret => ({
  ...webhookRecord(row),
  secret: webhookSecrets(ports, row)[0]!,
})

const countLimit: CountLimit = {
  max: maxWebhooks,
  code: 'webhook_limit_reached',
  message: `The account has ${maxWebhooks} webhooks, which is the most: delete one, or use one for several types.`,
}

/**
 * Creates a webhook for events from now on.
 *
 * @throws ServiceError `invalid_request` for a URL that may not be called, `claim_required`, `not_found` for
 * an inbox, `webhook_limit_reached`
 */
export async function createWebhook(
  ports: WebhookPorts,
  scope: Scope,
  request: WebhookBody,
): Promise<WebhookWithSecret> {
  const url = checkWebhookUrl(request.url, ports.settings.webhooksAllowPrivate)
  const inbox_ids = await readInboxIds(ports, scope, request.inbox_ids ?? null)
  return changeAccount(ports, scope.tenantId, async (change) => {
    requireManaging(change.account, change.now)
    await requireBelowLimit(change, 'webhooks', countLimit)
    const row: WebhookRow = {
      tenant_id: scope.tenantId,
      id: newId('whk', ports.clock.now()),
      url,
      events: JSON.stringify([...new Set(request.events)]),
      inbox_ids,
      secrets: firstSecretSource(ports),
      enabled: 1,
      disabled_reason: null,
      disabled_at: null,
      failing_since: null,
      failed_at: null,
      created_at: change.now,
      cursor: change.account.seq,
      dispatches: 0,
    }
    await change.tx.insertInto('webhooks').values(row).execute()
    change.wake(webhooksTopic)
    return withSecret(ports, row)
  })
}

/** Returns the webhooks that the key reaches, oldest first. */
export async function listWebhooks(
  ports: WebhookPorts,
  scope: Caller,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
) {
  requireReader(ports, scope)
  let query = ports.store.db
    .selectFrom('webhooks')
    .selectAll()
    .where('tenant_id', '=', scope.tenantId)
    .orderBy('id')
    .limit(limit + 1)
  if (cursor !== undefined) query = query.where('id', '>', decodeIdCursor(list, cursor))
  if (scope.inboxId) query = query.where('inbox_ids', '=', JSON.stringify([scope.inboxId]))
  const { page, next_cursor } = pageOf(list, await query.execute(), limit, (row) => row.id)
  return { webhooks: page.map(webhookRecord), next_cursor }
}

/** @throws ServiceError `not_found`, `account_expired` */
export async function readWebhook(ports: WebhookPorts, scope: Caller, id: string): Promise<Webhook> {
  requireReader(ports, scope)
  return webhookRecord(await webhookRow(ports.store.db, scope, id))
}

const setRow = ({ tx }: ChangeContext, { tenant_id, id }: WebhookRow, values: Partial<WebhookRow>) =>
  tx.updateTable('webhooks').set(values).where('tenant_id', '=', tenant_id).where('id', '=', id).execute()

const switchedOn = {
  enabled: 1,
  disabled_reason: null,
  disabled_at: null,
  failing_since: null,
  failed_at: null,
}
const switchedOff = (time: string) => ({ enabled: 0, disabled_reason: 'switched_off', disabled_at: time })

/** Returns the columns that the request changes. */
async function changesOf(ports: WebhookPorts, scope: Scope, { url, events, inbox_ids }: WebhookChanges) {
  return {
    ...(url !== undefined && { url: checkWebhookUrl(url, ports.settings.webhooksAllowPrivate) }),
    ...(events && { events: JSON.stringify([...new Set(events)]) }),
    ...(inbox_ids !== undefined && { inbox_ids: await readInboxIds(ports, scope, inbox_ids) }),
  }
}

/**
 * Changes a webhook. Queued events stay while it is disabled, and are sent once it is enabled.
 *
 * @throws ServiceError `invalid_request`, `not_found`, `claim_required`
 */
export async function updateWebhook(
  ports: WebhookPorts,
  scope: Scope,
  request: WebhookChanges & { id: string },
): Promise<Webhook> {
  const changes = await changesOf(ports, scope, request)
  return changeWebhook(ports, scope, request.id, async (change, row) => {
    const turned = request.enabled !== undefined && request.enabled !== (row.enabled === 1)
    const values = {
      ...changes,
      ...(turned && (request.enabled ? switchedOn : switchedOff(change.now))),
    }
    if (Object.keys(values).length > 0) await setRow(change, row, values)
    return webhookRecord({ ...row, ...values })
  })
}

/** Creates a new secret; the old one stays valid beside it for 24 hours. */
export async function rotateWebhook(
  ports: WebhookPorts,
  scope: Scope,
  id: string,
): Promise<WebhookWithSecret> {
  return changeWebhook(ports, scope, id, async (change, row) => {
    const secrets = rotatedSources(ports, row)
    await setRow(change, row, { secrets })
    return withSecret(ports, { ...row, secrets })
  })
}

/** Deletes a webhook with its dispatches. */
export async function deleteWebhook(ports: WebhookPorts, scope: Scope, id: string): Promise<undefined> {
  return changeWebhook(ports, scope, id, async (change, { tenant_id }) => {
    await change.tx.deleteFrom('webhooks').where('tenant_id', '=', tenant_id).where('id', '=', id).execute()
    await dropDispatches(change, (where) => where('webhook_id', '=', id))
    return undefined
  })
}
