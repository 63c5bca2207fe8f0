import type { ComposeAttachment } from '../../../mail/compose'
import { formatAddress, hasUtf8Local, type MailAddress } from '../../../mail/headers/address'
import { withoutTrace } from '../../../mail/headers/header-bytes'
import { makeMessageId, referencesForReply } from '../../../mail/headers/message-id'
import { quoteHtml, quoteText, type WrittenContent } from '../../../mail/quote'
import type { CustomHeaders } from '../../../protocol/records/custom-headers'
import type { SendResult } from '../../../protocol/records/message'
import { traceparent } from '../../../protocol/trace'
import type { InboxRow } from '../../accounts/account-inboxes'
import { requireScope, type Scope } from '../../accounts/keys'
import { takeStorage } from '../../accounts/storage'
import { randomDigitsOf } from '../../base/ids'
import { loadLater } from '../../base/load-later'
import { notFound, refuse } from '../../base/refuse'
import type { StoredSender } from '../../base/sender'
import { now } from '../../base/time'
import { sha256InTurns } from '../../base/turns'
import { noteDoubleAnswer } from '../../consumers/double-answers'
import { signMail } from '../../domains/dkim-sign'
import { changeAccount } from '../../log/change'
import type { ChangeContext } from '../../log/registry'
import { MessageAdder, type NewMessage, storedBytesOf } from '../../messages/add-message'
import { type Original, storeOriginal } from '../../messages/originals'
import type { MessageRow, ThreadRow } from '../../messages/records'
import { hasAway } from '../../messages/system-labels'
import { findThread } from '../../messages/threads'
import { countAnswer } from '../../messages/unanswerable'
import { notLabelled } from '../../store/prepared'
import { noteHold, requireAgentOn, requireNotHeld } from '../../takeover/holds'
import { holdAfterReply } from '../../takeover/reply-hold'
import { insertDeliveries } from '../delivery/deliveries'
import type { OutboundPorts } from '../delivery/ports'
import { requireSize } from './attached-files'
import { loopMark, requireFewAnswers } from './loop-guard'
import { textOf } from './markdown'
import type { Recipients } from './recipients'
import { admitSend, requireAdmitted } from './send-check'
import { senderOf } from './sender'
import { findReplay, type IdempotencyKey, recordSend, type SendAnswer } from './sends'

const loadCompose = loadLater(() => import('../../../mail/compose'))

/** A message that is ready to be stored and sent. */
export interface Outgoing {
  inbox: InboxRow
  recipients: Recipients
  /** Unusable addresses of a stranger's message, which a reply omits. */
  leftOut?: readonly string[]
  subject: string
  parent?: MessageRow | undefined
  /** Id of the message that it forwards. */
  forwardedId?: string | undefined
  expectLast?: string | undefined
  /** True for an automatic answer, which is limited if a program submitted the parent. */
  isAutomatic?: boolean
  sentBy: StoredSender | null
  /** The operator who approved it as a draft. */
  approvedBy?: StoredSender | null
  /** True if it is the text that an operator prepared for a thread that is handed over. */
  isPrepared?: boolean
  /** True if an agent suggested it, and a person sends it: this holds nothing. */
  isSuggestion?: boolean
  /** Runs in the transaction before any change: throws, or returns an earlier result. */
  guard?(change: ChangeContext): Promise<SendResult | null>
  /** Runs in the transaction once the message is in it. */
  settle?(change: ChangeContext, sent: SendResult): Promise<void>
}

/** Content of a message. */
export interface OutgoingContent {
  text?: string | undefined
  html?: string | undefined
  files: ComposeAttachment[]
  headers?: CustomHeaders | undefined
  replyTo?: MailAddress[] | undefined
}

/** Checks whether a message has any content; an attachment is enough. */
export const saysSomething = (
  { text, html }: { text?: string | null | undefined; html?: string | null | undefined },
  files: number,
): boolean => files > 0 || [text, html].some((body) => body && body.trim() !== '')

/** @throws ServiceError `message_empty` */
export function requireContent(content: Parameters<typeof saysSomething>[0], files: number): void {
  if (saysSomething(content, files)) return
  throw refuse('message_empty', 'The message has no content: give text, html, markdown or attachments.', [
    { field: 'text', problem: 'is empty' },
  ])
}

/**
 * Quotes the answered message below the written text. It needs the scope `read`.
 *
 * @throws ServiceError `insufficient_scope`, `invalid_request`
 */
export async function quotedContent(
  ports: Pick<OutboundPorts, 'parser'>,
  scope: Scope,
  { text, html }: WrittenContent,
  row: MessageRow,
): Promise<{ text: string; html: string }> {
  requireScope(scope, 'read')
  const written = { text: await textOf(ports, { text, html }), html }
  const mail = {
    from: formatAddress({ address: row.from_addr, name: row.from_name }),
    date: row.sent_at ?? row.received_at,
    text: row.body_text,
  }
  return { text: quoteText(written, mail), html: quoteHtml(written, mail) }
}

