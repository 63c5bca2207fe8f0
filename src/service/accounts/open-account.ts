import type { Insertable, Transaction } from 'kysely'
import { newId } from '../base/ids'
import { now } from '../base/time'
import { insertEvents } from '../log/event-log'
import type { AccountTable } from '../store/tables/account-tables'
import type { Database } from '../store/tables/schema'
import { type InboxRow, inboxRecord } from './account-inboxes'
import { takeAddress } from './addresses'
import type { AccountPorts } from './ports'

/** Creates an account with its first inbox, whose creation is the first event of its log. */
export async function openAccount(
  ports: AccountPorts,
  tx: Transaction<Database>,
  account: Omit<Insertable<AccountTable>, 'tenant_id' | 'created_at' | 'seq'>,
  localPart: string,
): Promise<InboxRow> {
  const created_at = now(ports)
  const inbox: InboxRow = {
    tenant_id: newId('acc', ports.clock.now()),
    id: newId('inb', ports.clock.now()),
    address: `${localPart}@${ports.settings.domain}`,
    name: null,
    client_id: null,
    connection_id: null,
    ...{ automatic_answers: null, treat_as_person: null, treat_as_program: null, hold_after_reply: null },
    ...{ handover_text: null, unattended_after: null, agent: null, time_zone: null },
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
  const id = newId('evt', ports.clock.now())
  await insertEvents(ports, tx, { tenant_id, seq: 0 }, [
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
