import type { Insertable, Transaction } from 'kysely'
import type { AccountTable, Database } from '../store/schema'
import { takeAddress } from './addresses'
import { type Core, now } from './context'
import { insertEvents } from './event-log'
import { newId } from './ids'
import { type InboxRow, inboxRecord } from './records'

/** A new account with its first inbox; the creation of the inbox is the first event of its log. */
export async function openAccount(
  core: Core,
  tx: Transaction<Database>,
  account: Omit<Insertable<AccountTable>, 'tenant_id' | 'created_at' | 'seq'>,
  localPart: string,
): Promise<InboxRow> {
  const created_at = now(core)
  const inbox: InboxRow = {
    tenant_id: newId('acc', core.clock.now()),
    id: newId('inb', core.clock.now()),
    address: `${localPart}@${core.settings.domain}`,
    name: null,
    client_id: null,
    created_at,
    seq: 1,
  }
  const { tenant_id } = inbox
  await takeAddress(tx, inbox.address, { tenant_id, inbox_id: inbox.id })
  await tx
    .insertInto('accounts')
    .values({ ...account, tenant_id, created_at })
    .execute()
  await tx.insertInto('inboxes').values(inbox).execute()
  const data = JSON.stringify(inboxRecord(inbox))
  const id = newId('evt', core.clock.now())
  await insertEvents(tx, tenant_id, [
    {
      id,
      type: 'inbox.created',
      seq: 1,
      inbox_id: inbox.id,
      created_at,
      message_id: null,
      thread_id: null,
      data,
    },
  ])
  return inbox
}
