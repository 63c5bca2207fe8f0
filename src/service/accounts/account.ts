import { type Selectable, sql } from 'kysely'
import type { ErrorCode } from '../../protocol/errors/error-codes'
import type { Account, AccountState, Capabilities } from '../../protocol/records/account'
import { refuse, refuseSuspended } from '../base/refuse'
import { dayMs, now, timeOf } from '../base/time'
import type { ChangeContext } from '../log/registry'
import { runPrepared } from '../store/prepared'
import type { AccountTable } from '../store/tables/account-tables'
import { inboxesOf } from './account-inboxes'
import { type AccountStanding, accountDeleted, type Caller, type Scope } from './keys'
import { planOf } from './plan'
import type { AccountPorts, ChangePorts } from './ports'
import { allowedAt } from './send-counts'
import { storageLimitOf } from './storage'

type AccountRow = Selectable<AccountTable>
type SendingStatus = 'enabled' | 'paused' | 'unclaimed' | 'expired' | 'suspended'

/** Limits of an unclaimed account, in total (specification section 8). */
export const unclaimedLimits = {
  inboxes: 1,
  received_messages: 50,
  received_bytes: 10 * 1024 * 1024,
} as const

/** Fields that decide whether an account can be read. */
type Readability = Pick<AccountStanding, 'suspended_at' | 'onboarding_state' | 'unclaimed_expires_at'>

export const isExpired = (account: Omit<Readability, 'suspended_at'>, time: string): boolean =>
  account.onboarding_state === 'unclaimed' &&
  account.unclaimed_expires_at !== null &&
  account.unclaimed_expires_at <= time

/**
 * Returns the sending status of an account. The strongest reason wins: suspended, expired, unclaimed, paused.
 */
function sendingStatus(account: AccountStanding, time: string): SendingStatus {
  if (account.suspended_at !== null) return 'suspended'
  if (isExpired(account, time)) return 'expired'
  if (account.onboarding_state === 'unclaimed') return 'unclaimed'
  return account.sending_paused_at === null ? 'enabled' : 'paused'
}

/** Returns the current capabilities of an account (specification 2.2). */
function capabilitiesOf(account: AccountStanding, time: string): Capabilities {
  const status = sendingStatus(account, time)
  const open = status !== 'suspended' && status !== 'expired'
  return { receive: open, read: open, send: status === 'enabled', manage: open && status !== 'unclaimed' }
}

/** Returns the limits of an account: those of unclaimed ones, or of its plan (specification 2.3). */
export const limitsOf = (
  { settings }: Pick<ChangePorts, 'settings'>,
  account: AccountStanding,
): Account['limits'] =>
  account.onboarding_state === 'unclaimed'
    ? unclaimedLimits
    : {
        inboxes: planOf(settings.plans, account).inboxes,
        received_messages: null,
        received_bytes: null,
      }

/** Returns the daily sending limits of an account, with the warmup of its first days. */
function sendingLimitsOf(
  { settings }: Pick<ChangePorts, 'settings'>,
  account: AccountStanding,
  time: string,
): AccountState['sending_limits'] {
  const plan = planOf(settings.plans, account)
  const [nowMs, sinceMs] = [Date.parse(time), Date.parse(account.sending_enabled_at ?? time)]
  const most = (ramp: readonly number[], perDay: number | null): number | null => {
    const { max } = allowedAt({ ramp, perDay, sinceMs }, nowMs)
    return Number.isFinite(max) ? max : null
  }
  const day = Math.max(0, Math.floor((nowMs - sinceMs) / dayMs)) + 1
  const days = Math.max(plan.warmup.length, plan.warmupPerDomain.length)
  return {
    messages_per_day: most(plan.warmup, plan.messagesPerDay),
    messages_per_domain_per_day: most(plan.warmupPerDomain, plan.messagesPerDomainPerDay),
    warmup:
      day > days
        ? null
        : {
            day,
            ends_at: account.sending_enabled_at === null ? null : timeOf(sinceMs + days * dayMs),
            messages_per_day: plan.warmup,
            messages_per_domain_per_day: plan.warmupPerDomain,
          },
  }
}

