import { storedColumns } from './mail-tables'
import { count, number, type RowOf, since, table, text, textOf, textOr, textOrNull } from './table'

export const sends = table({
  columns: {
    tenant_id: text,
    client_id: text,
    fingerprint: text,
    message_id: text,
    /** Answer of a replay once the message is erased. */
    thread_id: textOrNull,
    rfc822_message_id: textOrNull,
    /** Draft of a scheduled send; until it is sent, `message_id` is empty. */
    draft_id: textOrNull,
  },
  key: ['tenant_id', 'client_id'],
  indexes: {
    sends_by_message: '(tenant_id, message_id)',
    sends_by_draft: '(tenant_id, draft_id) where draft_id is not null',
  },
})

export const sendCounts = table({
  columns: {
    tenant_id: text,
    /** Day in UTC, as `2026-01-31`. */
    day: text,
    /** Domain of the recipients, in ASCII; empty for all of them. */
    domain: text,
    /** Number of recipients, to which the daily limits apply. */
    sent: count,
    /**
     * Recipients since sending was last resumed, and those that bounced or complained: the basis of the rates.
     */
    rated: count,
    bounced: count,
    complained: count,
  },
  key: ['tenant_id', 'day', 'domain'],
})

export const suppressions = table({
  columns: {
    tenant_id: text,
    id: text,
    /** Address in lower case, its domain in ASCII. */
    address: text,
    reason: textOf<'bounce' | 'complaint' | 'manual'>(),
    /** Text from the remote side. */
    detail: textOrNull,
    created_at: text,
  },
  key: ['tenant_id', 'address'],
  indexes: { suppressions_by_id: '(tenant_id, id)' },
})
export type SuppressionTable = RowOf<typeof suppressions>

export const recipients = table({
  columns: {
    tenant_id: text,
    message_id: text,
    address: text,
    status: text,
    detail: textOrNull,
    /** Why it was not delivered, and whether that is permanent. */
    reason: textOrNull,
    kind: textOrNull,
  },
  key: ['tenant_id', 'message_id', 'address'],
  indexes: { recipients_by_address: '(tenant_id, address)' },
})

export const drafts = table({
  columns: {
    tenant_id: text,
    id: text,
    inbox_id: text,
    status: text,
    to_addrs: text,
    cc_addrs: text,
    bcc_addrs: text,
    subject: text,
    reply_to_message_id: textOrNull,
    thread_id: textOrNull,
    scheduled_at: textOrNull,
    /** The job that sends it at its time; any other is void. */
    job_id: textOrNull,
    sent_message_id: textOrNull,
    error: textOrNull,
    created_at: text,
    updated_at: text,
    /** Position of the event that created it: the stable order of lists. */
    created_seq: number,
    seq: number,
    /** List of messages that had been read when it was written. */
    read_message_ids: textOr('[]'),
    /** Why it waits for a person, in its writer's words. */
    approval_reason: textOrNull,
    /** The key or operator session that wrote all of it; null if several did. */
    author_key_id: textOrNull,
    /** Last writer, or the one who asked to send it, as JSON. */
    sent_by: textOrNull,
    /** The operator who approved its present content, as JSON. */
    approved_by: textOrNull,
    forward_message_id: textOrNull,
    /** 1 if its writer allowed an answer to an automatic message. */
    allow_auto_reply: count,
    /** Additional header fields, as pairs. */
    headers: textOr('[]'),
    /** List of addresses that replies go to. */
    reply_to: textOr('[]'),
    body_text: textOrNull,
    body_html: textOrNull,
    /** 1 if an agent suggests it to people. */
    suggested: since('0006-suggestions', count),
    /** Message that must be the newest of the thread when it is sent; null for any. */
    expect_last_message_id: since('0012-saved-replies', textOrNull),
  },
  key: ['tenant_id', 'id'],
  withRowId: true,
  indexes: {
    drafts_in_order: '(tenant_id, created_seq)',
    drafts_by_thread: { on: '(tenant_id, thread_id, created_seq)', since: '0006-suggestions' },
    drafts_suggested: {
      on: "(tenant_id, thread_id) where suggested = 1 and status = 'draft'",
      since: '0008-assignment-and-audit',
    },
  },
})
export type DraftTable = RowOf<typeof drafts>

export const draftFiles = table({
  columns: {
    tenant_id: text,
    draft_id: text,
    position: number,
    filename: text,
    content_type: text,
    content_id: textOrNull,
    size: number,
    ...storedColumns,
  },
  key: ['tenant_id', 'draft_id', 'position'],
  withRowId: true,
})
export type DraftFileTable = RowOf<typeof draftFiles>

export const transportPolicies = table({
  columns: {
    domain: text,
    /** Id that its owner gave this version. */
    policy_id: text,
    /** JSON. */
    policy: text,
    fetched_at: text,
    expires_at: text,
  },
  key: ['domain'],
})
