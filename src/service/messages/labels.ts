import type { Kysely } from 'kysely'
import type { Label } from '../../protocol/records/label'
import { foldLabelName, systemLabelOf } from '../../protocol/records/label-names'
import {
  type CountLimit,
  requireBelowLimit,
  requireManaging,
  requireReader,
  requireWholeAccount,
} from '../accounts/account'
import type { Caller, Scope } from '../accounts/keys'
import { decodeIdCursor, pageOf } from '../base/cursor'
import { newId } from '../base/ids'
import { notFound, refuse } from '../base/refuse'
import { changeAccount } from '../log/change'
import type { ChangeContext } from '../log/registry'
import type { Database } from '../store/tables/schema'
import { named } from './message-filters'
import type { MessagePorts } from './ports'
import { type LabelRow, labelRecord } from './records'
import { systemLabelRows } from './system-labels'

const list = 'labels'
const maxLabels = 1_000

/** Returns the row of a label. @throws ServiceError `not_found` */
export async function labelRow(db: Kysely<Database>, scope: Scope, id: string): Promise<LabelRow> {
  const row = await db
    .selectFrom('labels')
    .selectAll()
    .where('tenant_id', '=', scope.tenantId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw notFound('label', id)
  return row
}

/** Finds the id of a label by its name or id; null if there is none. */
export async function findLabelId(
  db: Kysely<Database>,
  tenantId: string,
  nameOrId: string,
): Promise<string | null> {
  const system = systemLabelOf(nameOrId)
  if (system !== null) return system
  const rows = await db
    .selectFrom('labels')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where(named(nameOrId))
    .execute()
  const [found] = rows.some((row) => row.id === nameOrId) ? [nameOrId] : rows.map((row) => row.id)
  return found ?? null
}

/** Returns labels in the order of their ids: those of the service, and those of the account, oldest first. */
export async function listLabels(
  ports: MessagePorts,
  scope: Caller,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
) {
  requireReader(ports, scope)
  let query = ports.store.db
    .selectFrom('labels')
    .selectAll()
    .where('tenant_id', '=', scope.tenantId)
    .orderBy('id')
    .limit(limit + 1)
  if (cursor !== undefined) query = query.where('id', '>', decodeIdCursor(list, cursor))
  const after = cursor === undefined ? '' : decodeIdCursor(list, cursor)
  const { created_at } = await ports.store.db
    .selectFrom('accounts')
    .select('created_at')
    .where('tenant_id', '=', scope.tenantId)
    .executeTakeFirstOrThrow()
  const ofService = systemLabelRows(scope.tenantId, created_at).filter(({ id }) => id > after)
  const rows = [...ofService, ...(await query.execute())].sort((a, b) => (a.id < b.id ? -1 : 1))
  const { page, next_cursor } = pageOf(list, rows.slice(0, limit + 1), limit, (row) => row.id)
  return { labels: page.map(labelRecord), next_cursor }
}

async function requireFree({ tx, account }: ChangeContext, name: string, ownId?: string): Promise<void> {
  const system = systemLabelOf(name)
  if (system !== null)
    throw refuse(
      'label_exists',
      `The label ${system} already exists and belongs to the service. Use its id, ${system}.`,
      { label_id: system },
    )
  const taken = await tx
    .selectFrom('labels')
    .select(['id', 'name'])
    .where('tenant_id', '=', account.tenant_id)
    .where('folded', '=', foldLabelName(name))
    .executeTakeFirst()
  if (!taken || taken.id === ownId) return
  throw refuse(
    'label_exists',
    `The label ${JSON.stringify(taken.name)} already exists. Use its id, ${taken.id}.`,
    { label_id: taken.id },
  )
}

const countLimit: CountLimit = {
  max: maxLabels,
  code: 'label_limit_reached',
  message: `The account has ${maxLabels} labels, which is the most: delete one.`,
}

function requireOwn(id: string): void {
  if (systemLabelOf(id) !== id) return
  throw refuse(
    'system_label',
    `The label ${id} belongs to the service: it cannot be renamed or deleted. Remove it from a message with POST /labels/${id}/unassign.`,
  )
}

/** @throws ServiceError `system_label` */
function requireOwnName(name: string): void {
  const system = systemLabelOf(name)
  if (system === null) return
  throw refuse('system_label', `The name ${system} is that of a label of the service: choose another.`)
}

function changeLabels<T>(
  ports: MessagePorts,
  scope: Scope,
  work: (change: ChangeContext) => Promise<T>,
): Promise<T> {
  requireWholeAccount(scope)
  return changeAccount(ports, scope.tenantId, async (change) => {
    requireManaging(change.account, change.now)
    return work(change)
  })
}

/**
 * Creates a label.
 *
 * @throws ServiceError `label_exists`, `label_limit_reached`, `claim_required`, `insufficient_scope`
 */
export async function createLabel(
  ports: MessagePorts,
  scope: Scope,
  { name }: { name: string },
): Promise<Label> {
  return changeLabels(ports, scope, async (change) => {
    await requireFree(change, name)
    await requireBelowLimit(change, 'labels', countLimit)
    const row: LabelRow = {
      tenant_id: scope.tenantId,
      id: newId('lbl', ports.clock.now()),
      name,
      folded: foldLabelName(name),
      created_at: change.now,
      seq: 0,
    }
    row.seq = change.append('label.created', null, labelRecord(row))
    await change.tx.insertInto('labels').values(row).execute()
    return labelRecord(row)
  })
}

/**
 * Renames a label. Records have label ids too, so one event suffices for all of them: renaming a label on
 * 100,000 messages changes one row.
 *
 * @throws ServiceError `not_found`, `label_exists`, `system_label`, `claim_required`, `insufficient_scope`
 */
export async function renameLabel(
  ports: MessagePorts,
  scope: Scope,
  { id, name }: { id: string; name: string },
): Promise<Label> {
  return changeLabels(ports, scope, async (change) => {
    requireOwn(id)
    const row = await labelRow(change.tx, scope, id)
    requireOwnName(name)
    await requireFree(change, name, id)
    if (row.name === name) return labelRecord(row)
    const seq = change.append('label.updated', null, labelRecord({ ...row, name }))
    await change.tx
      .updateTable('labels')
      .set({ name, folded: foldLabelName(name), seq })
      .where('tenant_id', '=', scope.tenantId)
      .where('id', '=', id)
      .execute()
    return labelRecord({ ...row, name, seq })
  })
}

/**
 * Deletes a label; records show it no longer. @throws ServiceError `not_found`, `system_label`,
 * `claim_required`
 */
export async function deleteLabel(ports: MessagePorts, scope: Scope, id: string): Promise<undefined> {
  await changeLabels(ports, scope, async (change) => {
    requireOwn(id)
    await labelRow(change.tx, scope, id)
    for (const table of ['message_labels', 'thread_labels'] as const) {
      await change.tx
        .deleteFrom(table as 'thread_labels')
        .where('tenant_id', '=', scope.tenantId)
        .where('label_id', '=', id)
        .execute()
    }
    await change.tx
      .deleteFrom('labels')
      .where('tenant_id', '=', scope.tenantId)
      .where('id', '=', id)
      .execute()
    change.append('label.deleted', null, { id })
  })
}
