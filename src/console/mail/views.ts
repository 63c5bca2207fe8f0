import type { MessageListOptions } from '../../mailbox'
import type { MessageSummary } from '../../protocol/records'

/** The labels by which the console moves mail out of the way, and back. */
export const systemNames = ['archived', 'trash', 'unread', 'spam'] as const
/** One of {@link systemNames}. */
export type SystemName = (typeof systemNames)[number]

/** What of the mail is listed. */
export interface View {
  id: string
  title: string
  options: Pick<MessageListOptions, 'direction' | 'label' | 'spam'>
  /** Messages with one of these are somewhere else. */
  without: readonly string[]
}

const away = ['archived', 'trash', 'spam']

export const views: readonly View[] = [
  { id: 'inbox', title: 'Inbox', options: { direction: 'inbound' }, without: away },
  { id: 'unread', title: 'Unread', options: { label: 'unread' }, without: ['trash', 'spam'] },
  { id: 'sent', title: 'Sent', options: { direction: 'outbound' }, without: ['trash'] },
  { id: 'archived', title: 'Archived', options: { label: 'archived' }, without: ['trash', 'spam'] },
  { id: 'spam', title: 'Spam', options: { label: 'spam', spam: true }, without: ['trash'] },
  { id: 'trash', title: 'Trash', options: { label: 'trash', spam: true }, without: [] },
  { id: 'all', title: 'All mail', options: {}, without: [] },
]

/** The view of an address: one of the list, or a label of the account. */
export function viewOf(id: string | null): View {
  const found = views.find((view) => view.id === (id ?? 'inbox'))
  if (found) return found
  const label = id!.replace(/^label:/, '')
  return { id: id!, title: label, options: { label }, without: ['trash', 'spam'] }
}

/** Tells whether a message belongs to a view, as far as its record says. */
export function isIn({ options, without }: View, record: MessageSummary): boolean {
  const { direction, label } = options
  if (direction !== undefined && record.direction !== direction) return false
  if (label !== undefined && !record.labels.includes(label)) return false
  return !record.labels.some((name) => without.includes(name))
}
