import { requireManaging, requireWholeAccount } from './account'
import { forgetAdmissions } from './admissions'
import { type Change, changeAccount } from './change'
import type { Core } from './context'
import { eraseEvents } from './erase-events'
import { eraseMessageRows } from './erase-rows'
import { erasedTopic } from './erase-sweep'
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

async function eraseDrafts({ tx, account }: Change, inboxId: string): Promise<void> {
  const drafts = tx
    .selectFrom('drafts')
    .select('id')
    .where('tenant_id', '=', account.tenant_id)
    .where('inbox_id', '=', inboxId)
  await tx
    .deleteFrom('draft_files')
    .where('tenant_id', '=', account.tenant_id)
    .where('draft_id', 'in', drafts)
    .execute()
  for (const table of ['drafts', 'uploads'] as const) {
    await tx
      .deleteFrom(table)
      .where('tenant_id', '=', account.tenant_id)
      .where('inbox_id', '=', inboxId)
      .execute()
  }
}

async function dropInbox({ tx, account }: Change, inboxId: string): Promise<void> {
  for (const table of ['threads', 'thread_keys'] as const) {
    await tx
      .deleteFrom(table)
      .where('tenant_id', '=', account.tenant_id)
      .where('inbox_id', '=', inboxId)
      .execute()
  }
  await tx
    .deleteFrom('inboxes')
    .where('tenant_id', '=', account.tenant_id)
    .where('id', '=', inboxId)
    .execute()
}

/**
 * Deletes an inbox and erases its mail; the one event `inbox.deleted` says so. Keys of this inbox open nothing
 * any more.
 *
 * @throws ServiceError `not_found`, `claim_required`, `insufficient_scope`
 */
export async function deleteInbox(core: Core, scope: Scope, id: string): Promise<undefined> {
  await changeAccount(core, scope.tenantId, async (change) => {
    requireManaging(change.account, change.now)
    const inbox = await inboxRowIn(change.tx, scope, id)
    requireWholeAccount(scope)
    await retireAddress(change, id, inbox.address)
    await eraseMessageRows(change, { inbox_id: id })
    await eraseDrafts(change, id)
    await eraseEvents(change, { inboxId: id })
    await dropInbox(change, id)
    change.append('inbox.deleted', id, { id })
    change.wake(erasedTopic)
  })
  forgetAdmissions(core.admissions, id)
}