const addressesOf = ({ to, cc, bcc }: Recipients): string[] =>
  [...to, ...cc, ...bcc].map(({ address }) => address)

/**
 * Checks a message before its HTML or Markdown is converted, so that a refused one costs no conversion. The
 * transaction that stores it repeats all checks.
 *
 * @throws ServiceError those of {@link admitSend}
 */
export async function requireAdmittedBefore(
  ports: OutboundPorts,
  account: ChangeContext['account'],
  { recipients, parent }: Outgoing,
): Promise<void> {
  const check = { tx: ports.store.db, account, now: now(ports) }
  await requireAdmitted(ports, check, { addresses: addressesOf(recipients), threadId: parent?.thread_id })
}

/** A message as sent and stored. */
interface Composed {
  /** Envelope sender. */
  mailFrom: string
  raw: Uint8Array
  mail: NewMessage['mail']
  original: Original
  contentHash: string
  /** Span of the request that sends it. */
  traceparent: string | null
}

const isAsciiId = (id: string): boolean => /^[!-~]*$/.test(id)

/**
 * Composes and signs the message once: the stored, sent and repeated bytes are the same, parsed like a
 * received message.
 *
 * @throws ServiceError `domain_not_verified`, `message_too_large`, `invalid_request`
 */
export async function composeOutgoing(
  ports: OutboundPorts,
  { inbox, recipients, subject, parent }: Outgoing,
  { text, html, files, headers = {}, replyTo = [] }: OutgoingContent,
): Promise<Composed> {
  const domain = inbox.address.split('@')[1]!
  const references =
    parent &&
    referencesForReply({
      rfc822MessageId: parent.rfc822_message_id,
      references: JSON.parse(parent.reference_ids),
    })
  const { mailFrom, signer } = await senderOf(ports, inbox)
  const written = [inbox.address, ...addressesOf(recipients)]
  // A relay without SMTPUTF8 accepts only ASCII headers: a stranger's id must not block the reply.
  const isWritable = (id: string) => isAsciiId(id) || written.some(hasUtf8Local)
  const { composeMail } = await loadCompose()
  const unsigned = await composeMail({
    from: { address: inbox.address, name: inbox.name },
    to: recipients.to,
    cc: recipients.cc,
    replyTo,
    subject,
    text: await textOf(ports, { text, html }),
    html,
    messageId: makeMessageId(randomDigitsOf(24), domain),
    date: new Date(ports.clock.now()),
    inReplyTo: [parent?.rfc822_message_id ?? ''].find(isWritable) || undefined,
    references: references?.filter(isWritable),
    headers: [loopMark(parent), ...Object.entries(headers).map(([name, value]) => ({ name, value }))],
    attachments: files,
  })
  requireSize(unsigned.byteLength)
  const raw = signer ? await signMail(unsigned, signer, ports.clock.now()) : unsigned
  const [mail, original] = [await ports.parser.parse(raw), await storeOriginal(ports, raw)]
  const contentHash = await sha256InTurns(withoutTrace(raw))
  return { raw, mailFrom, mail, original, contentHash, traceparent: traceparent() }
}

/**
 * Returns the newest message of a thread, without spam and trash: spam must not keep a reply from being sent.
 */
