import type { EventType } from '../../protocol/records/event'
import { releasePausedJobs } from '../jobs/held-jobs'
import type { ChangeContext } from '../log/registry'
import { accountState } from './account'
import type { ChangePorts } from './ports'
import { forgetRates } from './send-counts'

type PauseReason = 'bounce_rate' | 'complaint_rate' | 'host'
type AccountValues = Partial<Omit<ChangeContext['account'], 'tenant_id' | 'seq'>>

/** Changes an account, and the row that the rest of the transaction sees. */
export async function saveAccount({ tx, account }: ChangeContext, values: AccountValues): Promise<void> {
  Object.assign(account, values)
  await tx.updateTable('accounts').set(values).where('tenant_id', '=', account.tenant_id).execute()
}

/** Adds the current state of the account to the log. */
function tellAccount(
  ports: Pick<ChangePorts, 'settings' | 'clock'>,
  change: ChangeContext,
  type: Extract<EventType, `account.${string}`>,
): void {
  const { account } = change
  change.append(type, null, { id: account.tenant_id, ...accountState(ports, account) })
}

/**
 * Pauses sending. New sends are refused with `sending_paused`. Queued messages and due drafts wait until
 * sending is resumed. Pausing again has no effect.
 */
export async function pauseSending(
  ports: ChangePorts,
  change: ChangeContext,
  reason: PauseReason,
): Promise<void> {
  if (change.account.sending_paused_at !== null) return
  await saveAccount(change, { sending_paused_at: change.now, sending_pause_reason: reason })
  tellAccount(ports, change, 'account.paused')
}

/** Resumes sending, held messages first. Earlier bounces and complaints no longer count. */
export async function resumeSending(ports: ChangePorts, change: ChangeContext): Promise<void> {
  if (change.account.sending_paused_at === null) return
  await saveAccount(change, { sending_paused_at: null, sending_pause_reason: null })
  await forgetRates(change)
  await releasePausedJobs(change)
  tellAccount(ports, change, 'account.resumed')
}
