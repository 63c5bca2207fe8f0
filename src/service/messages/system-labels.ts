import { awayLabelIds, type SystemLabelId, systemLabelIds } from '../../protocol/records/label-names'
import type { LabelRow } from './records'

/** Returns the initial labels of a message. A message sent by the account is not unread. */
export function labelsOfNew({
  direction,
  spam = false,
  seen = false,
}: {
  direction: 'inbound' | 'outbound'
  spam?: boolean
  seen?: boolean
}): string {
  const isUnread = direction === 'inbound' && !seen
  return JSON.stringify([...(spam ? ['spam'] : []), ...(isUnread ? ['unread'] : [])])
}

/** Returns whether a thread has spam or messages in the trash. */
export const hasAway = ({ label_ids }: { label_ids: string }): boolean =>
  awayLabelIds.some((id) => label_ids.includes(`"${id}"`))

/**
 * Returns whether a label is stored in messages only: it has no separate rows, and threads do not repeat it.
 * Inbound messages arrive with this label, so it must cost nothing.
 */
export const isOfMessagesOnly = (id: string): id is 'unread' => id === ('unread' satisfies SystemLabelId)

/** Returns the labels that threads have too. */
export const threadLabelsOf = (ids: readonly string[]): string[] => ids.filter((id) => !isOfMessagesOnly(id))

/** Returns the labels of the service in the form of rows. */
export const systemLabelRows = (tenant_id: string, created_at: string): LabelRow[] =>
  systemLabelIds.map((id) => ({ tenant_id, id, name: id, folded: id, created_at, seq: 0 }))
