import { type RawBuilder, sql } from 'kysely'
import type { Caller } from '../accounts'

type OfInbox = 'messages' | 'threads' | 'drafts'

/** The condition that the inbox of a row is there: what a deleted one held may go in steps that follow. */
export const hasInbox = (table: OfInbox) => sql<boolean>`exists (select 1 from inboxes
  where inboxes.tenant_id = ${sql.ref(`${table}.tenant_id`)} and inboxes.id = ${sql.ref(`${table}.inbox_id`)})`

/**
 * The condition that the inbox of a row is there, for lists: they need not look where the account never deleted an
 * inbox.
 */
export const hasInboxIn = (table: OfInbox, { account }: Pick<Caller, 'account'>) =>
  account?.deleted_inboxes === 0 ? sql<boolean>`1 = 1` : hasInbox(table)

/** The condition that the thread of a message is there. */
export const hasThread = sql<boolean>`exists (select 1 from threads
  where threads.tenant_id = messages.tenant_id and threads.id = messages.thread_id)`

/** The conditions that a message is there, for lists: they look at its thread only while one is being erased. */
export function isThere(scope: Pick<Caller, 'account'>): RawBuilder<boolean>[] {
  const inInbox = hasInboxIn('messages', scope)
  return scope.account?.erasing_threads === 0 ? [inInbox] : [inInbox, hasThread]
}
