import type { Selectable } from 'kysely'
import type { List } from '../../protocol/records/list'
import { requireManaging, requireReader, requireWholeAccount } from '../accounts/account'
import type { Caller, Scope } from '../accounts/keys'
import type { AccountPorts } from '../accounts/ports'
import { decodeIdCursor, pageOf } from '../base/cursor'
import { newId } from '../base/ids'
import { notFound, refuse } from '../base/refuse'
import { changeAccount } from '../log/change'
import type { ChangeContext } from '../log/registry'
import type { ListTable } from '../store/tables/account-tables'
import { normalizePattern } from './list-match'

type ListRow = Selectable<ListTable>
type Direction = ListRow['direction']

const list = 'lists'
const maxEntries = 10_000

const countColumn = { receive: 'receive_lists', send: 'send_lists' } as const

const forgeable =
  'This service does not verify senders, so a forged sender address passes. Its administrator can enable the check with the setting checkSenders (RESTANTE_CHECK_SENDERS=true).'

const listRecord = (ports: AccountPorts, { id, pattern, kind, direction, created_at }: ListRow): List => ({
  id,
  pattern,
  kind,
  direction,
  warning: kind === 'allow' && direction === 'receive' && !ports.settings.checksSenders ? forgeable : null,
  created_at,
})

interface ListRequest {
  pattern: string
  kind: ListRow['kind']
  direction: Direction
}

function changeLists<T>(
  ports: AccountPorts,
  scope: Scope,
  work: (change: ChangeContext) => Promise<T>,
): Promise<T> {
  requireWholeAccount(scope)
  return changeAccount(ports, scope.tenantId, async (change) => {
    requireManaging(change.account, change.now)
    return work(change)
  })
}

async function count({ tx, account }: ChangeContext, direction: Direction, by: number): Promise<void> {
  const column = countColumn[direction]
  await tx
    .updateTable('accounts')
    .set({ [column]: account[column] + by })
    .where('tenant_id', '=', account.tenant_id)
    .execute()
}

async function requireFree(
  { tx, account }: ChangeContext,
  { pattern, direction }: ListRequest,
): Promise<void> {
  const taken = await tx
    .selectFrom('lists')
    .select(['id', 'kind'])
    .where('tenant_id', '=', account.tenant_id)
    .where('direction', '=', direction)
    .where('pattern', '=', pattern)
    .executeTakeFirst()
  if (!taken) return
  throw refuse(
    'list_exists',
    `There is an entry (${taken.kind}) for ${pattern} already: to change its kind, DELETE /lists/${taken.id} first.`,
    { list_id: taken.id },
  )
}

/** @throws ServiceError `list_exists`, `list_limit_reached`, `claim_required`, `insufficient_scope` */
export async function createList(ports: AccountPorts, scope: Scope, request: ListRequest): Promise<List> {
  const wanted = { ...request, pattern: normalizePattern(request.pattern) }
  return changeLists(ports, scope, async (change) => {
    await requireFree(change, wanted)
    const { receive_lists, send_lists } = change.account
    if (receive_lists + send_lists >= maxEntries)
      throw refuse('list_limit_reached', `The account has ${maxEntries} entries, which is the most.`)
    const row: ListRow = {
      tenant_id: scope.tenantId,
      id: newId('lst', ports.clock.now()),
      ...wanted,
      created_at: change.now,
    }
    await change.tx.insertInto('lists').values(row).execute()
    await count(change, wanted.direction, 1)
    return listRecord(ports, row)
  })
}

interface ListQuery {
  direction?: Direction | undefined
  limit: number
  cursor?: string | undefined
}

/** Returns entries of the account, oldest first. */
export async function listLists(ports: AccountPorts, scope: Caller, { direction, limit, cursor }: ListQuery) {
  requireReader(ports, scope)
  let query = ports.store.db
    .selectFrom('lists')
    .selectAll()
    .where('tenant_id', '=', scope.tenantId)
    .orderBy('id')
    .limit(limit + 1)
  if (direction !== undefined) query = query.where('direction', '=', direction)
  if (cursor !== undefined) query = query.where('id', '>', decodeIdCursor(list, cursor))
  const { page, next_cursor } = pageOf(list, await query.execute(), limit, (row) => row.id)
  return { lists: page.map((row) => listRecord(ports, row)), next_cursor }
}

/** @throws ServiceError `not_found`, `claim_required`, `insufficient_scope` */
export async function deleteList(ports: AccountPorts, scope: Scope, id: string): Promise<undefined> {
  await changeLists(ports, scope, async (change) => {
    const row = await change.tx
      .deleteFrom('lists')
      .where('tenant_id', '=', scope.tenantId)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst()
    if (!row) throw notFound('list', id)
    await count(change, row.direction, -1)
  })
}