/** Returns the row of an account. @throws ServiceError `account_not_found` */
export async function accountRow(ports: AccountPorts, tenantId: string): Promise<AccountRow> {
  const { db } = ports.store
  const [row] = await runPrepared(db, 'account', [tenantId], () =>
    db.selectFrom('accounts').selectAll().where('tenant_id', '=', tenantId).limit(sql.lit(1)),
  )
  if (!row) throw accountDeleted()
  return row
}

/** Log head of an account, and the fields that decide whether it can be read. */
export type Reach = Pick<AccountRow, 'tenant_id' | 'seq'> & Readability

/** Reads the log heads of these accounts in one statement, by account id. */
export async function readReaches(
  { store }: Pick<AccountPorts, 'store'>,
  tenantIds: readonly string[],
): Promise<ReadonlyMap<string, Reach>> {
  const rows = await store.db
    .selectFrom('accounts')
    .select(['tenant_id', 'seq', 'suspended_at', 'onboarding_state', 'unclaimed_expires_at'])
    .where('tenant_id', 'in', tenantIds)
    .execute()
  return new Map(rows.map((row) => [row.tenant_id, row]))
}

/** Narrows the capabilities of an account to those of a key. */
const capabilitiesOfKey = (
  { receive, read, send, manage }: Capabilities,
  { scopes }: Scope,
): Capabilities => ({
  receive,
  read: read && scopes.includes('read'),
  send: send && scopes.includes('send'),
  manage: manage && scopes.includes('manage'),
})

/**
 * Returns status, capabilities and limits (specification 2.1), as far as the key has them.
 *
 * @throws ServiceError `account_not_found`
 */
export async function readAccount(ports: AccountPorts, caller: Caller): Promise<Account> {
  const { account, inboxId } = caller
  if (!account) throw accountDeleted()
  const inboxes = await inboxesOf(ports, account)
  const seen = inboxId === null ? inboxes : inboxes.filter(({ id }) => id === inboxId)
  const record = accountRecord(ports, account, seen)
  return Object.assign(record, { capabilities: capabilitiesOfKey(record.capabilities, caller) })
}

/** Returns the current record of an account (specification 2.1). */
export const accountRecord = (
  ports: Pick<ChangePorts, 'settings' | 'clock'>,
  row: AccountStanding,
  inboxes: Account['inboxes'],
): Account => Object.assign(accountState(ports, row), { inboxes })

/** Returns the account without its inboxes, for all its keys: those of one inbox must not see the others. */
export function accountState(
  ports: Pick<ChangePorts, 'settings' | 'clock'>,
  row: AccountStanding,
): AccountState {
  const time = now(ports)
  return {
    tenant_id: row.tenant_id,
    name: row.name,
    onboarding_state: row.onboarding_state,
    claimed_at: row.claimed_at,
    sending_enabled_at: row.sending_enabled_at,
    unclaimed_expires_at: row.unclaimed_expires_at,
    expired: isExpired(row, time),
    capabilities: capabilitiesOf(row, time),
    limits: limitsOf(ports, row),
    usage: {
      received_messages: row.received_messages,
      received_bytes: row.received_bytes,
    },
    storage: { used_bytes: Math.max(0, row.stored_bytes), max_bytes: storageLimitOf(ports, row) },
    sending_limits: sendingLimitsOf(ports, row, time),
    sending_status: sendingStatus(row, time),
    sending_paused_at: row.sending_paused_at,
  }
}

/** Returns true if the messages of an account can be read now. */
export const isReadable = (ports: Pick<AccountPorts, 'clock'>, account: Readability): boolean =>
  account.suspended_at === null && !isExpired(account, now(ports))

/** @throws ServiceError `account_suspended`, `account_expired` */
export function refuseUnreadable(ports: Pick<AccountPorts, 'clock'>, account: Readability): void {
  if (isReadable(ports, account)) return
  refuseSuspended(account)
  throw refuse(
    'account_expired',
    'The account was not claimed in time, so its messages can no longer be read. GET /account still works. Sign up again.',
  )
}

