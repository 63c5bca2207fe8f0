import { awayLabelIds, type SystemLabelId, systemLabelIds } from '../../protocol/records'
import type { LabelRow } from './records'

/** The labels that a message comes with. What the account sent itself is no news to it. */
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

/** Tells whether a thread has spam or mail in the trash. */
export const hasAway = ({ label_ids }: { label_ids: string }): boolean =>
  awayLabelIds.some((id) => label_ids.includes(`"${id}"`))

/**
 * The labels that are found by the messages alone: no row beside them says who has them, and threads do not repeat
 * them. Each message comes in with one, which must cost nothing.
 */
export const isOfMessagesOnly = (id: string): id is 'unread' => id === ('unread' satisfies SystemLabelId)

/** Those of several labels that threads have too. */
export const threadLabelsOf = (ids: readonly string[]): string[] => ids.filter((id) => !isOfMessagesOnly(id))

/** The labels of the service as the rows that they would have. */
export const systemLabelRows = (tenant_id: string, created_at: string): LabelRow[] =>
  systemLabelIds.map((id) => ({ tenant_id, id, name: id, folded: id, created_at, seq: 0 }))
