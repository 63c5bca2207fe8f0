import { pauseSending } from '../../accounts/pause'
import { type Plan, planOf } from '../../accounts/plan'
import type { ChangePorts } from '../../accounts/ports'
import { countFailures, readRates } from '../../accounts/send-counts'
import { suppress } from '../../lists/suppressions'
import type { ChangeContext } from '../../log/registry'

/** A recipient that should get no more messages. */
export interface SendFailure {
  address: string
  /** `bounce` if the address permanently accepts no messages; `complaint` if its reader reported spam. */
  reason: 'bounce' | 'complaint'
  /** Text from the remote side. */
  detail: string | null
}

const exceeds = (max: number | null, part: number, whole: number): boolean =>
  max !== null && part / whole > max

async function pauseByRates(ports: ChangePorts, change: ChangeContext, plan: Plan): Promise<void> {
  if (plan.pauseAtBounceRate === null && plan.pauseAtComplaintRate === null) return
  const { sent, bounced, complained } = await readRates(change, plan.rateDays)
  if (sent < plan.rateMinimum) return
  if (exceeds(plan.pauseAtComplaintRate, complained, sent))
    await pauseSending(ports, change, 'complaint_rate')
  else if (exceeds(plan.pauseAtBounceRate, bounced, sent)) await pauseSending(ports, change, 'bounce_rate')
}

/**
 * Records hard bounces and complaints from any source: suppresses the addresses, adds to the rates, and
 * pauses sending if they are too high. A repeated bounce or complaint of an address counts each time.
 */
export async function recordSendFailures(
  ports: ChangePorts,
  change: ChangeContext,
  failures: readonly SendFailure[],
): Promise<void> {
  if (failures.length === 0) return
  for (const failure of failures) await suppress(change, failure)
  const bounced = failures.filter(({ reason }) => reason === 'bounce').length
  await countFailures(change, { bounced, complained: failures.length - bounced })
  await pauseByRates(ports, change, planOf(ports.settings.plans, change.account))
}
