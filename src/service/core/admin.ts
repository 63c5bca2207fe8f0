import type { Account } from '../../protocol/account'
import { accountRecord } from './account'
import { selectInboxes } from './account-inboxes'
import { type Change, changeAccount } from './change'
import type { Ground } from './context'
import { eraseAccount } from './erase-account'
import { logTopic } from './event-log'
import { pauseSending, resumeSending, saveAccount } from './pause'
import { releasePausedJobs } from './paused-jobs'
import { findAccountId } from './reach'
import { refuse } from './refuse'

/** What the host may do to an account; it is named by its id or by an address of one of its inboxes. */
export interface Admin {
  /** Gives the account a plan of the setting `plans`. @throws ServiceError `invalid_request`, `account_not_found` */
  plan(account: string, plan: string): Promise<Account>
  /** Pauses sending: what is queued waits. @throws ServiceError `account_not_found` */
  pause(account: string): Promise<Account>
  /** Sends again, what has waited first; bounces and complaints of before no longer count. @throws ServiceError `account_not_found` */
  resume(account: string): Promise<Account>
  /** Closes the account at once: no request, no mail in or out. Nothing is lost. @throws ServiceError `account_not_found` */
  suspend(account: string): Promise<Account>
  /** Opens it again. @throws ServiceError `account_not_found` */
  unsuspend(account: string): Promise<Account>
  /**
   * Closes the account for good and erases all that it has, within the hour; its addresses are never given again.
   *
   * @throws ServiceError `account_not_found`, UsageError `home_account`
   */
  erase(account: string): Promise<Account>
}

async function setPlan({ settings }: Ground, change: Change, plan: string): Promise<void> {
  if (Object.hasOwn(settings.plans, plan)) return saveAccount(change, { plan })
  throw refuse(
    'invalid_request',
    `There is no plan ${plan.slice(0, 80)}; there are: ${Object.keys(settings.plans).join(', ')}. The setting plans adds others.`,
  )
}

async function suspend(core: Ground, change: Change): Promise<void> {
  if (change.account.suspended_at === null) await saveAccount(change, { suspended_at: change.now })
  core.admissions.forgetAccount(change.account.tenant_id)
}

async function unsuspend(change: Change): Promise<void> {
  if (change.account.suspended_at === null) return
  await saveAccount(change, { suspended_at: null })
  await releasePausedJobs(change)
}

/** The commands of the host, which no key reaches. */
export function createAdmin(core: Ground): Admin {
  async function carryOut(account: string, work: (change: Change) => Promise<void>): Promise<Account> {
    const tenantId = await findAccountId(core, account)
    return changeAccount(core, tenantId, async (change) => {
      await work(change)
      // Sockets look at the log, and see that the account is closed.
      change.wake(logTopic(tenantId))
      return accountRecord(core, change.account, await selectInboxes(change.tx, tenantId))
    })
  }
  return {
    plan: (account, plan) => carryOut(account, (change) => setPlan(core, change, plan)),
    pause: (account) => carryOut(account, (change) => pauseSending(core, change, 'host')),
    resume: (account) => carryOut(account, (change) => resumeSending(core, change)),
    suspend: (account) => carryOut(account, (change) => suspend(core, change)),
    unsuspend: (account) => carryOut(account, unsuspend),
    erase: (account) => carryOut(account, (change) => eraseAccount(core, change)),
  }
}
