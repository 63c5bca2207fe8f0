import type { Selectable } from 'kysely'
import type { Account } from '../../protocol/account'
import type { AccountTable, Database } from '../store/schema'
import { accountRecord } from './account'
import type { Core } from './context'
import { pageOf, readIdCursor } from './cursor'
import { notFound } from './refuse'

/** A human who is signed in at the console. */
export interface Operator {
  readonly id: string
  readonly email: string
}

/** How operators sign in. */
export interface SignIn {
  /** Whose session the cookies of a request are; null for nobody's. */
  identify(headers: Headers): Promise<Operator | null>
  /** Carries out a request to sign up, in or out. `from` is what attempts are counted by; null within this process. */
  answer(request: Request, from: string | null): Promise<Response>
}

const list = 'accounts'

/** The account of an operator. @throws ServiceError `not_found`, also for another's */
export async function ownAccount(
  core: Core,
  operator: Operator,
  tenantId: string,
): Promise<Selectable<AccountTable>> {
  const row = await core.store.db
    .selectFrom('account_operators')
    .innerJoin('accounts', 'accounts.tenant_id', 'account_operators.tenant_id')
    .selectAll('accounts')
    .where('account_operators.operator_id', '=', operator.id)
    .where('account_operators.tenant_id', '=', tenantId)
    .executeTakeFirst()
  if (!row) throw notFound('account', tenantId)
  return row
}

async function inboxesByAccount(core: Core, tenantIds: string[]): Promise<Map<string, Account['inboxes']>> {
  const found = new Map(tenantIds.map((id): [string, Account['inboxes']] => [id, []]))
  if (tenantIds.length === 0) return found
  const rows = await core.store.db
    .selectFrom('inboxes')
    .select(['tenant_id', 'id', 'address'] satisfies (keyof Database['inboxes'])[])
    .where('tenant_id', 'in', tenantIds)
    .orderBy('id')
    .execute()
  for (const { tenant_id, id, address } of rows) found.get(tenant_id)!.push({ id, address })
  return found
}

/** The accounts that an operator has claimed, oldest first. */
export async function listAccounts(
  core: Core,
  operator: Operator,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
) {
  let query = core.store.db
    .selectFrom('account_operators')
    .innerJoin('accounts', 'accounts.tenant_id', 'account_operators.tenant_id')
    .selectAll('accounts')
    .where('account_operators.operator_id', '=', operator.id)
    .orderBy('account_operators.tenant_id')
    .limit(limit + 1)
  if (cursor !== undefined)
    query = query.where('account_operators.tenant_id', '>', readIdCursor(list, cursor))
  const { page, next_cursor } = pageOf(list, await query.execute(), limit, (row) => row.tenant_id)
  const inboxes = await inboxesByAccount(
    core,
    page.map((row) => row.tenant_id),
  )
  return { accounts: page.map((row) => accountRecord(core, row, inboxes.get(row.tenant_id)!)), next_cursor }
}
