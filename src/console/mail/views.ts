import type { MessageListOptions } from '../../mailbox/collections'
import { awayLabelIds } from '../../protocol/records/label-names'
import type { MessageSummary } from '../../protocol/records/message'

/** Selection of messages that can be listed. */
export interface View {
  id: string
  title: string
  options: Pick<MessageListOptions, 'direction' | 'label' | 'without'>
  /** Labels that exclude a message from the view. */
  without: readonly string[]
}

export const views: readonly View[] = [
  {
    id: 'inbox',
    title: 'Inbox',
    options: { direction: 'inbound', without: 'archived' },
    without: ['archived', ...awayLabelIds],
  },
  { id: 'unread', title: 'Unread', options: { label: 'unread' }, without: awayLabelIds },
  { id: 'sent', title: 'Sent', options: { direction: 'outbound' }, without: awayLabelIds },
  { id: 'archived', title: 'Archived', options: { label: 'archived' }, without: awayLabelIds },
  { id: 'spam', title: 'Spam', options: { label: 'spam', without: 'trash' }, without: ['trash'] },
  { id: 'trash', title: 'Trash', options: { label: 'trash' }, without: [] },
  { id: 'all', title: 'All except spam and trash', options: {}, without: awayLabelIds },
]

/** Returns the view of an address: a listed one or a label; the inbox if it is unknown. */
export function viewOf(id: string | null): View {
  if (id?.startsWith('label:')) {
    const label = id.slice('label:'.length)
    return { id, title: label, options: { label }, without: awayLabelIds }
  }
  return views.find((view) => view.id === id) ?? views[0]!
}

/** Returns true if a message belongs to a view, as far as its record shows. */
export function isIn({ options, without }: View, record: MessageSummary): boolean {
  const { direction, label } = options
  if (direction !== undefined && record.direction !== direction) return false
  if (label !== undefined && !record.labels.includes(label)) return false
  return !record.labels.some((name) => without.includes(name))
}
