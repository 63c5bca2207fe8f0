import type { Transaction } from 'kysely'
import { randomDigitsOf } from '../base/ids'
import { now, timeOf } from '../base/time'
import type { Database } from '../store/tables/schema'
import { lockWebhook, queueOf, type WebhookKey } from './plan'
import type { WebhookPorts } from './ports'
import type { DispatchRow, WebhookRow } from './records'
import { giveUpAfterMs, maxGapMs, nextDelayMs } from './schedule'

/** Outcome of an attempt, which succeeded if the status is 2xx. */
export interface AttemptOutcome {
  startedAtMs: number
  durationMs: number
  httpStatus: number | null
  /** Reason of a failure, for the owner of the endpoint. */
  error: string | null
  responseBody: string | null
  /** True if the event is no longer kept: no further attempt is made. */
  final?: boolean
}

/** Finds enabled webhooks with a due dispatch, of these accounts or of all. */
export async function webhooksDue(ports: WebhookPorts, tenantIds?: readonly string[]): Promise<WebhookRow[]> {
  let query = ports.store.db
    .selectFrom('webhooks')
    .innerJoin('accounts', 'accounts.tenant_id', 'webhooks.tenant_id')
    .selectAll('webhooks')
    .where('webhooks.enabled', '=', 1)
    .where('accounts.suspended_at', 'is', null)
    .where((where) =>
      where.exists(
        where
          .selectFrom('webhook_dispatches as due')
          .select('due.id')
          .whereRef('due.tenant_id', '=', 'webhooks.tenant_id')
          .whereRef('due.webhook_id', '=', 'webhooks.id')
          .where('due.next_attempt_at', '<=', now(ports)),
      ),
    )
  if (tenantIds) query = query.where('webhooks.tenant_id', 'in', tenantIds)
  return query.execute()
}

/**
 * Leases due dispatches for `leaseMs`, in which no other node gets them; if the holder dies, the lease
 * expires.
 */
export async function leaseDispatches(
  ports: WebhookPorts,
  { tenant_id, id }: WebhookRow,
  limit: number,
  leaseMs: number,
): Promise<DispatchRow[]> {
  const lease = { lease_token: randomDigitsOf(12), next_attempt_at: timeOf(ports.clock.now() + leaseMs) }
  return ports.store.write(async (tx) => {
    let due = tx
      .selectFrom('webhook_dispatches')
      .select('id')
      .where('tenant_id', '=', tenant_id)
      .where('webhook_id', '=', id)
      .where('next_attempt_at', '<=', now(ports))
      .orderBy('next_attempt_at')
      .limit(limit)
    if (ports.store.dialect === 'postgres') due = due.forUpdate().skipLocked()
    const ids = (await due.execute()).map((row) => row.id)
    if (ids.length === 0) return []
    return tx
      .updateTable('webhook_dispatches')
      .set(lease)
      .where('tenant_id', '=', tenant_id)
      .where('id', 'in', ids)
      .returningAll()
      .execute()
  }, queueOf(tenant_id))
}

const setDispatch = (tx: Transaction<Database>, row: DispatchRow, values: Partial<DispatchRow>) =>
  tx
    .updateTable('webhook_dispatches')
    .set({ ...values, lease_token: null })
    .where('tenant_id', '=', row.tenant_id)
    .where('id', '=', row.id)
    .where('lease_token', '=', row.lease_token)
    .executeTakeFirst()

/** Gives a dispatch back as if it had not been leased. */
export async function returnDispatch(ports: WebhookPorts, row: DispatchRow): Promise<void> {
  await ports.store.write(
    (tx) => setDispatch(tx, row, { next_attempt_at: now(ports) }),
    queueOf(row.tenant_id),
  )
}

const succeeded = ({ httpStatus }: AttemptOutcome) =>
  httpStatus !== null && httpStatus >= 200 && httpStatus < 300

