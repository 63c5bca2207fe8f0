import type { Generated } from 'kysely'
import type { TextStatus } from '../../../protocol/names/text-status'
import type { ThreadStatus } from '../../../protocol/records/thread'
import {
  blobOrNull,
  type Column,
  count,
  number,
  numberOrNull,
  type RowOf,
  since,
  table,
  text,
  textOf,
  textOr,
  textOrNull,
  textOrNullOf,
} from './table'

/** Bytes stored in the row if small, else in the blob store; both null once they are not needed. */
export const storedColumns = { blob_hash: textOrNull, raw: blobOrNull }

const has = (id: string) => `label_ids like '%"${id}"%'`
/** Finds unread messages without scanning read ones, at one index entry for each new message. */
const isUnread = `${has('unread')} and not ${has('spam')} and not ${has('trash')}`

export const threads = table({
  columns: {
    tenant_id: text,
    id: text,
    inbox_id: text,
    subject: text,
    participants: text,
    message_count: number,
    last_message_id: text,
    last_message_created_seq: count,
    last_message_at: text,
    preview: text,
    /** Labels of all its messages, without `unread`. */
    label_ids: text,
    created_at: text,
    seq: number,
    /** Its hold, as JSON; null if nobody holds it. */
    hold: since('0003-holds', textOrNull),
    /** Position of its last release; 0 if it was never held. */
    released_seq: since('0003-holds', count),
    /** Job that ends the typing of operators; null if none of them types. */
    typing_job_id: since('0005-presence', textOrNull),
    /** Who has it, such as `operator:…` or `consumer:support-bot`; null for nobody. */
    assignee: since('0008-assignment-and-audit', textOrNull),
    /** Name of the operator who has it. */
    assignee_name: since('0008-assignment-and-audit', textOrNull),
    status: since('0008-assignment-and-audit', textOr('open') as Column<Generated<ThreadStatus>>),
    snoozed_until: since('0008-assignment-and-audit', textOrNull),
    /** Job that ends its snooze; any other is void. */
    snooze_job_id: since('0008-assignment-and-audit', textOrNull),
    note_count: since('0008-assignment-and-audit', count),
  },
  key: ['tenant_id', 'id'],
  indexes: {
    threads_by_activity: '(tenant_id, seq)',
    threads_by_inbox: '(tenant_id, inbox_id, seq)',
    threads_held: { on: '(tenant_id, seq) where hold is not null', since: '0008-assignment-and-audit' },
    threads_assigned: {
      on: '(tenant_id, assignee, seq) where assignee is not null',
      since: '0008-assignment-and-audit',
    },
    threads_put_off: {
      on: "(tenant_id, status, seq) where status <> 'open'",
      since: '0008-assignment-and-audit',
    },
  },
})
export type ThreadTable = RowOf<typeof threads>

/** A note on a thread. */
export const notes = table({
  columns: {
    tenant_id: text,
    thread_id: text,
    id: text,
    text,
    /** 1 if it stands in prompts. */
    for_agent: count,
    /** Its author, as JSON. */
    author: text,
    created_at: text,
  },
  key: ['tenant_id', 'thread_id', 'id'],
  withRowId: true,
  since: '0008-assignment-and-audit',
})

/** A text that operators use for replies. */
export const savedReplies = table({
  columns: { tenant_id: text, name: text, id: text, text, created_at: text },
  key: ['tenant_id', 'name'],
  withRowId: true,
  since: '0012-saved-replies',
})

/** An operator who reads or writes in a thread now. */
export const presence = table({
  columns: {
    tenant_id: text,
    thread_id: text,
    operator_id: text,
    name: textOrNull,
    state: textOf<'reading' | 'writing'>(),
    since: text,
    /** Time at which it ends without another signal. */
    until: text,
  },
  key: ['tenant_id', 'thread_id', 'operator_id'],
  since: '0005-presence',
})

export const threadKeys = table({
  columns: {
    tenant_id: text,
    inbox_id: text,
    rfc822_message_id: text,
    thread_id: text,
    /** Null while the message was only referred to. */
    message_id: textOrNull,
  },
  key: ['tenant_id', 'inbox_id', 'rfc822_message_id'],
})

