import { requireSending } from '../../accounts/account'
import { type Plan, planOf } from '../../accounts/plan'
import type { ChangePorts } from '../../accounts/ports'
import {
  type Allowance,
  allowedAt,
  countByDomain,
  countSent,
  sentToday,
  whenAllowed,
} from '../../accounts/send-counts'
import { refuse } from '../../base/refuse'
import { timeOf } from '../../base/time'
import { requireListedRecipients } from '../../lists/list-check'
import { requireUnsuppressed } from '../../lists/suppressions'
import type { ChangeContext, CheckContext } from '../../log/registry'
import { requireNoLoop } from './loop-guard'

/** A message for the checks. */
interface CheckedSend {
  /** All recipients. */
  addresses: readonly string[]
  /** Thread that it continues. */
  threadId: string | undefined
}

interface Wanted {
  sent: number
  wanted: number
  /** Domain of the limit, if it is per domain. */
  domain?: string
}

function codeOf(warming: boolean, domain: string | undefined) {
  if (domain !== undefined) return 'recipient_domain_limit_reached'
  return warming ? 'warmup_limit_reached' : 'daily_limit_reached'
}

/** @throws ServiceError `warmup_limit_reached`, `daily_limit_reached`, `recipient_domain_limit_reached` */
function requireAllowed(allowance: Allowance, nowMs: number, { domain, ...asked }: Wanted): void {
  const { max, warming } = allowedAt(allowance, nowMs)
  if (asked.sent + asked.wanted <= max) return
  const atMs = whenAllowed(allowance, nowMs, asked)
  const retry_at = atMs === null ? null : timeOf(atMs)
  const what = `${max} recipients${domain === undefined ? '' : ` at ${domain}`} a day (UTC)${warming ? ' while it is new' : ''}`
  const remedy = retry_at === null ? 'send to fewer at once' : `repeat this from ${retry_at}`
  throw refuse(
    codeOf(warming, domain),
    `The account may write to ${what}; ${asked.sent} were written to today, and this is for ${asked.wanted}: ${remedy}, or ask the operator of the service for another plan.`,
    { limit: max, ...asked, ...(domain !== undefined && { domain }), warming, retry_at },
    atMs === null ? undefined : atMs - nowMs,
  )
}

const limited = (plan: Plan): boolean =>
  plan.messagesPerDay !== null ||
  plan.messagesPerDomainPerDay !== null ||
  plan.warmup.length > 0 ||
  plan.warmupPerDomain.length > 0 ||
  plan.pauseAtBounceRate !== null ||
  plan.pauseAtComplaintRate !== null

/** Checks the message against today's limits of warmup and plan, in all and by domain. */
async function requireAllowance(
  check: CheckContext,
  plan: Plan,
  addresses: readonly string[],
): Promise<void> {
  if (!limited(plan)) return
  const { account } = check
  const nowMs = Date.parse(check.now)
  const sinceMs = Date.parse(account.sending_enabled_at ?? account.created_at)
  const domains = countByDomain(addresses)
  const sent = await sentToday(check, domains.keys())
  const whole = { ramp: plan.warmup, perDay: plan.messagesPerDay, sinceMs }
  requireAllowed(whole, nowMs, { sent: sent.all, wanted: addresses.length })
  const each = { ramp: plan.warmupPerDomain, perDay: plan.messagesPerDomainPerDay, sinceMs }
  for (const [domain, wanted] of domains)
    requireAllowed(each, nowMs, { sent: sent.of(domain), wanted, domain })
}

/**
 * Checks the conditions of every send: the status of the account, its send lists, and its suppression list.
 *
 * @throws ServiceError those of {@link requireSending}, `recipient_blocked`, `recipient_suppressed`
 */
export async function requireAdmissible(change: CheckContext, addresses: readonly string[]): Promise<void> {
  requireSending(change.account, change.now)
  await requireListedRecipients(change.tx, change.account, addresses)
  await requireUnsuppressed(change, addresses)
}

/**
 * Checks a message before sending, in this order: account status, send lists, suppression list, loops, then
 * today's limits of warmup and plan, in all and by domain. An accepted message is counted in the same
 * transaction. A replay of an earlier send was answered before.
 *
 * @throws ServiceError `account_suspended`, `account_expired`, `claim_required`, `sending_paused`,
 * `recipient_blocked`, `recipient_suppressed`, `loop_suspected`, `warmup_limit_reached`,
 * `daily_limit_reached`, `recipient_domain_limit_reached`
 */
export async function admitSend(
  ports: Pick<ChangePorts, 'settings'>,
  change: ChangeContext,
  send: CheckedSend,
): Promise<void> {
  const plan = await requireAdmitted(ports, change, send)
  if (limited(plan)) await countSent(change, countByDomain(send.addresses))
}

/**
 * Checks a message as {@link admitSend} does, without counting it.
 *
 * @throws ServiceError those of {@link admitSend}
 */
export async function requireAdmitted(
  ports: Pick<ChangePorts, 'settings'>,
  check: CheckContext,
  { addresses, threadId }: CheckedSend,
): Promise<Plan> {
  const plan = planOf(ports.settings.plans, check.account)
  await requireAdmissible(check, addresses)
  await requireNoLoop(check, plan, threadId)
  await requireAllowance(check, plan, addresses)
  return plan
}
