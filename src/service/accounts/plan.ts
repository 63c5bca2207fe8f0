import * as z from 'zod'
import type { AccountTable } from '../store/tables/account-tables'

const amount = z.int().min(1)
const ramp = z.array(amount).max(365).default([])
const rate = z.number().gt(0).max(1).nullable().default(null)

/** Limits of an account. Null means no limit. A message to three recipients counts as three. */
const plan = z.strictObject({
  inboxes: amount.default(1_000),
  /** Maximum bytes of messages, uploads and draft files. Null for no limit. */
  maxStorageBytes: amount.nullable().default(2 * 1024 ** 3),
  /** Messages in a UTC day. */
  messagesPerDay: amount.nullable().default(null),
  /** Messages in a UTC day to the addresses of one domain. */
  messagesPerDomainPerDay: amount.nullable().default(null),
  /**
   * Messages of the account in one thread, within an hour, which stops two programs that answer each other.
   * Null for no limit.
   */
  messagesPerThreadPerHour: amount.nullable().default(60),
  /** Messages during the first, second … 24 hours since `sending_enabled_at`. */
  warmup: ramp,
  /** The same for the addresses of one domain. */
  warmupPerDomain: ramp,
  /** Sending is paused if more than this share of the messages of `rateDays` bounced, or got a complaint. */
  pauseAtBounceRate: rate,
  pauseAtComplaintRate: rate,
  rateDays: z.int().min(1).max(30).default(7),
  /** Minimum number of messages for a rate. */
  rateMinimum: amount.default(100),
})
/** Plan as configured: omitted fields get their defaults. */
export type PlanInput = z.input<typeof plan>
/** Plan with all its limits. */
export type Plan = z.output<typeof plan>

/** Plans by name. Accounts of agents have `standard`; the account of the service itself has `unlimited`. */
export type PlanTable = Readonly<Record<string, Plan>>

const builtIn: Record<string, PlanInput> = {
  standard: {
    messagesPerDay: 10_000,
    messagesPerDomainPerDay: 5_000,
    warmup: [50, 100, 200, 400, 800, 1_600, 3_200, 6_400],
    warmupPerDomain: [25, 50, 100, 200, 400, 800, 1_600, 3_200],
    pauseAtBounceRate: 0.05,
    pauseAtComplaintRate: 0.003,
  },
  unlimited: { inboxes: 1_000, maxStorageBytes: null },
}

const table = z.record(z.string().regex(/^[a-z0-9][a-z0-9_-]{0,31}$/), plan)

/** Parses the configured plans and adds the built-in ones, which they can replace. @throws ZodError */
export const readPlans = (own: Record<string, PlanInput>): PlanTable => table.parse({ ...builtIn, ...own })

/** Returns the plan of an account; `standard` if its plan no longer exists. */
export const planOf = (plans: PlanTable, account: { plan: AccountTable['plan'] }): Plan =>
  plans[account.plan] ?? plans.standard!
