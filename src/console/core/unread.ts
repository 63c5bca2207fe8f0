import { signal } from '@preact/signals'
import type { Inbox } from '../../protocol/records'
import { onSignedOut, readAll } from './ask'

/** The number of unread messages of each inbox of the account that is looked at. */
export const unread = signal<ReadonlyMap<string, number>>(new Map())

onSignedOut(() => {
  unread.value = new Map()
})

/** Reads it anew; where that fails, what was known stays. */
export async function readUnread(account: string): Promise<void> {
  const inboxes = await readAll<Inbox>('/inboxes?include=unread', 'inboxes', account).catch(() => null)
  if (inboxes) unread.value = new Map(inboxes.map((inbox) => [inbox.id, inbox.unread ?? 0]))
}
