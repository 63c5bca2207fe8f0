import { signal } from '@preact/signals'
import type { Inbox } from '../../protocol/records'
import { onSignedOut, readAll } from './ask'

/** Number of unread messages of each inbox of the current account. */
export const unread = signal<ReadonlyMap<string, number>>(new Map())

onSignedOut(() => {
  unread.value = new Map()
})

/** Reads the counts again; if that fails, the known ones stay. */
export async function readUnread(account: string): Promise<void> {
  const inboxes = await readAll<Inbox>('/inboxes?include=unread', 'inboxes', account).catch(() => null)
  if (inboxes) unread.value = new Map(inboxes.map((inbox) => [inbox.id, inbox.unread ?? 0]))
}
