import type { Change } from './change'
import type { Ground } from './context'
import { pauseSending } from './pause'
import { type Plan, planOf } from './plan'
import { countFailures, readRates } from './send-counts'
import { suppress } from './suppressions'

/** A recipient that mail should not go to again. */
export interface SendFailure {
  address: string
  /** `bounce` where the address takes no mail for good; `complaint` where its reader called the mail spam. */
  reason: 'bounce' | 'complaint'
  /** What the other side said. */
  detail: string | null
}

const exceeds = (most: number | null, part: number, whole: number): boolean =>
  most !== null && part / whole > most

async function pauseByRates(core: Ground, change: Change, plan: Plan): Promise<void> {
  if (plan.pauseAtBounceRate === null && plan.pauseAtComplaintRate === null) return
  const { sent, bounced, complained } = await readRates(change, plan.rateDays)
  if (sent < plan.rateMinimum) return
  if (exceeds(plan.pauseAtComplaintRate, complained, sent)) await pauseSending(core, change, 'complaint_rate')
  else if (exceeds(plan.pauseAtBounceRate, bounced, sent)) await pauseSending(core, change, 'bounce_rate')
}

/**
 * Takes note of hard bounces and complaints, whoever found them: the addresses are suppressed, the rates grow, and
 * sending is paused where they are too high. A complaint, or a bounce, of the same address counts each time.
 */
export async function recordSendFailures(
  core: Ground,
  change: Change,
  failures: readonly SendFailure[],
): Promise<void> {
  if (failures.length === 0) return
  for (const failure of failures) await suppress(change, failure)
  const bounced = failures.filter(({ reason }) => reason === 'bounce').length
  await countFailures(change, { bounced, complained: failures.length - bounced })
  await pauseByRates(core, change, planOf(core.settings.plans, change.account))
}
