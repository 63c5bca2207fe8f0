import { z } from 'zod'
import type { AccountTable } from '../store/tables'

const amount = z.int().min(1)
const ramp = z.array(amount).max(365).default([])
const rate = z.number().gt(0).max(1).nullable().default(null)

/** The limits of an account. Where one is null, or is left out and has no default, there is none; mail to three recipients counts as three. */
const plan = z.strictObject({
  inboxes: amount.default(1_000),
  /** Bytes of messages, uploads and draft files that it may store. Null for no limit. */
  maxStorageBytes: amount.nullable().default(2 * 1024 ** 3),
  /** Mails in a day of UTC. */
  messagesPerDay: amount.nullable().default(null),
  /** Mails in a day of UTC to the addresses of one domain. */
  messagesPerDomainPerDay: amount.nullable().default(null),
  /** Mails of the account in one thread, within an hour: two programs that answer each other stop here. Null for none. */
  messagesPerThreadPerHour: amount.nullable().default(60),
  /** Messages in a day during the first, second … 24 hours since `sending_enabled_at`. */
  warmup: ramp,
  /** The same for the addresses of one domain. */
  warmupPerDomain: ramp,
  /** Sending is paused where more than this share of the mail of `rateDays` bounced, or was complained about. */
  pauseAtBounceRate: rate,
  pauseAtComplaintRate: rate,
  rateDays: z.int().min(1).max(30).default(7),
  /** The least mail that has a rate. */
  rateMinimum: amount.default(100),
})
/** A plan as it is written: what is left out has its default. */
export type PlanInput = z.input<typeof plan>
/** A plan with every limit, as an account has it. */
export type Plan = z.output<typeof plan>

/** Plans by name. `standard` is the one of accounts that agents open; the account of the service itself has `unlimited`. */
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

/** The plans of a host beside those that there always are; one that it names `standard` takes its place. @throws ZodError */
export const readPlans = (own: Record<string, PlanInput>): PlanTable => table.parse({ ...builtIn, ...own })

/** The plan of an account; where the host has dropped it, `standard`. */
export const planOf = (plans: PlanTable, account: { plan: AccountTable['plan'] }): Plan =>
  plans[account.plan] ?? plans.standard!
