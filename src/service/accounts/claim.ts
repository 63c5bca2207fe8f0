import { randomBytes } from 'node:crypto'
import type { Kysely, Selectable } from 'kysely'
import type { ClaimLink } from '../../protocol/records/account'
import type { ClaimAnswer, ClaimPreview } from '../../protocol/records/console'
import { refuse, refuseSuspended } from '../base/refuse'
import { sha256 } from '../base/secrets'
import { minuteMs, now, timeOf } from '../base/time'
import { changeAccount } from '../log/change'
import type { ChangeContext } from '../log/registry'
import type { AccountTable, ClaimTokenTable } from '../store/tables/account-tables'
import type { Database } from '../store/tables/schema'
import { accountRecord, accountRow, accountState, isExpired, requireWholeAccount } from './account'
import { selectInboxes } from './account-inboxes'
import type { Scope } from './keys'
import { type Operator, requireVerified, verificationOf } from './operators'
import type { AccountPorts } from './ports'

type AccountRow = Selectable<AccountTable>
type TokenRow = Selectable<ClaimTokenTable>

/** Finds a claim link by its secret: 256 random bits, looked up by hash, so timing reveals nothing. */
async function findToken(db: Kysely<Database>, token: string): Promise<TokenRow> {
  const row = await db
    .selectFrom('claim_tokens')
    .selectAll()
    .where('token_hash', '=', sha256(token))
    .executeTakeFirst()
  if (row) return row
  throw refuse(
    'claim_link_unknown',
    'This claim link is unknown: it is incomplete, or a newer link replaced it. Ask your agent for a new claim link.',
  )
}

async function isOwn(db: Kysely<Database>, operator: Operator, tenantId: string): Promise<boolean> {
  const row = await db
    .selectFrom('account_operators')
    .select('tenant_id')
    .where('operator_id', '=', operator.id)
    .where('tenant_id', '=', tenantId)
    .executeTakeFirst()
  return row !== undefined
}

/** @returns True if the operator claimed it before. @throws ServiceError if the link cannot be used */
async function requireUsable(
  db: Kysely<Database>,
  operator: Operator,
  account: AccountRow,
  token: TokenRow,
  time: string,
): Promise<boolean> {
  refuseSuspended(account)
  if (account.onboarding_state === 'claimed') {
    if (await isOwn(db, operator, account.tenant_id)) return true
    throw refuse(
      'claim_link_used',
      'Somebody else has claimed this account with this link. If you did not expect this, write to the administrator of this service.',
    )
  }
  if (isExpired(account, time))
    throw refuse(
      'account_expired',
      'The account was not claimed in time and has expired. Let your agent sign up again.',
    )
  if (token.expires_at <= time)
    throw refuse(
      'claim_link_expired',
      `This claim link worked until ${token.expires_at}: ask your agent for a new one.`,
    )
  return false
}

/** Reads the account of a claim link. @throws ServiceError as {@link claimAccount} */
export async function previewClaim(
  ports: AccountPorts,
  operator: Operator,
  secret: string,
): Promise<ClaimPreview> {
  const { db } = ports.store
  const token = await findToken(db, secret)
  const account = await accountRow(ports, token.tenant_id)
  const claimed = await requireUsable(db, operator, account, token, now(ports))
  const inboxes = await selectInboxes(db, token.tenant_id)
  return {
    tenant_id: account.tenant_id,
    name: account.name,
    addresses: inboxes.map((inbox) => inbox.address),
    received_messages: account.received_messages,
    created_at: account.created_at,
    claim_expires_at: token.expires_at,
    claimed,
    verification: claimed ? 'verified' : await verificationOf(ports, db, operator),
  }
}

async function bind(change: ChangeContext, operator: Operator, token: TokenRow): Promise<AccountRow> {
  const { tx, account, now } = change
  const { tenant_id } = account
  const claimed = {
    onboarding_state: 'claimed',
    claimed_at: now,
    sending_enabled_at: now,
    unclaimed_expires_at: null,
  }
  await tx.updateTable('accounts').set(claimed).where('tenant_id', '=', tenant_id).execute()
  const used = { used_at: now }
  await tx.updateTable('claim_tokens').set(used).where('token_hash', '=', token.token_hash).execute()
  await forgetClaimLinks(change)
  const owner = { operator_id: operator.id, tenant_id, created_at: now }
  await tx.insertInto('account_operators').values(owner).execute()
  return { ...account, ...claimed }
}

/**
 * Assigns an account to an operator: owner, status, limits and the event `account.claimed` change in one
 * commit. A link works once; the same operator gets the same answer again.
 *
 * @throws ServiceError `operator_unverified`, `claim_link_unknown`, `claim_link_used`, `claim_link_expired`,
 *   `account_expired`, `account_suspended`
 */
