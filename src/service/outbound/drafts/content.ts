import type { ComposeAttachment } from '../../../mail/compose'
import { formatAddress } from '../../../mail/headers/address'
import { parseAddress } from '../../../mail/headers/address-list'
import { forwardSubject, replySubject } from '../../../mail/headers/subject'
import type { DraftChanges } from '../../../protocol/records/draft'
import type { InboxRow } from '../../accounts/account-inboxes'
import { requireScope, type Scope } from '../../accounts/keys'
import { refuse } from '../../base/refuse'
import { messageRow } from '../../messages/messages'
import type { MessageRow } from '../../messages/records'
import type { OutboundPorts } from '../delivery/ports'
import type { DraftRow } from '../submit/draft-records'
import { forwardedContent } from '../submit/forwarded'
import { quotedContent, saysSomething } from '../submit/outgoing'
import {
  countOf,
  type RecipientFields,
  readReplyTo,
  readSomeRecipients,
  replyRecipients,
} from '../submit/recipients'

/** Columns with the content of the message. */
export type DraftContent = Pick<
  DraftRow,
  | 'to_addrs'
  | 'cc_addrs'
  | 'bcc_addrs'
  | 'subject'
  | 'body_text'
  | 'body_html'
  | 'reply_to_message_id'
  | 'forward_message_id'
  | 'thread_id'
  | 'headers'
  | 'reply_to'
>

export const emptyContent: DraftContent = {
  to_addrs: '[]',
  cc_addrs: '[]',
  bcc_addrs: '[]',
  subject: '',
  body_text: null,
  body_html: null,
  reply_to_message_id: null,
  forward_message_id: null,
  thread_id: null,
  headers: '[]',
  reply_to: '[]',
}

/** Checks whether two drafts have the same content and recipients. */
export const isSameContent = (one: DraftContent, other: DraftContent): boolean =>
  (Object.keys(emptyContent) as (keyof DraftContent)[]).every((name) => one[name] === other[name])

/** Returns the recipients of a draft as written. */
export const recipientFieldsOf = (content: DraftContent): RecipientFields => ({
  to: JSON.parse(content.to_addrs),
  cc: JSON.parse(content.cc_addrs),
  bcc: JSON.parse(content.bcc_addrs),
})

/** Reads a message that a field of the request names; null without one. */
async function ownMessage(
  ports: OutboundPorts,
  scope: Scope,
  inboxId: string,
  id: string | null | undefined,
  field: 'reply_to_message_id' | 'forward_message_id',
): Promise<MessageRow | null> {
  if (!id) return null
  const row = await messageRow(ports, scope, id)
  if (row.inbox_id === inboxId) return row
  const does = field === 'reply_to_message_id' ? 'replies to' : 'forwards'
  throw refuse(
    'invalid_request',
    `The message ${id} is in the inbox ${row.inbox_id}, and an inbox ${does} only its own messages. Create the draft there.`,
    [{ field }],
  )
}

/**
 * Reads the message that a draft replies to; null if the request names none.
 *
 * @throws ServiceError `not_found`; `invalid_request` if it is in another inbox
 */
export const repliedTo = (
  ports: OutboundPorts,
  scope: Scope,
  inboxId: string,
  id: string | null | undefined,
): Promise<MessageRow | null> => ownMessage(ports, scope, inboxId, id, 'reply_to_message_id')

/** @throws ServiceError `invalid_request` if a forward would also become a reply */
export function requireNoForward(row: DraftContent, { reply_to_message_id }: DraftChanges): void {
  if (!reply_to_message_id || row.forward_message_id === null) return
  throw refuse(
    'invalid_request',
    `The draft forwards ${row.forward_message_id}, so it cannot reply, too: create another draft.`,
    [{ field: 'reply_to_message_id', problem: 'excludes forward_message_id' }],
  )
}

/** Start of a new draft: a completed request, and files that it does not name. */
interface Filled<Request> {
  request: Request
  /** Content before the request. */
  before: DraftContent
  files: readonly ComposeAttachment[]
}

/**
 * Adds the forwarded message below the written text, with its attachments and subject.
 *
 * @throws ServiceError `not_found`, `insufficient_scope`; `invalid_request` if it is in another inbox
 */
export async function withForwarded<Request extends DraftChanges>(
  ports: OutboundPorts,
  scope: Scope,
  inboxId: string,
  { forward_message_id: id, ...request }: Request & { forward_message_id?: string | undefined },
): Promise<Filled<Omit<Request, 'forward_message_id'>>> {
  const row = await ownMessage(ports, scope, inboxId, id, 'forward_message_id')
  if (!row) return { request, before: emptyContent, files: [] }
  requireScope(scope, 'read')
  const written = { text: request.text ?? undefined, html: request.html ?? undefined }
  const { files, ...bodies } = await forwardedContent(ports, written, row)
  return {
    request: { ...request, ...bodies },
    before: { ...emptyContent, subject: forwardSubject(row.subject), forward_message_id: row.id },
    files,
  }
}

