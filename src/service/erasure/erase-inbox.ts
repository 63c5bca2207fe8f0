import { requireManaging, requireWholeAccount } from '../accounts/account'
import { isHome } from '../accounts/host-account'
import type { Scope } from '../accounts/keys'
import { refuse } from '../base/refuse'
import { administrator } from '../base/sender'
import { dropInboxConsumers } from '../consumers/changes'
import { inboxRowIn } from '../inboxes/inboxes'
import { audit } from '../log/audit'
import { changeAccount } from '../log/change'
import type { ChangeContext } from '../log/registry'
import type { MessagePorts } from '../messages/ports'
import { erase } from './erase'

/** Retires the addresses of an inbox: they are never assigned again, and refuse messages as gone. */
async function retireAddresses({ tx, account, now }: ChangeContext, inboxId: string): Promise<void> {
  await tx
    .updateTable('addresses')
    .set({ retired_at: now })
    .where('tenant_id', '=', account.tenant_id)
    .where('inbox_id', '=', inboxId)
    .execute()
  await tx
    .updateTable('accounts')
    .set((row) => ({ deleted_inboxes: row('deleted_inboxes', '+', 1) }))
    .where('tenant_id', '=', account.tenant_id)
    .execute()
}

/** Refuses to delete the last inbox of the home account, which receives messages to postmaster and abuse. */
async function requireOperatorInbox(change: ChangeContext): Promise<void> {
  const { tx, account } = change
  const inboxes = tx.selectFrom('inboxes').select('id').where('tenant_id', '=', account.tenant_id).limit(2)
  if ((await inboxes.execute()).length > 1 || !(await isHome(change))) return
  throw refuse(
    'operator_inbox',
    'This is the last inbox of the account of the service itself, and mail to postmaster and abuse comes to it: create another first.',
  )
}

/**
 * Deletes an inbox and erases its messages; the only event is `inbox.deleted`. From now on it receives and
 * sends nothing, and its keys give no access. The messages of a large inbox are erased in later steps, newest
 * first.
 *
 * @throws ServiceError `not_found`, `claim_required`, `insufficient_scope`, `operator_inbox`
 */
export async function deleteInbox(ports: MessagePorts, scope: Scope, id: string): Promise<undefined> {
  await changeAccount(ports, scope.tenantId, async (change) => {
    requireManaging(change.account, change.now)
    const { address } = await inboxRowIn(change.tx, scope, id)
    requireWholeAccount(scope)
    await requireOperatorInbox(change)
    await retireAddresses(change, id)
    await change.tx
      .deleteFrom('inboxes')
      .where('tenant_id', '=', change.account.tenant_id)
      .where('id', '=', id)
      .execute()
    await dropInboxConsumers(change, id)
    await change.tell('inboxDeleted', { inboxId: id })
    await erase(ports, change, { of: 'inbox', id, after: 0 })
    const by = scope.sender ?? administrator
    await audit(change, { action: 'inbox.erased', by, target: id, details: { address } })
    change.append('inbox.deleted', id, { id })
  })
  ports.knownRecipients.forgetInbox(id)
}