export async function claimAccount(
  ports: AccountPorts,
  operator: Operator,
  secret: string,
): Promise<ClaimAnswer> {
  const { tenant_id } = await findToken(ports.store.db, secret)
  return changeAccount(ports, tenant_id, async (change) => {
    const { tx, account, now } = change
    const token = await findToken(tx, secret)
    const already_claimed = await requireUsable(tx, operator, account, token, now)
    if (!already_claimed) await requireVerified(ports, tx, operator)
    const row = already_claimed ? account : await bind(change, operator, token)
    const record = accountRecord(ports, row, await selectInboxes(tx, tenant_id))
    if (!already_claimed)
      change.append('account.claimed', null, { id: tenant_id, ...accountState(ports, row) })
    return { account: record, already_claimed }
  })
}

const lifetimeMs = 30 * minuteMs

/** Makes a link that expires with its account at the latest. No server gets its secret, a URL fragment. */
function makeLink(ports: AccountPorts, accountExpiresAt: string): { secret: string; link: ClaimLink } {
  const secret = randomBytes(32).toString('base64url')
  const inHalfAnHour = timeOf(ports.clock.now() + lifetimeMs)
  const claim_expires_at = inHalfAnHour < accountExpiresAt ? inHalfAnHour : accountExpiresAt
  const claim_url = `${ports.settings.consoleUrl}/claim#token=${secret}`
  return { secret, link: { claim_url, claim_expires_at } }
}

/** Deletes all unused links of an account. */
async function forgetClaimLinks({ tx, account }: ChangeContext): Promise<void> {
  await tx
    .deleteFrom('claim_tokens')
    .where('tenant_id', '=', account.tenant_id)
    .where('used_at', 'is', null)
    .execute()
}

/**
 * Maximum number of unused links of an account: more than any client needs, so that no loop fills the table.
 */
const maxLinks = 1_000

/** Deletes the oldest unused links, to leave room for one. */
async function dropOldLinks({ tx, account: { tenant_id } }: ChangeContext): Promise<void> {
  const newest = await tx
    .selectFrom('claim_tokens')
    .select(['expires_at', 'token_hash'])
    .where('tenant_id', '=', tenant_id)
    .where('used_at', 'is', null)
    .orderBy('expires_at', 'desc')
    .orderBy('token_hash', 'desc')
    .limit(maxLinks)
    .execute()
  const last = newest[maxLinks - 1]
  if (!last) return
  await tx
    .deleteFrom('claim_tokens')
    .where('tenant_id', '=', tenant_id)
    .where('used_at', 'is', null)
    .where(({ eb, and, or }) =>
      or([
        eb('expires_at', '<', last.expires_at),
        and([eb('expires_at', '=', last.expires_at), eb('token_hash', '<=', last.token_hash)]),
      ]),
    )
    .execute()
}

async function issue(
  ports: AccountPorts,
  change: ChangeContext,
  accountExpiresAt: string,
): Promise<ClaimLink> {
  const { secret, link } = makeLink(ports, accountExpiresAt)
  const token = {
    token_hash: sha256(secret),
    tenant_id: change.account.tenant_id,
    expires_at: link.claim_expires_at,
    used_at: null,
  }
  await change.tx.insertInto('claim_tokens').values(token).execute()
  return link
}

const isClaimed = (account: Selectable<AccountTable>) => account.onboarding_state === 'claimed'

/**
 * Makes another link for a replayed signup; earlier ones stay valid. If the account is claimed or expired,
 * the link does not work.
 */
export function replayClaimLink(
  ports: AccountPorts,
  tenantId: string,
  accountExpiresAt: string,
): Promise<ClaimLink> {
  return changeAccount(ports, tenantId, async (change) => {
    const { account, now } = change
    if (isClaimed(account) || isExpired(account, now)) return makeLink(ports, accountExpiresAt).link
    await dropOldLinks(change)
    return issue(ports, change, accountExpiresAt)
  })
}

/**
 * Makes a new claim link and deletes earlier ones: the only change that an unclaimed account may make
 * (specification 2.2). It does not extend the life of the account.
 *
 * @throws ServiceError `already_claimed`, `account_expired`, `account_suspended`, `insufficient_scope`
 */
export async function refreshClaimLink(ports: AccountPorts, scope: Scope): Promise<ClaimLink> {
  requireWholeAccount(scope)
  return changeAccount(ports, scope.tenantId, async (change) => {
    const { account, now } = change
    refuseSuspended(account)
    if (isClaimed(account))
      throw refuse('already_claimed', 'The account already has an operator, so nobody else can claim it.')
    if (isExpired(account, now))
      throw refuse('account_expired', 'The account was not claimed in time. Sign up again.')
    await forgetClaimLinks(change)
    return issue(ports, change, account.unclaimed_expires_at!)
  })
}
