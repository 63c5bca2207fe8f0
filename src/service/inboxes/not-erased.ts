import { type RawBuilder, sql } from 'kysely'
import type { Caller } from '../accounts'

type OfInbox = 'messages' | 'threads' | 'drafts'

/** Condition that the inbox of a row exists: rows of a deleted inbox may be erased in later steps. */
export const hasInbox = (table: OfInbox) => sql<boolean>`exists (select 1 from inboxes
  where inboxes.tenant_id = ${sql.ref(`${table}.tenant_id`)} and inboxes.id = ${sql.ref(`${table}.inbox_id`)})`

/** Condition that the inbox of a row exists, for lists: trivial if the account never deleted an inbox. */
export const hasInboxIn = (table: OfInbox, { account }: Pick<Caller, 'account'>) =>
  account?.deleted_inboxes === 0 ? sql<boolean>`1 = 1` : hasInbox(table)

/** Condition that the thread of a message exists. */
export const hasThread = sql<boolean>`exists (select 1 from threads
  where threads.tenant_id = messages.tenant_id and threads.id = messages.thread_id)`

/** Conditions that a message exists, for lists: they check its thread only while one is being erased. */
export function isThere(scope: Pick<Caller, 'account'>): RawBuilder<boolean>[] {
  const inInbox = hasInboxIn('messages', scope)
  return scope.account?.erasing_threads === 0 ? [inInbox] : [inInbox, hasThread]
}