/**
 * Requires that the account could be read when the request arrived. @throws ServiceError `account_not_found`,
 * `account_suspended`, `account_expired`
 */
export function requireReader(ports: AccountPorts, { account }: Caller): void {
  if (!account) throw accountDeleted()
  refuseUnreadable(ports, account)
}

/**
 * Requires that the account can be read now, for work that outlasts a request. Resolves with its row.
 *
 * @throws ServiceError `account_not_found`, `account_suspended`, `account_expired`
 */
export async function requireReadable(ports: AccountPorts, scope: Scope): Promise<AccountRow> {
  const row = await accountRow(ports, scope.tenantId)
  refuseUnreadable(ports, row)
  return row
}

/**
 * Requires that the owner may change records of the account. @throws ServiceError `account_suspended`,
 * `account_expired`, `claim_required`
 */
export function requireManaging(row: AccountStanding, time: string): void {
  refuseSuspended(row)
  if (isExpired(row, time))
    throw refuse('account_expired', 'The account was not claimed in time. Sign up again.')
  if (row.onboarding_state === 'unclaimed') {
    throw refuse(
      'claim_required',
      'A person must claim the account before it can change this. Give your operator the claim link of the signup.',
    )
  }
}

/**
 * Refuses keys of one inbox for changes that affect all inboxes. @throws ServiceError `insufficient_scope`
 */
export function requireWholeAccount(scope: Scope): void {
  if (scope.inboxId === null) return
  throw refuse(
    'insufficient_scope',
    'This key can use only one inbox, but the request concerns the whole account. Ask your operator for an account key.',
  )
}

const pauseReasons: Record<string, string> = {
  bounce_rate: 'too many of its messages bounced',
  complaint_rate: 'too many recipients complained',
}

function sendingPaused({ sending_paused_at, sending_pause_reason }: AccountStanding) {
  const reason = sending_pause_reason ?? 'host'
  const why = pauseReasons[reason] ?? 'the operator of the service paused it'
  return refuse(
    'sending_paused',
    `Sending is paused for this account since ${sending_paused_at}: ${why}. Queued messages are sent when the administrator of the service resumes it. Repeat this request then.`,
    { sending_paused_at, reason },
  )
}

/** @throws ServiceError `account_suspended`, `account_expired`, `claim_required`, `sending_paused` */
export function requireSending(row: AccountStanding, time: string): void {
  refuseSuspended(row)
  const status = sendingStatus(row, time)
  if (status === 'expired')
    throw refuse('account_expired', 'The account was not claimed in time. Sign up again.')
  if (status === 'unclaimed') {
    throw refuse(
      'claim_required',
      'A person must claim the account before it can send. Give your operator the claim link of the signup.',
    )
  }
  if (status === 'paused') throw sendingPaused(row)
}

type Counted =
  | 'inboxes'
  | 'labels'
  | 'domains'
  | 'webhooks'
  | 'api_keys'
  | 'consumers'
  | 'connections'
  | 'saved_replies'

/** Maximum number of records of a kind in an account, and the refusal of more. */
export interface CountLimit {
  max: number
  code: Extract<ErrorCode, `${string}_limit_reached`>
  /** Message of the refusal: the limit and the remedy. */
  message: string
}

/** Requires that the account may have one more record of a kind. */
export async function requireBelowLimit(
  { tx, account, now }: ChangeContext,
  table: Counted,
  countLimit: CountLimit,
): Promise<void> {
  let query = tx
    .selectFrom(table as 'api_keys')
    .select((rows) => rows.fn.countAll<number>().as('count'))
    .where('tenant_id', '=', account.tenant_id)
  // Revoked and expired keys stay in the list, but do not count.
  if (table === 'api_keys')
    query = query
      .where('revoked_at', 'is', null)
      .where((row) => row.or([row('expires_at', 'is', null), row('expires_at', '>', now)]))
  const { count } = await query.executeTakeFirstOrThrow()
  if (Number(count) >= countLimit.max) throw refuse(countLimit.code, countLimit.message)
}
