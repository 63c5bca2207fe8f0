import type { Selectable } from 'kysely'
import type { Label } from '../../protocol/records/label'
import { systemLabelOf } from '../../protocol/records/label-names'
import type { AttachmentInfo, Authentication, Message, MessageSummary } from '../../protocol/records/message'
import type { Thread } from '../../protocol/records/thread'
import { type StoredSender, senderFields } from '../base/sender'
import type { Findings } from '../ports'
import { shortReplyText } from '../store/message-text'
import type { AttachmentTable, LabelTable, MessageTable, ThreadTable } from '../store/tables/mail-tables'
import { type LabelNames, labelFields } from './label-names'
import { textRemedies } from './text-remedies'

/** Message without its original. */
export type MessageRow = Omit<Selectable<MessageTable>, 'raw' | 'text_start' | 'has_attachment'>
export type NewMessageRow = Selectable<MessageTable>
export type ThreadRow = Selectable<ThreadTable>
export type AttachmentRow = Selectable<AttachmentTable>
export type LabelRow = Selectable<LabelTable>

/** Columns of a thread that is open: a job that would end its snooze is void. */
export const openStatus = { status: 'open', snoozed_until: null, snooze_job_id: null } as const

/** Maximum number of participants of a thread record. */
export const maxParticipants = 100

/** Columns of a message in lists and events. */
export const summaryColumns = [
  'id', 'inbox_id', 'thread_id', 'direction', 'from_addr', 'from_name', 'to_addrs', 'cc_addrs', 'bcc_addrs',
  'reply_to', 'list', 'subject', 'preview', 'delivery_status', 'delivery_detail', 'rfc822_message_id', 'in_reply_to',
  'reference_ids', 'label_ids', 'auto_submitted', 'auto_reason', 'via', 'invitation', 'unanswerable', 'authentication', 'new_participant', 'flaws', 'size', 'sent_at', 'received_at', 'created_at', 'created_seq', 'seq', 'traceparent', 'sent_by', 'approved_by',
] as const satisfies readonly (keyof MessageRow)[] // biome-ignore format: a list

/** Columns of a full message. */
export const messageColumns = [
  ...summaryColumns, 'tenant_id', 'program_author', 'mail_from', 'blob_hash', 'content_hash', 'reply_text', 'body_text', 'body_html', 'headers', 'report', 'about_message_id',
] as const satisfies readonly (keyof MessageRow)[] // biome-ignore format: a list

export type SummaryRow = Pick<MessageRow, (typeof summaryColumns)[number]> & { reply_text: string }

export const attachmentRecord = (row: AttachmentRow): AttachmentInfo => ({
  id: row.id,
  filename: row.filename,
  content_type: row.content_type,
  size: row.size,
  inline: row.inline === 1,
  content_id: row.content_id,
  decorative: row.decorative === 1,
  text_status: row.text_status ?? 'pending',
  text_message: textRemedies[row.text_status ?? 'pending'],
  ...(row.text_tokens !== null && { page_count: row.page_count ?? 1, text_tokens: row.text_tokens }),
  ...(row.parent_id !== null && { parent_id: row.parent_id }),
})

/** Adds the reply text, which is stored only if it differs from the body text. */
export const withReplyText = <Row extends Pick<MessageRow, 'reply_text' | 'body_text'>>(row: Row) => ({
  ...row,
  reply_text: row.reply_text ?? row.body_text.trimEnd(),
})

/** Reads the verdict on a stored message. */
export const authenticationOf = ({ authentication }: Pick<MessageRow, 'authentication'>) =>
  JSON.parse(authentication ?? 'null') as Authentication | null

