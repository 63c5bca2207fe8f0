import type { Selectable } from 'kysely'
import type { AuditEntry } from '../../protocol/records/desk/audit-entry'
import { decodeIdCursor, pageOf } from '../base/cursor'
import { refuse } from '../base/refuse'
import type { Database } from '../store/tables/schema'
import { requireReader, requireWholeAccount } from './account'
import type { Caller } from './keys'
import type { AccountPorts } from './ports'

const list = 'audit'
/** Entries that one query of an export reads. */
const exportedAtOnce = 500

/** Selects entries. */
interface AuditFilters {
  action?: string | undefined
  by?: string | undefined
  target?: string | undefined
  after?: string | undefined
  before?: string | undefined
}

/** Returns an entry; without the scope `read` it has no names and no details. */
const entryRecord =
  ({ scopes }: Caller) =>
  (row: Selectable<Database['audit_entries']>): AuditEntry => {
    const by = row.actor === null ? null : JSON.parse(row.actor)
    const { id, action, target, created_at } = row
    return scopes.includes('read')
      ? { id, action, by, target, details: JSON.parse(row.details), created_at }
      : { id, action, by: by && { kind: by.kind }, target, details: {}, created_at }
  }

/** Reads entries, newest first. @param from Id of the last entry of the page before. */
function readEntries(
  { store }: Pick<AccountPorts, 'store'>,
  tenantId: string,
  { action, by, target, after, before }: AuditFilters,
  limit: number,
  from: string | undefined,
) {
  let query = store.db
    .selectFrom('audit_entries')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .orderBy('id', 'desc')
    .limit(limit)
  if (action !== undefined) query = query.where('action', '=', action)
  if (by !== undefined) query = query.where('actor_id', '=', by)
  if (target !== undefined) query = query.where('target', '=', target)
  if (after !== undefined) query = query.where('created_at', '>=', after)
  if (before !== undefined) query = query.where('created_at', '<', before)
  if (from !== undefined) query = query.where('id', '<', from)
  return query.execute()
}

/**
 * Requires a reader of the whole account. A caller who is not shown who acted cannot filter by it, since the
 * results would show it.
 *
 * @throws ServiceError `insufficient_scope`
 */
function requireAuditor(ports: AccountPorts, scope: Caller, { by }: AuditFilters): void {
  requireReader(ports, scope)
  requireWholeAccount(scope)
  if (by !== undefined && !scope.scopes.includes('read'))
    throw refuse(
      'insufficient_scope',
      'This key is not shown who acted: omit the parameter by, or use a key with the scope read.',
    )
}

/** Returns entries of the audit log, newest first. @throws ServiceError `insufficient_scope` */
export async function listAudit(
  ports: AccountPorts,
  scope: Caller,
  { limit, cursor, ...filters }: AuditFilters & { limit: number; cursor?: string | undefined },
): Promise<{ entries: AuditEntry[]; next_cursor: string | null }> {
  requireAuditor(ports, scope, filters)
  const from = cursor === undefined ? undefined : decodeIdCursor(list, cursor)
  const rows = await readEntries(ports, scope.tenantId, filters, limit + 1, from)
  const { page, next_cursor } = pageOf(list, rows, limit, (row) => row.id)
  return { entries: page.map(entryRecord(scope)), next_cursor }
}

/**
 * Returns all entries that pass the filters as NDJSON, newest first, read as the caller takes them.
 *
 * @throws ServiceError `insufficient_scope`
 */
export function exportAudit(ports: AccountPorts, scope: Caller, filters: AuditFilters): ReadableStream {
  requireAuditor(ports, scope, filters)
  const encoder = new TextEncoder()
  const record = entryRecord(scope)
  let from: string | undefined
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const rows = await readEntries(ports, scope.tenantId, filters, exportedAtOnce, from)
      const lines = rows.map((row) => `${JSON.stringify(record(row))}\n`).join('')
      if (lines !== '') controller.enqueue(encoder.encode(lines))
      from = rows.at(-1)?.id
      if (rows.length < exportedAtOnce) controller.close()
    },
  })
}
