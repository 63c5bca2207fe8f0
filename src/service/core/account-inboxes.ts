import type { Kysely } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Account } from '../../protocol/account'
import { runPrepared } from '../store/prepared'
import type { Database } from '../store/schema'
import type { AccountStanding } from './account-standing'

type Inboxes = Account['inboxes']

/** The inboxes of accounts that were asked for lately, and as of which position of their logs. */
export type InboxLists = LRUCache<string, { seq: number; inboxes: Inboxes }>

const mostInboxes = 20_000

export const createInboxLists = (): InboxLists =>
  new LRUCache({ maxSize: mostInboxes, sizeCalculation: ({ inboxes }) => inboxes.length + 1 })

/** The inboxes of an account, oldest first (specification 2.5). */
export const selectInboxes = (db: Kysely<Database>, tenantId: string): Promise<Inboxes> =>
  runPrepared(db, 'account inboxes', [tenantId], () =>
    db.selectFrom('inboxes').select(['id', 'address']).where('tenant_id', '=', tenantId).orderBy('id'),
  )

/** The same, asked of the database only where the log has grown since: no inbox changes without an event. */
export async function inboxesOf(
  { store, inboxLists }: { store: { db: Kysely<Database> }; inboxLists: InboxLists },
  { tenant_id, seq }: AccountStanding,
): Promise<Inboxes> {
  const known = inboxLists.get(tenant_id)
  if (known?.seq === seq) return known.inboxes
  const inboxes = await selectInboxes(store.db, tenant_id)
  inboxLists.set(tenant_id, { seq, inboxes })
  return inboxes
}