/** A further thread that names a message which is not here. */
export const threadMentions = table({
  columns: { tenant_id: text, inbox_id: text, rfc822_message_id: text, thread_id: text },
  key: ['tenant_id', 'inbox_id', 'rfc822_message_id', 'thread_id'],
  indexes: { thread_mentions_by_thread: '(tenant_id, thread_id)' },
})

export const threadAliases = table({
  columns: { tenant_id: text, id: text, thread_id: text },
  key: ['tenant_id', 'id'],
  indexes: { thread_aliases_by_thread: '(tenant_id, thread_id)' },
})

export const messages = table({
  columns: {
    tenant_id: text,
    id: text,
    inbox_id: text,
    thread_id: text,
    direction: text,
    /** Position of the event that created it: the stable order of lists. */
    created_seq: number,
    seq: number,
    created_at: text,
    sent_at: textOrNull,
    received_at: textOrNull,
    from_addr: text,
    from_name: textOrNull,
    to_addrs: text,
    cc_addrs: text,
    bcc_addrs: text,
    reply_to: text,
    mail_from: text,
    subject: text,
    preview: text,
    /** Its label ids; deleted labels are ignored. Only here is `unread` stored. */
    label_ids: text,
    has_attachment: count,
    /** 1 if its sender was new in the thread. */
    new_participant: count,
    delivery_status: text,
    delivery_detail: textOrNull,
    rfc822_message_id: textOrNull,
    in_reply_to: textOrNull,
    reference_ids: text,
    auto_submitted: text,
    auto_reason: textOrNull,
    /** Why a reply must be explicitly requested; null if the message can be answered. */
    unanswerable: textOrNull,
    /** Judgement of its sender, as JSON; null if there is none. */
    authentication: textOrNull,
    /** Content of a bounce or a complaint, as JSON. */
    report: textOrNull,
    /** Message of the same inbox that the report is about. */
    about_message_id: textOrNull,
    flaws: text,
    /** Mailing list that it came through, as JSON. */
    list: textOrNull,
    /** Span that created it (W3C Trace Context); null without an OpenTelemetry SDK. */
    traceparent: textOrNull,
    /** Its sender, as JSON; null if it was received or sent elsewhere. */
    sent_by: textOrNull,
    /** The operator who approved it, as JSON. */
    approved_by: textOrNull,
    /** Program that submitted the words of a person, as JSON. */
    via: textOrNull,
    /**
     * Key of the author of a message that a program submitted, in lower case; null if a person submitted it.
     */
    program_author: textOrNull,
    /** Invitation in it, as JSON; null for none. */
    invitation: since('0010-invitations', textOrNull),
    size: number,
    /** Hash of the message without its trace header fields: the same if a sender repeats it. */
    content_hash: text,
    /** Hash of the original in the blob store; null if it is in the row. */
    blob_hash: textOrNull,
    // Large columns are last: SQLite reads through them to reach later columns.
    /** Offset of the text in `raw`, if it is verbatim there except for line ends. */
    text_start: numberOrNull,
    /** Null if it equals the body text. */
    reply_text: textOrNull,
    headers: text,
    /** Empty if `text_start` gives its place in the original. */
    body_text: text,
    body_html: textOrNull,
    /** The original, if it is small. */
    raw: blobOrNull,
  },
  key: ['tenant_id', 'id'],
  withRowId: true,
  indexes: {
    messages_in_order: '(tenant_id, created_seq)',
    messages_by_thread: '(tenant_id, thread_id, created_seq)',
    messages_by_inbox: '(tenant_id, inbox_id, created_seq)',
    messages_with_attachment: '(tenant_id, created_seq) where has_attachment = 1',
    messages_outbound: "(tenant_id, created_seq) where direction = 'outbound'",
    messages_unanswerable: '(tenant_id, created_seq) where unanswerable is not null',
    messages_by_blob: '(blob_hash) where blob_hash is not null',
    messages_unread: `(tenant_id, created_seq, inbox_id) where ${isUnread}`,
    messages_outbound_by_thread: "(tenant_id, thread_id, created_seq) where direction = 'outbound'",
  },
})
export type MessageTable = RowOf<typeof messages>

