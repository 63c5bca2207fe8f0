import type { Selectable } from 'kysely'
import type { List } from '../../protocol/list'
import type { ListTable } from '../store/schema'
import { requireManaging, requireReader, requireWholeAccount } from './account'
import { type Change, changeAccount } from './change'
import type { Core } from './context'
import { pageOf, readIdCursor } from './cursor'
import { newId } from './ids'
import type { Caller, Scope } from './keys'
import { normalizePattern } from './list-match'
import { notFound, refuse } from './refuse'

type ListRow = Selectable<ListTable>
type Direction = ListRow['direction']

const list = 'lists'
const mostEntries = 10_000

const countColumn = { receive: 'receive_lists', send: 'send_lists' } as const

const listRecord = ({ id, pattern, kind, direction, created_at }: ListRow): List => ({
  id,
  pattern,
  kind,
  direction,
  created_at,
})

export interface ListRequest {
  pattern: string
  kind: ListRow['kind']
  direction: Direction
}

function changeLists<T>(core: Core, scope: Scope, work: (change: Change) => Promise<T>): Promise<T> {
  requireWholeAccount(scope)
  return changeAccount(core, scope.tenantId, async (change) => {
    requireManaging(change.account, change.now)
    return work(change)
  })
}

async function count({ tx, account }: Change, direction: Direction, by: number): Promise<void> {
  const column = countColumn[direction]
  await tx
    .updateTable('accounts')
    .set({ [column]: account[column] + by })
    .where('tenant_id', '=', account.tenant_id)
    .execute()
}

async function requireFree({ tx, account }: Change, { pattern, direction }: ListRequest): Promise<void> {
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
export async function createList(core: Core, scope: Scope, request: ListRequest): Promise<List> {
  const wanted = { ...request, pattern: normalizePattern(request.pattern) }
  return changeLists(core, scope, async (change) => {
    await requireFree(change, wanted)
    const { receive_lists, send_lists } = change.account
    if (receive_lists + send_lists >= mostEntries)
      throw refuse('list_limit_reached', `The account has ${mostEntries} entries, which is the most.`)
    const row: ListRow = {
      tenant_id: scope.tenantId,
      id: newId('lst', core.clock.now()),
      ...wanted,
      created_at: change.now,
    }
    await change.tx.insertInto('lists').values(row).execute()
    await count(change, wanted.direction, 1)
    return listRecord(row)
  })
}

export interface ListQuery {
  direction?: Direction | undefined
  limit: number
  cursor?: string | undefined
}

/** Entries of the account, oldest first. */
export async function listLists(core: Core, scope: Caller, { direction, limit, cursor }: ListQuery) {
  requireReader(core, scope)
  let query = core.store.db
    .selectFrom('lists')
    .selectAll()
    .where('tenant_id', '=', scope.tenantId)
    .orderBy('id')
    .limit(limit + 1)
  if (direction !== undefined) query = query.where('direction', '=', direction)
  if (cursor !== undefined) query = query.where('id', '>', readIdCursor(list, cursor))
  const { page, next_cursor } = pageOf(list, await query.execute(), limit, (row) => row.id)
  return { lists: page.map(listRecord), next_cursor }
}

/** @throws ServiceError `not_found`, `claim_required`, `insufficient_scope` */
export async function deleteList(core: Core, scope: Scope, id: string): Promise<undefined> {
  await changeLists(core, scope, async (change) => {
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
