import { number, type RowOf, table, text, textOrNull } from './table'

/** One event in the calendar of one message. The state of an event follows from all rows with its `uid`. */
export const invitationVersions = table({
  columns: {
    tenant_id: text,
    message_id: text,
    /** Position among the events of the message. */
    position: number,
    inbox_id: text,
    /** Its UID, or a hash of a long one. */
    uid: text,
    /** `created_seq` of the message: the order of arrival. */
    arrived_seq: number,
    /** 1 if the sender is proven, or the message was sent from here. */
    is_proven: number,
    /** ISO 8601; in UTC, or without a zone for floating times and days. */
    start_at: text,
    /** End of its last occurrence; null if it repeats. */
    end_at: textOrNull,
    /** The event with the proof of its sender, as JSON. */
    version: text,
  },
  key: ['tenant_id', 'message_id', 'position'],
  indexes: {
    invitation_versions_by_uid: '(tenant_id, inbox_id, uid, is_proven, arrived_seq)',
    invitation_versions_by_start: '(tenant_id, start_at)',
  },
  since: '0010-invitations',
})
export type InvitationVersionTable = RowOf<typeof invitationVersions>
