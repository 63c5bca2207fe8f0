import type { EventType } from '../../protocol/event'
import { accountRecord } from './account'
import { selectInboxes } from './account-inboxes'
import type { Change } from './change'
import type { Ground } from './context'
import { releasePausedJobs } from './paused-jobs'
import { forgetRates } from './send-counts'

export type PauseReason = 'bounce_rate' | 'complaint_rate' | 'host'
type AccountValues = Partial<Omit<Change['account'], 'tenant_id' | 'seq'>>

/** Changes what the account is, and what the rest of the transaction sees of it. */
export async function saveAccount({ tx, account }: Change, values: AccountValues): Promise<void> {
  Object.assign(account, values)
  await tx.updateTable('accounts').set(values).where('tenant_id', '=', account.tenant_id).execute()
}

/** Tells the log what the account is now. */
export async function tellAccount(
  core: Pick<Ground, 'settings' | 'clock'>,
  change: Change,
  type: Extract<EventType, `account.${string}`>,
): Promise<void> {
  const { tx, account } = change
  const inboxes = await selectInboxes(tx, account.tenant_id)
  change.append(type, null, { id: account.tenant_id, ...accountRecord(core, account, inboxes) })
}

/**
 * Sends nothing more: new mail is refused with `sending_paused`; what is queued, and drafts whose time comes, stay
 * and leave once sending is resumed. Pausing again changes nothing.
 */
export async function pauseSending(core: Ground, change: Change, reason: PauseReason): Promise<void> {
  if (change.account.sending_paused_at !== null) return
  await saveAccount(change, { sending_paused_at: change.now, sending_pause_reason: reason })
  await tellAccount(core, change, 'account.paused')
}

/** Sends again, what was held first; bounces and complaints of before no longer count. */
export async function resumeSending(core: Ground, change: Change): Promise<void> {
  if (change.account.sending_paused_at === null) return
  await saveAccount(change, { sending_paused_at: null, sending_pause_reason: null })
  await forgetRates(change)
  await releasePausedJobs(change)
  await tellAccount(core, change, 'account.resumed')
}
