import { requireManaging, requireWholeAccount } from './account'
import { type Change, changeAccount } from './change'
import { dropInboxConsumers } from './consumer-changes'
import type { Core } from './context'
import { erase } from './erase'
import { inboxRowIn } from './inboxes'
import type { Scope } from './keys'

/** Nobody else is ever given the address; mail to it is told that the inbox is gone. */
async function retireAddress({ tx, account, now }: Change, inboxId: string, address: string): Promise<void> {
  await tx
    .updateTable('addresses')
    .set({ retired_at: now })
    .where('address', '=', address)
    .where('inbox_id', '=', inboxId)
    .execute()
  await tx
    .updateTable('accounts')
    .set((row) => ({ deleted_inboxes: row('deleted_inboxes', '+', 1) }))
    .where('tenant_id', '=', account.tenant_id)
    .execute()
}

/**
 * Deletes an inbox and erases its mail; the one event `inbox.deleted` says so. It takes and sends nothing from now
 * on, and keys of it open nothing any more. Where it holds much, its mail goes in steps that follow, the newest
 * first.
 *
 * @throws ServiceError `not_found`, `claim_required`, `insufficient_scope`
 */
export async function deleteInbox(core: Core, scope: Scope, id: string): Promise<undefined> {
  await changeAccount(core, scope.tenantId, async (change) => {
    requireManaging(change.account, change.now)
    const inbox = await inboxRowIn(change.tx, scope, id)
    requireWholeAccount(scope)
    await retireAddress(change, id, inbox.address)
    await change.tx
      .deleteFrom('inboxes')
      .where('tenant_id', '=', change.account.tenant_id)
      .where('id', '=', id)
      .execute()
    await dropInboxConsumers(change, id)
    await erase(core, change, { of: 'inbox', id, after: 0 })
    change.append('inbox.deleted', id, { id })
  })
  core.admissions.forgetInbox(id)
}
