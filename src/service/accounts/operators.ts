import type { Kysely, Selectable } from 'kysely'
import type { Account } from '../../protocol/records/account'
import type { AccountOperator } from '../../protocol/records/console'
import { decodeIdCursor, pageOf } from '../base/cursor'
import { notFound, refuse, refuseSuspended } from '../base/refuse'
import type { StoredSender } from '../base/sender'
import { now } from '../base/time'
import type { LogPorts } from '../log/ports'
import type { AccountTable } from '../store/tables/account-tables'
import type { Database } from '../store/tables/schema'
import { accountRecord } from './account'
import { type Caller, everyScope } from './keys'
import type { AccountPorts } from './ports'
import { operatorKeyId } from './revocations'

/** Human who is signed in at the console. */
export interface Operator {
  readonly id: string
  readonly email: string
  /** Empty if they gave none. */
  readonly name: string
  /** Session id. */
  readonly sessionId: string
}

/** Owner of the service. Nobody can receive email at this address (RFC 2606 section 2) or sign up with it. */
export const ownerEmail = 'owner@console.invalid'
export const ownerName = 'Owner of this service'

/** Returns the name of an operator; the address of one without a name. */
export const nameOfOperator = ({ email, name }: Pick<Operator, 'email' | 'name'>): string =>
  email === ownerEmail ? ownerName : name || email

/** Sign-in of operators. */
export interface SignIn {
  /** Returns the operator of the session in the cookies of a request; null if there is none. */
  identify(headers: Headers): Promise<Operator | null>
  /** Answers a request to sign up, in or out. `from` is the group of the client address; null in-process. */
  answer(request: Request, from: string | null): Promise<Response>
}

const list = 'accounts'

/** Returns an account of the operator. @throws ServiceError `not_found`, also for accounts of others */
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

/** Returns an operator as the sender of a message. */
export const operatorSender = ({ id, name, email }: Operator): StoredSender => ({
  kind: 'operator',
  id,
  name: name || email,
})

/**
 * Returns the caller for an operator who acts for a claimed account, with all scopes.
 *
 * @throws ServiceError `not_found`, also for accounts of others, `account_suspended`
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
    sender: operatorSender(operator),
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

/** Lists the accounts that an operator has claimed, oldest first. */
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

/** Returns the operators of an account, in the order of their names. */
export async function operatorsOf(ports: AccountPorts, tenantId: string): Promise<AccountOperator[]> {
  const rows = await ports.store.db
    .selectFrom('account_operators')
    .innerJoin('operators', 'operators.id', 'account_operators.operator_id')
    .select(['operators.id', 'operators.name', 'operators.email'])
    .where('account_operators.tenant_id', '=', tenantId)
    .execute()
  const named = rows.map((row) => ({ ...row, name: nameOfOperator(row) }))
  return named.sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** Verification of an operator's address, which a claim needs; `own_address` can never be verified. */
export type Verification = 'verified' | 'unverified' | 'own_address'

const domainOf = (email: string) => email.slice(email.lastIndexOf('@') + 1)

/** Returns the spellings of one mailbox: with and without the tag after `+`. */
const spellingsOf = (email: string): string[] => {
  const at = email.lastIndexOf('@')
  const plain = `${email.slice(0, at).split('+')[0]}${email.slice(at)}`
  return [...new Set([email, plain])]
}

/**
 * Returns true if this service receives messages for an address, by its own domain, a domain of an account,
 * or a connected mailbox. An agent could read the link that verifies such an address.
 */
async function isReceivedHere(db: Kysely<Database>, ownDomain: string, email: string): Promise<boolean> {
  const address = email.toLowerCase()
  const domain = domainOf(address)
  if (domain === ownDomain) return true
  const spellings = spellingsOf(address)
  const [given, inbox, hosted] = await Promise.all([
    db.selectFrom('addresses').select('address').where('address', 'in', spellings).executeTakeFirst(),
    db.selectFrom('inboxes').select('id').where('address', 'in', spellings).executeTakeFirst(),
    db
      .selectFrom('domains')
      .select('id')
      .where('hostname', '=', domain)
      .where('verified_at', 'is not', null)
      .executeTakeFirst(),
  ])
  return (given ?? inbox ?? hosted) !== undefined
}

/** Returns whether an operator may claim. */
export async function verificationOf(
  { settings }: Pick<AccountPorts, 'settings'>,
  db: Kysely<Database>,
  { id }: Operator,
): Promise<Verification> {
  if (!settings.verifyOperators) return 'verified'
  const row = await db
    .selectFrom('operators')
    .select(['email', 'email_verified'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) return 'unverified'
  if (await isReceivedHere(db, settings.domain, row.email)) return 'own_address'
  return row.email_verified ? 'verified' : 'unverified'
}

/** @throws ServiceError `operator_unverified` */
export async function requireVerified(
  ports: Pick<AccountPorts, 'settings'>,
  db: Kysely<Database>,
  operator: Operator,
): Promise<void> {
  const verification = await verificationOf(ports, db, operator)
  if (verification === 'verified') return
  throw refuse(
    'operator_unverified',
    verification === 'own_address'
      ? `This service receives the email of ${operator.email}, so an agent could read it. Sign in with an address at another provider.`
      : `The address ${operator.email} is not verified: sign in by an emailed link, or ask the administrator for \`restante admin verify-operator ${operator.email}\`. The claim link stays valid meanwhile.`,
  )
}

/**
 * Verifies the address of an operator by order of the administrator.
 *
 * @throws ServiceError `not_found` if no login has it, `invalid_request` if messages to it arrive here
 */
export async function verifyOperator(
  ports: LogPorts & { settings: { domain?: string | undefined } },
  email: string,
): Promise<{ email: string }> {
  const address = email.trim().toLowerCase()
  const { db } = ports.store
  if (await isReceivedHere(db, ports.settings.domain ?? '', address))
    throw refuse(
      'invalid_request',
      `This service receives the email of ${address.slice(0, 254)}. An operator needs an address at another provider.`,
    )
  const { numUpdatedRows } = await ports.store.write((tx) =>
    tx
      .updateTable('operators')
      .set({ email_verified: 1, updated_at: now(ports) })
      .where('email', '=', address)
      .executeTakeFirstOrThrow(),
  )
  if (Number(numUpdatedRows) > 0) return { email: address }
  throw refuse(
    'not_found',
    `Nobody has a login with the address ${address.slice(0, 254)}: they must create one at the console first.`,
  )
}
