import type { Selectable } from 'kysely'
import type { Account } from '../../protocol/records'
import { decodeIdCursor, notFound, pageOf, refuseSuspended } from '../base'
import type { AccountTable, Database } from '../store/tables'
import { accountRecord } from './account'
import { type Caller, everyScope } from './keys'
import type { AccountPorts } from './ports'
import { operatorKeyId } from './revocations'

/** A human who is signed in at the console. */
export interface Operator {
  readonly id: string
  readonly email: string
  /** The session by which they are signed in. */
  readonly sessionId: string
}

/** The signing in of operators. */
export interface SignIn {
  /** Finds the operator whose session the cookies of a request are; null where there is none. */
  identify(headers: Headers): Promise<Operator | null>
  /** Carries out a request to sign up, in or out. `from` is what attempts are counted by; null within this process. */
  answer(request: Request, from: string | null): Promise<Response>
}

const list = 'accounts'

/** The account of an operator. @throws ServiceError `not_found`, also for another's */
export async function ownAccount(
  ports: AccountPorts,
  operator: Operator,
  tenantId: string,
): Promise<Selectable<AccountTable>> {
  const row = await ports.store.db
    .selectFrom('account_operators')
    .innerJoin('accounts', 'accounts.tenant_id', 'account_operators.tenant_id')
    .selectAll('accounts')
    .where('account_operators.operator_id', '=', operator.id)
    .where('account_operators.tenant_id', '=', tenantId)
    .executeTakeFirst()
  if (!row) throw notFound('account', tenantId)
  return row
}

/**
 * Lets an operator ask as the account that they claimed, with every scope.
 *
 * @throws ServiceError `not_found`, also for another's, `account_suspended`
 */
export async function operatorCaller(
  ports: AccountPorts,
  operator: Operator,
  tenantId: string,
): Promise<Caller> {
  const account = await ownAccount(ports, operator, tenantId)
  refuseSuspended(account)
  return {
    tenantId: account.tenant_id,
    keyId: operatorKeyId(operator.sessionId),
    inboxId: null,
    scopes: everyScope,
    account,
    trusted: false,
    everywhere: false,
  }
}

async function inboxesByAccount(
  ports: AccountPorts,
  tenantIds: string[],
): Promise<Map<string, Account['inboxes']>> {
  const found = new Map(tenantIds.map((id): [string, Account['inboxes']] => [id, []]))
  if (tenantIds.length === 0) return found
  const rows = await ports.store.db
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
  ports: AccountPorts,
  operator: Operator,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
) {
  let query = ports.store.db
    .selectFrom('account_operators')
    .innerJoin('accounts', 'accounts.tenant_id', 'account_operators.tenant_id')
    .selectAll('accounts')
    .where('account_operators.operator_id', '=', operator.id)
    .orderBy('account_operators.tenant_id')
    .limit(limit + 1)
  if (cursor !== undefined)
    query = query.where('account_operators.tenant_id', '>', decodeIdCursor(list, cursor))
  const { page, next_cursor } = pageOf(list, await query.execute(), limit, (row) => row.tenant_id)
  const inboxes = await inboxesByAccount(
    ports,
    page.map((row) => row.tenant_id),
  )
  return { accounts: page.map((row) => accountRecord(ports, row, inboxes.get(row.tenant_id)!)), next_cursor }
}