async function lastMessageIn({ tx }: ChangeContext, thread: ThreadRow): Promise<string> {
  if (!hasAway(thread)) return thread.last_message_id
  const last = await tx
    .selectFrom('messages')
    .select('id')
    .where('tenant_id', '=', thread.tenant_id)
    .where('thread_id', '=', thread.id)
    .where((where) => where.and(notLabelled('messages')))
    .orderBy('created_seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  return last?.id ?? thread.last_message_id
}

/** Returns the thread of the answered message. @throws ServiceError `not_found` */
async function threadOf(
  change: ChangeContext,
  { parent }: Pick<Outgoing, 'parent'>,
): Promise<ThreadRow | undefined> {
  if (!parent) return undefined
  const thread = await findThread(change.tx, change.account.tenant_id, parent.thread_id)
  if (!thread) throw notFound('thread', parent.thread_id)
  return thread
}

/** Returns the thread of the forwarded message, whose hold counts for the forward, too. */
async function forwardedThread(
  { tx, account }: ChangeContext,
  { forwardedId }: Pick<Outgoing, 'forwardedId'>,
): Promise<ThreadRow | undefined> {
  if (forwardedId === undefined) return undefined
  const message = await tx
    .selectFrom('messages')
    .select('thread_id')
    .where('tenant_id', '=', account.tenant_id)
    .where('id', '=', forwardedId)
    .executeTakeFirst()
  return message && findThread(tx, account.tenant_id, message.thread_id)
}

/**
 * Returns the thread of the answered message. Only people write in a held thread, or forward from it.
 *
 * @throws ServiceError `thread_moved`, `thread_held`, `not_found`
 */
export async function writableThread(
  change: ChangeContext,
  outgoing: Pick<Outgoing, 'parent' | 'forwardedId' | 'expectLast' | 'sentBy' | 'approvedBy' | 'isPrepared'>,
): Promise<ThreadRow | undefined> {
  const thread = await threadOf(change, outgoing)
  await requireUnmoved(change, thread, outgoing)
  requireNotHeld(thread ?? (await forwardedThread(change, outgoing)), outgoing)
  return thread
}

/** @throws ServiceError `thread_moved` */
async function requireUnmoved(
  change: ChangeContext,
  thread: ThreadRow | undefined,
  { expectLast }: Pick<Outgoing, 'expectLast'>,
): Promise<void> {
  if (!thread || expectLast === undefined || thread.last_message_id === expectLast) return
  const last_message_id = await lastMessageIn(change, thread)
  if (last_message_id === expectLast) return
  throw refuse(
    'thread_moved',
    `The thread has a newer message, ${last_message_id}. Read it, then decide again.`,
    { last_message_id },
  )
}

/** Checks that the inbox was not deleted since the message was composed. */
async function requireInbox({ tx, account }: ChangeContext, id: string): Promise<void> {
  const row = await tx
    .selectFrom('inboxes')
    .select('id')
    .where('tenant_id', '=', account.tenant_id)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw notFound('inbox', id)
}

/** Counts an answer that no person wrote or approved, if a program submitted the answered message. */
async function countAutomatic(
  change: ChangeContext,
  { parent, sentBy, approvedBy }: Outgoing,
  id: string,
): Promise<void> {
  if (!parent?.program_author || sentBy?.kind === 'operator' || approvedBy) return
  await countAnswer(change, { inboxId: parent.inbox_id, author: parent.program_author }, id)
}

/** Holds the thread if a person wrote the reply. The draft of an agent holds nothing. */
async function holdForWriter(
  ports: OutboundPorts,
  change: ChangeContext,
  { inbox, parent, sentBy, approvedBy, isSuggestion }: Outgoing,
  thread: ThreadRow,
): Promise<void> {
  if (!parent || approvedBy || isSuggestion || sentBy?.kind !== 'operator') return
  await holdAfterReply(ports, change, inbox, thread, { by: sentBy, atMs: Date.parse(change.now) })
}

async function addMessage(
  ports: OutboundPorts,
  change: ChangeContext,
  outgoing: Outgoing,
  composed: Composed,
) {
  const { inbox, recipients, sentBy, approvedBy = null } = outgoing
  const { raw, mailFrom, mail, original, contentHash, traceparent } = composed
  if (change.account.deleted_inboxes > 0) await requireInbox(change, inbox.id)
  const addresses = addressesOf(recipients)
  requireAgentOn(inbox, outgoing)
  const thread = await writableThread(change, outgoing)
  if (outgoing.parent && outgoing.isAutomatic) await requireFewAnswers(change, outgoing.parent)
  await admitSend(ports, change, { addresses, threadId: thread?.id })
  if (thread && outgoing.parent)
    await noteDoubleAnswer(change, {
      ...{ messageId: outgoing.parent.id, threadId: thread.id },
      ...{ inReplyTo: mail.inReplyTo, sentBy },
    })
  const message: NewMessage = {
    inboxId: inbox.id,
    direction: 'outbound',
    mailFrom,
    mail,
    size: raw.byteLength,
    original,
    contentHash,
    bcc: recipients.bcc.map((one) => one.address),
    traceparent,
    sentBy,
    approvedBy,
    ...(thread && { thread }),
  }
  await takeStorage(ports, change, storedBytesOf(message))
  const adder = await MessageAdder.load(change, [message])
  const added = adder.add(message, 'message.queued')
  // Without an answered message, a subject may have led to it.
  requireNotHeld(adder.thread(added), outgoing)
  await adder.save()
  await insertDeliveries(ports, change, added.id, addresses, inbox.connection_id)
  await countAutomatic(change, outgoing, added.id)
  await holdForWriter(ports, change, outgoing, adder.thread(added))
  if (outgoing.isPrepared) await noteHold(change, adder.thread(added), { text_sent: true })
  return added
}

const leftOutField = ({ leftOut = [] }: Outgoing) => (leftOut.length > 0 ? { left_out: [...leftOut] } : {})

/** Stores message, jobs and events in one transaction; an earlier send with the key is found first. */
export async function commitSend(
  ports: OutboundPorts,
  outgoing: Outgoing,
  composed: Composed,
  idempotencyKey: IdempotencyKey | null,
): Promise<SendAnswer> {
  const { tenant_id } = outgoing.inbox
  return changeAccount(ports, tenant_id, async (change) => {
    const replayed =
      (idempotencyKey && (await findReplay(change.tx, tenant_id, idempotencyKey))) ??
      (await outgoing.guard?.(change))
    if (replayed) return replayed
    const { id, threadId } = await addMessage(ports, change, outgoing, composed)
    if (idempotencyKey) await recordSend(change.tx, tenant_id, idempotencyKey, { messageId: id })
    const message_id = composed.mail.messageId!
    const sent = {
      id,
      thread_id: threadId,
      message_id,
      relay_message_id: id,
      idempotent: false,
      ...leftOutField(outgoing),
    }
    await outgoing.settle?.(change, sent)
    return sent
  })
}
