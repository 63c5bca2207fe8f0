import type { Account } from '../../protocol/records/account'
import { accountRecord } from '../accounts/account'
import { selectInboxes } from '../accounts/account-inboxes'
import { verifyOperator } from '../accounts/operators'
import { pauseSending, resumeSending, saveAccount } from '../accounts/pause'
import type { ChangePorts } from '../accounts/ports'
import { refuse } from '../base/refuse'
import { eraseAccount } from '../erasure/erase-account'
import { findAccountId } from '../inbound/recipient-check'
import { releasePausedJobs } from '../jobs/held-jobs'
import { changeAccount } from '../log/change'
import { logTopic } from '../log/event-log'
import type { ChangeContext } from '../log/registry'

/** Changes of the administrator to an account, which is named by its id or an address of an inbox. */
export interface Admin {
  /**
   * Gives the account a plan of the setting `plans`. @throws ServiceError `invalid_request`,
   * `account_not_found`
   */
  plan(account: string, plan: string): Promise<Account>
  /** Pauses sending; queued messages wait. @throws ServiceError `account_not_found` */
  pause(account: string): Promise<Account>
  /**
   * Resumes sending, queued messages first. Earlier bounces and complaints no longer count. @throws
   * ServiceError `account_not_found`
   */
  resume(account: string): Promise<Account>
  /**
   * Closes the account at once: no requests, nothing received or sent. Nothing is lost. @throws ServiceError
   * `account_not_found`
   */
  suspend(account: string): Promise<Account>
  /** Opens a suspended account again. @throws ServiceError `account_not_found` */
  unsuspend(account: string): Promise<Account>
  /**
   * Closes the account permanently and erases its data within the hour. Its addresses stay reserved.
   *
   * @throws ServiceError `account_not_found`, UsageError `home_account`
   */
  erase(account: string): Promise<Account>
  /**
   * Verifies the address of an operator who cannot receive a link, so that they may claim accounts.
   *
   * @throws ServiceError `not_found` if no login has it, `invalid_request` if messages to it arrive here
   */
  verifyOperator(email: string): Promise<{ email: string }>
}

const pageRows = 200

async function setPlan({ settings }: ChangePorts, change: ChangeContext, plan: string): Promise<void> {
  if (Object.hasOwn(settings.plans, plan)) return saveAccount(change, { plan })
  throw refuse(
    'invalid_request',
    `There is no plan ${plan.slice(0, 80)}; there are: ${Object.keys(settings.plans).join(', ')}. The setting plans adds others.`,
  )
}

async function suspend(ports: ChangePorts, change: ChangeContext): Promise<void> {
  if (change.account.suspended_at === null) await saveAccount(change, { suspended_at: change.now })
  ports.knownRecipients.forgetAccount(change.account.tenant_id)
}

async function unsuspend(change: ChangeContext): Promise<void> {
  if (change.account.suspended_at === null) return
  await saveAccount(change, { suspended_at: null })
  await releasePausedJobs(change)
}

/** Calls `tell` with each account, oldest first. */
export async function eachAccount(
  ports: ChangePorts,
  _input: object,
  tell: (one: Account) => void,
): Promise<object> {
  const { db } = ports.store
  for (let after = ''; ; ) {
    const rows = await db
      .selectFrom('accounts')
      .selectAll()
      .where('tenant_id', '>', after)
      .orderBy('tenant_id')
      .limit(pageRows)
      .execute()
    for (const row of rows) tell(accountRecord(ports, row, await selectInboxes(db, row.tenant_id)))
    if (rows.length < pageRows) return {}
    after = rows.at(-1)!.tenant_id
  }
}

/** Creates the commands of the administrator, which no key allows. */
export function createAdmin(ports: ChangePorts & { settings: { domain?: string | undefined } }): Admin {
  async function carryOut(account: string, work: (change: ChangeContext) => Promise<void>): Promise<Account> {
    const tenantId = await findAccountId(ports, account)
    return changeAccount(ports, tenantId, async (change) => {
      await work(change)
      // Open sockets read the log and notice that the account is closed.
      change.wake(logTopic(tenantId))
      return accountRecord(ports, change.account, await selectInboxes(change.tx, tenantId))
    })
  }
  return {
    plan: (account, plan) => carryOut(account, (change) => setPlan(ports, change, plan)),
    pause: (account) => carryOut(account, (change) => pauseSending(ports, change, 'host')),
    resume: (account) => carryOut(account, (change) => resumeSending(ports, change)),
    suspend: (account) => carryOut(account, (change) => suspend(ports, change)),
    unsuspend: (account) => carryOut(account, unsuspend),
    verifyOperator: (email) => verifyOperator(ports, email),
    erase: (account) => carryOut(account, (change) => eraseAccount(ports, change)),
  }
}