/** A message ingested by another way than SMTP, so that a repeat is recognized. */
export const inboundDeliveries = table({
  columns: {
    tenant_id: text,
    inbox_id: text,
    /** Hash of the key and the source's id of the message, or of its content if there was no id. */
    delivery: text,
    content_hash: text,
    message_id: text,
    thread_id: text,
    created_at: text,
  },
  key: ['tenant_id', 'inbox_id', 'delivery'],
  indexes: { inbound_deliveries_by_age: '(created_at)' },
})

/** A signature that arrived, by its hash, so that a replay of its message is recognized. */
export const seenSignatures = table({
  columns: {
    signature: text,
    /** Hash of the signature and the address of a recipient. */
    recipient: text,
    arrived_at: text,
  },
  key: ['signature', 'recipient'],
  indexes: { seen_signatures_by_time: '(arrived_at)' },
})

export const attachments = table({
  columns: {
    tenant_id: text,
    id: text,
    message_id: text,
    /** Position among the attachments of the original, or of the attached message that has it. */
    position: number,
    filename: textOrNull,
    content_type: text,
    size: number,
    inline: number,
    content_id: textOrNull,
    /** SHA-256 of its content; null until its text was read. */
    content_hash: since('0007-attachment-texts', textOrNull),
    /** Attachment that has this file in it; null for the files of the message itself. */
    parent_id: since('0009-text-status', textOrNull),
    /** Result of reading its text; null until it was read. */
    text_status: since('0009-text-status', textOrNullOf<TextStatus>()),
    /** Pages and estimated tokens of its text; null without a text. */
    page_count: since('0009-text-status', numberOrNull),
    text_tokens: since('0009-text-status', numberOrNull),
    /** True for a picture that belongs to the layout. */
    decorative: since('0013-files', count),
  },
  key: ['tenant_id', 'id'],
  indexes: {
    attachments_by_message: '(tenant_id, message_id, position)',
    attachments_by_content: {
      on: '(tenant_id, content_hash) where content_hash is not null',
      since: '0007-attachment-texts',
    },
  },
})
export type AttachmentTable = RowOf<typeof attachments>

/** Text of a file, for all attachments of an account with this content. */
export const attachmentTexts = table({
  columns: {
    tenant_id: text,
    content_hash: text,
    /** The extraction, as JSON. */
    result: text,
  },
  key: ['tenant_id', 'content_hash'],
  withRowId: true,
  since: '0007-attachment-texts',
})

export const labels = table({
  columns: {
    tenant_id: text,
    id: text,
    name: text,
    /** Name in lower case: unique in the account. */
    folded: text,
    created_at: text,
    seq: number,
  },
  key: ['tenant_id', 'id'],
  indexes: { labels_by_name: '(tenant_id, folded)' },
})
export type LabelTable = RowOf<typeof labels>

export const messageLabels = table({
  columns: {
    tenant_id: text,
    label_id: text,
    message_id: text,
    /** `created_seq` of the message, so that those of a label are found in order. */
    created_seq: count,
    /** Time at which it was assigned. */
    assigned_at: textOrNull,
  },
  key: ['tenant_id', 'label_id', 'message_id'],
  indexes: {
    message_labels_by_message: '(tenant_id, message_id)',
    message_labels_in_order: '(tenant_id, label_id, created_seq)',
    message_labels_in_trash: "(assigned_at) where label_id = 'trash'",
  },
})

export const threadLabels = table({
  columns: {
    tenant_id: text,
    thread_id: text,
    label_id: text,
    /** `seq` of the thread. */
    seq: number,
  },
  key: ['tenant_id', 'thread_id', 'label_id'],
  indexes: { thread_labels_in_order: '(tenant_id, label_id, seq)' },
})

export const uploads = table({
  columns: {
    tenant_id: text,
    id: text,
    /** Inbox of the key that uploaded it, if the key is for one only. */
    inbox_id: textOrNull,
    filename: text,
    content_type: text,
    size: number,
    created_at: text,
    expires_at: text,
    ...storedColumns,
  },
  key: ['tenant_id', 'id'],
  withRowId: true,
})
export type UploadTable = RowOf<typeof uploads>
