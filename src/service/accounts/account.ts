import { type Selectable, sql } from 'kysely'
import type { ErrorCode } from '../../protocol/errors'
import type { Account, AccountState, Capabilities } from '../../protocol/records'
import { dayMs, now, refuse, refuseSuspended, timeOf } from '../base'
import type { ChangeContext } from '../log'
import { runPrepared } from '../store'
import type { AccountTable } from '../store/tables'
import { inboxesOf } from './account-inboxes'
import { type AccountStanding, accountGone, type Caller, type Scope } from './keys'
import { planOf } from './plan'
import type { AccountPorts, ChangePorts } from './ports'
import { allowedAt } from './send-counts'
import { storageLimitOf } from './storage'

type AccountRow = Selectable<AccountTable>
type SendingStatus = 'enabled' | 'paused' | 'unclaimed' | 'expired' | 'suspended'

/** The most that an unclaimed account may receive in all (specification section 8). */
export const unclaimedLimits = {
  inboxes: 1,
  received_messages: 50,
  received_bytes: 10 * 1024 * 1024,
} as const

/** What of an account decides whether it can be read. */
type Readability = Pick<AccountStanding, 'suspended_at' | 'onboarding_state' | 'unclaimed_expires_at'>

export const isExpired = (account: Omit<Readability, 'suspended_at'>, time: string): boolean =>
  account.onboarding_state === 'unclaimed' &&
  account.unclaimed_expires_at !== null &&
  account.unclaimed_expires_at <= time

/** The sending status of an account, by the strongest reason: suspended, expired, unclaimed, paused. */
function sendingStatus(account: AccountStanding, time: string): SendingStatus {
  if (account.suspended_at !== null) return 'suspended'
  if (isExpired(account, time)) return 'expired'
  if (account.onboarding_state === 'unclaimed') return 'unclaimed'
  return account.sending_paused_at === null ? 'enabled' : 'paused'
}

/** The capabilities of an account now (specification 2.2). */
function capabilitiesOf(account: AccountStanding, time: string): Capabilities {
  const status = sendingStatus(account, time)
  const open = status !== 'suspended' && status !== 'expired'
  return { receive: open, read: open, send: status === 'enabled', manage: open && status !== 'unclaimed' }
}

/** The limits of an account: those of unclaimed ones, then those of its plan (specification 2.3). */
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

/** The mail that an account may send in a day, and the ramp of its first days. */
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

/** The row of an account. @throws ServiceError `account_not_found` */
export async function accountRow(ports: AccountPorts, tenantId: string): Promise<AccountRow> {
  const { db } = ports.store
  const [row] = await runPrepared(db, 'account', [tenantId], () =>
    db.selectFrom('accounts').selectAll().where('tenant_id', '=', tenantId).limit(sql.lit(1)),
  )
  if (!row) throw accountGone()
  return row
}

/** An account's end of the log, and what decides whether it can be read. */
export type Reach = Pick<AccountRow, 'tenant_id' | 'seq'> & Readability

/** Reads the ends of the logs of these accounts, by account, in one statement. */
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

/** Narrows what an account may do to what a key of it may. */
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
 * Status, capabilities and limits (specification 2.1), as far as the key has them. @throws ServiceError
 * `account_not_found`
 */
export async function readAccount(ports: AccountPorts, caller: Caller): Promise<Account> {
  const { account, inboxId } = caller
  if (!account) throw accountGone()
  const inboxes = await inboxesOf(ports, account)
  const seen = inboxId === null ? inboxes : inboxes.filter(({ id }) => id === inboxId)
  const record = accountRecord(ports, account, seen)
  return Object.assign(record, { capabilities: capabilitiesOfKey(record.capabilities, caller) })
}

/** The account as it is now (specification 2.1). */
export const accountRecord = (
  ports: Pick<ChangePorts, 'settings' | 'clock'>,
  row: AccountStanding,
  inboxes: Account['inboxes'],
): Account => Object.assign(accountState(ports, row), { inboxes })

