import type { EventType } from '../../protocol/records'
import { releasePausedJobs } from '../jobs'
import type { ChangeContext } from '../log'
import { accountState } from './account'
import type { ChangePorts } from './ports'
import { forgetRates } from './send-counts'

type PauseReason = 'bounce_rate' | 'complaint_rate' | 'host'
type AccountValues = Partial<Omit<ChangeContext['account'], 'tenant_id' | 'seq'>>

/** Changes what the account is, and what the rest of the transaction sees of it. */
export async function saveAccount({ tx, account }: ChangeContext, values: AccountValues): Promise<void> {
  Object.assign(account, values)
  await tx.updateTable('accounts').set(values).where('tenant_id', '=', account.tenant_id).execute()
}

/** Tells the log what the account is now. */
function tellAccount(
  ports: Pick<ChangePorts, 'settings' | 'clock'>,
  change: ChangeContext,
  type: Extract<EventType, `account.${string}`>,
): void {
  const { account } = change
  change.append(type, null, { id: account.tenant_id, ...accountState(ports, account) })
}

/**
 * Sends nothing more: new mail is refused with `sending_paused`; what is queued, and drafts whose time comes, stay
 * and leave once sending is resumed. Pausing again changes nothing.
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

/** Sends again, what was held first; bounces and complaints of before no longer count. */
export async function resumeSending(ports: ChangePorts, change: ChangeContext): Promise<void> {
  if (change.account.sending_paused_at === null) return
  await saveAccount(change, { sending_paused_at: null, sending_pause_reason: null })
  await forgetRates(change)
  await releasePausedJobs(change)
  tellAccount(ports, change, 'account.resumed')
}