/** Returns the changes to a dispatch after an attempt. */
function afterAttempt(ports: WebhookPorts, row: DispatchRow, outcome: AttemptOutcome): Partial<DispatchRow> {
  const attempts = row.attempts + 1
  if (succeeded(outcome)) return { attempts, status: 'delivered', next_attempt_at: null }
  const failures = row.failures + 1
  const delayMs = outcome.final ? null : nextDelayMs(failures)
  if (delayMs === null) return { attempts, failures, status: 'dead', next_attempt_at: null }
  return { attempts, failures, next_attempt_at: timeOf(ports.clock.now() + delayMs) }
}

/** Returns the time since which all attempts failed; a long gap between two failures restarts it. */
function failingSince({ failing_since, failed_at }: WebhookRow, nowMs: number): string {
  const recent = failed_at !== null && nowMs - Date.parse(failed_at) <= maxGapMs
  return failing_since !== null && recent ? failing_since : timeOf(nowMs)
}

/** Returns the changes to a webhook after an attempt; null if there are none. */
function webhookAfter(
  ports: WebhookPorts,
  webhook: WebhookRow,
  outcome: AttemptOutcome,
): Partial<WebhookRow> | null {
  if (outcome.final) return null
  if (succeeded(outcome))
    return webhook.failing_since === null ? null : { failing_since: null, failed_at: null }
  const time = now(ports)
  const failing_since = failingSince(webhook, ports.clock.now())
  const gone = outcome.httpStatus === 410
  const failed = { failing_since, failed_at: time }
  if (!gone && ports.clock.now() - Date.parse(failing_since) < giveUpAfterMs) return failed
  const disabled_reason = gone ? 'endpoint_gone' : 'endpoint_failing'
  return { ...failed, enabled: 0, disabled_reason, disabled_at: time }
}

async function insertAttempt(tx: Transaction<Database>, row: DispatchRow, outcome: AttemptOutcome) {
  await tx
    .insertInto('webhook_attempts')
    .values({
      tenant_id: row.tenant_id,
      dispatch_id: row.id,
      number: row.attempts + 1,
      started_at: timeOf(outcome.startedAtMs),
      duration_ms: Math.max(0, Math.round(outcome.durationMs)),
      http_status: outcome.httpStatus,
      error: outcome.error,
      response_body: outcome.responseBody,
    })
    .execute()
}

/** State of a dispatch after an attempt. */
interface AttemptResult {
  status: DispatchRow['status']
  /** Time of the next attempt, in ms since 1970; null if there is none. */
  dueMs: number | null
}

const keyOf = ({ tenant_id, webhook_id }: DispatchRow): WebhookKey => ({
  tenantId: tenant_id,
  webhookId: webhook_id,
})

/**
 * Stores the outcome of an attempt, and its effects on the dispatch and the webhook. Changes nothing if the
 * lease was lost.
 *
 * @returns The new state of the dispatch; null if the lease was lost.
 */
export async function recordAttempt(
  ports: WebhookPorts,
  row: DispatchRow,
  outcome: AttemptOutcome,
): Promise<AttemptResult | null> {
  return ports.store.write(async (tx) => {
    const webhook = await lockWebhook(ports, tx, keyOf(row))
    const after = afterAttempt(ports, row, outcome)
    const held = webhook && Number((await setDispatch(tx, row, after)).numUpdatedRows) === 1
    if (!held) return null
    await insertAttempt(tx, row, outcome)
    const values = webhookAfter(ports, webhook, outcome)
    if (values)
      await tx
        .updateTable('webhooks')
        .set(values)
        .where('tenant_id', '=', webhook.tenant_id)
        .where('id', '=', webhook.id)
        .execute()
    const dueMs = after.next_attempt_at ? Date.parse(after.next_attempt_at) : null
    return { status: after.status ?? 'pending', dueMs }
  }, queueOf(row.tenant_id))
}

/** Releases the leases of a killed process. Use it only if the database has one process. */
export async function releaseDispatches(ports: WebhookPorts): Promise<void> {
  await ports.store.write((tx) =>
    tx
      .updateTable('webhook_dispatches')
      .set({ lease_token: null, next_attempt_at: now(ports) })
      .where('lease_token', 'is not', null)
      .execute(),
  )
}