/** The account without its inboxes, for every key of it: a key of one inbox is not told of the others. */
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

/** Tells whether the mail of an account can be read now. */
export const isReadable = (ports: Pick<AccountPorts, 'clock'>, account: Readability): boolean =>
  account.suspended_at === null && !isExpired(account, now(ports))

/** @throws ServiceError `account_suspended`, `account_expired` */
export function refuseUnreadable(ports: Pick<AccountPorts, 'clock'>, account: Readability): void {
  if (isReadable(ports, account)) return
  refuseSuspended(account)
  throw refuse(
    'account_expired',
    'The account was not claimed in time, so its mail can no longer be read. GET /account still answers; sign up anew.',
  )
}

/**
 * Requires that the account could be read when the request came. @throws ServiceError `account_not_found`,
 * `account_expired`
 */
export function requireReader(ports: AccountPorts, { account }: Caller): void {
  if (!account) throw accountGone()
  refuseUnreadable(ports, account)
}

/**
 * Requires that the account can be read now, for what lasts longer than a request; resolves with its row. @throws
 * ServiceError `account_suspended`, `account_expired`
 */
export async function requireReadable(ports: AccountPorts, scope: Scope): Promise<AccountRow> {
  const row = await accountRow(ports, scope.tenantId)
  refuseUnreadable(ports, row)
  return row
}

/**
 * Requires that the owner may change what the account has. @throws ServiceError `account_suspended`,
 * `account_expired`, `claim_required`
 */
export function requireManaging(row: AccountStanding, time: string): void {
  refuseSuspended(row)
  if (isExpired(row, time))
    throw refuse('account_expired', 'The account was not claimed in time: sign up anew.')
  if (row.onboarding_state === 'unclaimed') {
    throw refuse(
      'claim_required',
      'A human must claim the account before it may change this: give your operator the claim link of the signup.',
    )
  }
}

/**
 * Refuses a key of one inbox, which changes nothing that all inboxes share. @throws ServiceError `insufficient_scope`
 */
export function requireWholeAccount(scope: Scope): void {
  if (scope.inboxId === null) return
  throw refuse(
    'insufficient_scope',
    'This key is for one inbox, and this concerns the whole account: ask your operator for a key of the account.',
  )
}

const pauseReasons: Record<string, string> = {
  bounce_rate: 'too many of its mails bounced',
  complaint_rate: 'too many recipients complained',
}

function sendingPaused({ sending_paused_at, sending_pause_reason }: AccountStanding) {
  const reason = sending_pause_reason ?? 'host'
  const why = pauseReasons[reason] ?? 'the operator of the service paused it'
  return refuse(
    'sending_paused',
    `Sending is paused for this account since ${sending_paused_at}: ${why}. What is queued leaves once the operator of the service resumes it; then repeat this.`,
    { sending_paused_at, reason },
  )
}

/** @throws ServiceError `account_suspended`, `account_expired`, `claim_required`, `sending_paused` */
export function requireSending(row: AccountStanding, time: string): void {
  refuseSuspended(row)
  const status = sendingStatus(row, time)
  if (status === 'expired')
    throw refuse('account_expired', 'The account was not claimed in time: sign up anew.')
  if (status === 'unclaimed') {
    throw refuse(
      'claim_required',
      'A human must claim the account before it may send: give your operator the claim link of the signup.',
    )
  }
  if (status === 'paused') throw sendingPaused(row)
}

type Counted = 'inboxes' | 'labels' | 'domains' | 'webhooks' | 'api_keys' | 'consumers' | 'connections'

/** The most of a kind that an account may have, and the refusal of more. */
export interface Room {
  max: number
  code: Extract<ErrorCode, `${string}_limit_reached`>
  /** The sentence of the refusal, with "which is the most" and the remedy. */
  message: string
}

/** Refuses one more of a kind of which the account has the most that it may. */
export async function requireRoom(
  { tx, account, now }: ChangeContext,
  table: Counted,
  room: Room,
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
  if (Number(count) >= room.max) throw refuse(room.code, room.message)
}