/** Converts a message for lists and events. @param names whether to name the sender, or only its kind */
export const summaryRecord = (
  row: SummaryRow,
  attachments: AttachmentRow[],
  labels: LabelNames,
  names: boolean,
): MessageSummary => ({
  id: row.id,
  thread_id: row.thread_id,
  inbox_id: row.inbox_id,
  direction: row.direction,
  from_addr: row.from_addr,
  from_name: row.from_name,
  to_addrs: JSON.parse(row.to_addrs),
  cc_addrs: JSON.parse(row.cc_addrs),
  bcc_addrs: JSON.parse(row.bcc_addrs),
  reply_to: JSON.parse(row.reply_to),
  list: row.list === null ? null : JSON.parse(row.list),
  subject: row.subject,
  preview: row.preview,
  reply_text: shortReplyText(row.reply_text),
  delivery_status: row.delivery_status,
  delivery_detail: row.delivery_detail,
  ...labelFields(row, labels),
  attachments: attachments.map(attachmentRecord),
  rfc822_message_id: row.rfc822_message_id,
  in_reply_to: row.in_reply_to,
  references: JSON.parse(row.reference_ids),
  auto_submitted: row.auto_submitted,
  auto_reason: row.auto_reason,
  via: row.via === null ? null : JSON.parse(row.via),
  invitation: row.invitation === null ? null : JSON.parse(row.invitation),
  unanswerable: row.unanswerable,
  new_participant: row.new_participant === 1,
  authentication: authenticationOf(row),
  flaws: JSON.parse(row.flaws),
  size: row.size,
  sent_at: row.sent_at,
  received_at: row.received_at,
  created_at: row.created_at,
  created_seq: row.created_seq,
  seq: row.seq,
  ...(row.traceparent !== null && { traceparent: row.traceparent }),
  ...(row.direction === 'outbound' && senderFields(row, names)),
})

/** Converts a full message (specification 2.9). */
export const messageRecord = (
  row: MessageRow,
  attachments: AttachmentRow[],
  labels: LabelNames,
  findings: Findings,
  names: boolean,
): Message => ({
  ...summaryRecord(withReplyText(row), attachments, labels, names),
  reply_text: withReplyText(row).reply_text,
  body_text: row.body_text,
  body_html: row.body_html,
  headers: JSON.parse(row.headers),
  report: row.report === null ? null : { ...JSON.parse(row.report), message_id: row.about_message_id },
  ...findings,
})

/** A hold as stored. */
export interface StoredHold {
  by: StoredSender
  reason: string | null
  since: string
  /** ISO 8601; null until it is released. */
  until: string | null
  /** The job that ends it; any other is void. */
  job_id: string | null
  /** The job that reports it unless an operator opens the thread before. */
  watch_job_id?: string | null
  /** True once the agent sent the prepared text. */
  text_sent?: boolean
}

/** Returns the hold of a thread; null if nobody holds it. */
export const holdOf = ({ hold }: Pick<ThreadRow, 'hold'>): StoredHold | null =>
  hold === null ? null : JSON.parse(hold)

/** Returns the hold of a thread in the wire format. */
function holdRecord(row: Pick<ThreadRow, 'hold'>): Thread['hold'] {
  const hold = holdOf(row)
  return hold && { by: hold.by, reason: hold.reason, since: hold.since, until: hold.until }
}

/** Returns the operator or consumer that a thread is assigned to; null for nobody. */
function assigneeOf({
  assignee,
  assignee_name,
}: Pick<ThreadRow, 'assignee' | 'assignee_name'>): StoredSender | null {
  if (assignee === null) return null
  const at = assignee.indexOf(':')
  const id = assignee.slice(at + 1)
  const kind = assignee.slice(0, at) as StoredSender['kind']
  return { kind, id, name: kind === 'consumer' ? id : assignee_name }
}

export const threadRecord = (row: ThreadRow, labels: LabelNames): Thread => ({
  id: row.id,
  inbox_id: row.inbox_id,
  subject: row.subject,
  participants: JSON.parse(row.participants),
  message_count: row.message_count,
  last_message_id: row.last_message_id,
  last_message_created_seq: row.last_message_created_seq,
  last_message_at: row.last_message_at,
  preview: row.preview,
  ...labelFields(row, labels),
  hold: holdRecord(row),
  assignee: assigneeOf(row),
  status: row.status,
  snoozed_until: row.snoozed_until,
  note_count: row.note_count,
  created_at: row.created_at,
  seq: row.seq,
})

export const labelRecord = ({ id, name, created_at, seq }: LabelRow): Label => ({
  id,
  name,
  system: systemLabelOf(id) !== null,
  created_at,
  seq,
})
