import type { Kysely, Selectable } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Account } from '../../protocol/records/account'
import type { Inbox } from '../../protocol/records/inbox'
import { runPrepared } from '../store/prepared'
import type { AccountTable, InboxTable } from '../store/tables/account-tables'
import type { Database } from '../store/tables/schema'

type Inboxes = Account['inboxes']

export type InboxRow = Selectable<InboxTable>

/** Default for an inbox: maximum answers per hour to one author of messages that programs submit. */
export const defaultAutomaticAnswers = 5

/** Default for an inbox: how long the reply of a person holds its thread. */
export const defaultHoldAfterReply = '24h'

/** Default for an inbox: time until a handed-over thread that nobody opened is reported. */
export const defaultUnattendedAfter = '30m'

/** Default for an inbox: zone of floating times and days. */
export const defaultTimeZone = 'UTC'

/** The patterns of senders that a column of an inbox holds. */
export const patternsOf = (column: string | null): string[] => (column === null ? [] : JSON.parse(column))

export const inboxRecord = (row: InboxRow): Inbox => ({
  id: row.id,
  address: row.address,
  name: row.name,
  automatic_answers_per_hour: row.automatic_answers ?? defaultAutomaticAnswers,
  treat_as_person: patternsOf(row.treat_as_person),
  treat_as_program: patternsOf(row.treat_as_program),
  hold_after_reply: row.hold_after_reply ?? defaultHoldAfterReply,
  handover_text: row.handover_text,
  unattended_after: row.unattended_after ?? defaultUnattendedAfter,
  agent: row.agent ?? 'answers',
  time_zone: row.time_zone ?? defaultTimeZone,
  created_at: row.created_at,
  seq: row.seq,
})

/** Cache of the inboxes of recently used accounts, each with the log position that it is valid for. */
export type InboxLists = LRUCache<string, { seq: number; inboxes: Inboxes }>

const maxInboxes = 20_000

export const createInboxLists = (): InboxLists =>
  new LRUCache({ maxSize: maxInboxes, sizeCalculation: ({ inboxes }) => inboxes.length + 1 })

/** Returns the inboxes of an account, oldest first (specification 2.5). */
export const selectInboxes = (db: Kysely<Database>, tenantId: string): Promise<Inboxes> =>
  runPrepared(db, 'account inboxes', [tenantId], () =>
    db.selectFrom('inboxes').select(['id', 'address']).where('tenant_id', '=', tenantId).orderBy('id'),
  )

/** Returns the inboxes of an account. Reads them only if the log has grown: every change has an event. */
export async function inboxesOf(
  { store, inboxLists }: { store: { db: Kysely<Database> }; inboxLists: InboxLists },
  { tenant_id, seq }: Pick<Selectable<AccountTable>, 'tenant_id' | 'seq'>,
): Promise<Inboxes> {
  const known = inboxLists.get(tenant_id)
  if (known?.seq === seq) return known.inboxes
  const inboxes = await selectInboxes(store.db, tenant_id)
  inboxLists.set(tenant_id, { seq, inboxes })
  return inboxes
}
