import type { Transaction } from 'kysely'
import { inboxRecord } from '../accounts/account-inboxes'
import { takeAddress } from '../accounts/addresses'
import { openHome, renameHome } from '../accounts/host-account'
import type { AccountPorts } from '../accounts/ports'
import { changeAccount } from '../log/change'
import type { Database } from '../store/tables/schema'

interface Owner {
  tenant_id: string
  inbox_id: string
}

/** Takes the address, unless the inbox already has it. @throws ServiceError `inbox_unavailable` */
async function takeOnce(tx: Transaction<Database>, address: string, owner: Owner): Promise<void> {
  const held = await tx
    .selectFrom('addresses')
    .select('address')
    .where('address', '=', address)
    .where('inbox_id', '=', owner.inbox_id)
    .executeTakeFirst()
  if (!held) await takeAddress(tx, address, owner)
}

/**
 * Gives the home inbox an address at the domain of the service, if `domain` has changed. The inbox still
 * receives messages to its old address.
 *
 * @throws ServiceError `inbox_unavailable` if another inbox has that address; nothing is changed then
 */
export async function moveHome(ports: AccountPorts): Promise<void> {
  const home = await openHome(ports)
  const { domain } = ports.settings
  const [localPart, hostname] = home.address.split('@')
  if (hostname === domain) return
  const address = `${localPart}@${domain}`
  await changeAccount(ports, home.tenantId, async (change) => {
    const { tx } = change
    const owner = { tenant_id: home.tenantId, inbox_id: home.inboxId }
    const row = await tx.selectFrom('inboxes').selectAll().where('id', '=', home.inboxId).executeTakeFirst()
    if (!row || row.address === address) return
    await takeOnce(tx, address, owner)
    const seq = change.append('inbox.updated', row.id, inboxRecord({ ...row, address }))
    await tx
      .updateTable('inboxes')
      .set({ address, seq })
      .where('tenant_id', '=', home.tenantId)
      .where('id', '=', row.id)
      .execute()
    await renameHome(tx, address)
  })
}