/** Returns the recipients that a reply fills in; messages such as bounces have nobody to reply to. */
function filledIn(
  parent: MessageRow,
  inbox: InboxRow,
  all: boolean,
  written: RecipientFields,
  ours: readonly string[],
): RecipientFields {
  if (parent.direction === 'inbound' && !parseAddress(parent.from_addr)) return written
  const { to, cc } = replyRecipients(parent, inbox.address, all, { cc: [], bcc: [] }, ours)
  const addresses = (list: typeof to) => list.map((one) => one.address)
  return { to: addresses(to), cc: [...new Set([...addresses(cc), ...written.cc])], bcc: written.bcc }
}

function recipientsAfter(
  before: DraftContent,
  changes: DraftChanges,
  parent: MessageRow | null,
  inbox: InboxRow,
  ours: readonly string[],
): RecipientFields {
  const old = recipientFieldsOf(before)
  // The Cc of a draft may come from an earlier reply_all.
  const oldCc = changes.reply_all === false && parent && !changes.to ? [] : old.cc
  const written = { to: changes.to ?? old.to, cc: changes.cc ?? oldCc, bcc: changes.bcc ?? old.bcc }
  if (changes.reply_all && (changes.to || !parent)) {
    const problem = parent ? 'give to, or reply_all, not both' : 'reply_all needs reply_to_message_id'
    throw refuse('invalid_request', `The body is not valid: ${problem}.`, [{ field: 'reply_all', problem }])
  }
  const fields =
    parent && !changes.to ? filledIn(parent, inbox, changes.reply_all ?? false, written, ours) : written
  if (countOf(fields) > 0) readSomeRecipients(fields)
  return fields
}

/**
 * Quotes the answered message below the text of a change, if requested.
 *
 * @throws ServiceError `invalid_request` without text or message, `insufficient_scope`
 */
export async function withQuotation<Changes extends DraftChanges>(
  ports: OutboundPorts,
  scope: Scope,
  changes: Changes,
  parent: MessageRow | null,
): Promise<Changes> {
  if (!changes.quote) return changes
  const { text, html } = changes
  const isWritten = typeof text === 'string' || typeof html === 'string'
  const problem = parent ? 'needs text, html or markdown in the same request' : 'needs reply_to_message_id'
  if (!parent || !isWritten)
    throw refuse('invalid_request', `The body is not valid: quote ${problem}.`, [{ field: 'quote', problem }])
  const written = { text: text ?? undefined, html: html ?? undefined }
  return { ...changes, ...(await quotedContent(ports, scope, written, parent)) }
}

/**
 * Applies a change to the content of a draft. Missing recipients and subject of a reply are filled in, so
 * that the approver sees them.
 *
 * @param parent Message that it replies to, if the change affects that.
 * @param ours Inboxes of the account that are on that message.
 * @throws ServiceError `invalid_request`
 */
export function contentAfter(
  before: DraftContent,
  changes: DraftChanges,
  parent: MessageRow | null,
  inbox: InboxRow,
  ours: readonly string[],
): DraftContent {
  const { to, cc, bcc } = recipientsAfter(before, changes, parent, inbox, ours)
  const replies = changes.reply_to_message_id !== undefined
  const subject = changes.subject ?? before.subject
  return {
    to_addrs: JSON.stringify(to),
    cc_addrs: JSON.stringify(cc),
    bcc_addrs: JSON.stringify(bcc),
    subject:
      subject === '' && parent && changes.subject === undefined ? replySubject(parent.subject) : subject,
    body_text: changes.text === undefined ? before.body_text : changes.text,
    body_html: changes.html === undefined ? before.body_html : changes.html,
    reply_to_message_id: replies ? (parent?.id ?? null) : before.reply_to_message_id,
    forward_message_id: before.forward_message_id,
    thread_id: replies ? (parent?.thread_id ?? null) : before.thread_id,
    reply_to: changes.reply_to
      ? JSON.stringify(readReplyTo(changes.reply_to).map(formatAddress))
      : before.reply_to,
    headers: changes.headers ? JSON.stringify(Object.entries(changes.headers)) : before.headers,
  }
}

/** Lists the fields that a draft lacks to be sent. */
function lackingIn(row: DraftContent, files: number): { field: string; problem: string }[] {
  const lacks: { field: string; problem: string }[] = []
  if (countOf(recipientFieldsOf(row)) === 0)
    lacks.push({ field: 'to', problem: 'has nobody: give at least one address in to, cc or bcc' })
  if (!saysSomething({ text: row.body_text, html: row.body_html }, files))
    lacks.push({ field: 'text', problem: 'is empty: give text, html, markdown or attachments' })
  return lacks
}

/** Checks whether a draft has all that a message needs. */
export const isComplete = (row: DraftContent, files: number): boolean => lackingIn(row, files).length === 0

/**
 * Requires that a draft lacks nothing to be sent. @throws ServiceError `draft_incomplete`, naming each field
 */
export function requireComplete(row: DraftRow, files: number): void {
  const lacks = lackingIn(row, files)
  if (lacks.length === 0) return
  const problems = lacks.map(({ field, problem }) => `${field} ${problem}`).join('; ')
  throw refuse('draft_incomplete', `The draft ${row.id} cannot be sent yet: ${problems}. PATCH it.`, lacks)
}
