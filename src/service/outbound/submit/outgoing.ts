import { type ComposeAttachment, quoteHtml, quoteText, type WrittenContent } from '../../../mail'
import {
  formatAddress,
  hasUtf8Local,
  type MailAddress,
  makeMessageId,
  referencesForReply,
  withoutTrace,
} from '../../../mail/headers'
import type { CustomHeaders, SendResult } from '../../../protocol/records'
import { traceparent } from '../../../protocol/trace'
import { type InboxRow, requireScope, type Scope, takeStorage } from '../../accounts'
import { loadLater, notFound, now, randomDigitsOf, refuse, type StoredSender, sha256 } from '../../base'
import { noteDoubleAnswer } from '../../consumers'
import { signMail } from '../../domains'
import { type ChangeContext, changeAccount } from '../../log'
import {
  countAnswer,
  findThread,
  hasAway,
  MessageAdder,
  type MessageRow,
  type NewMessage,
  type Original,
  storedBytesOf,
  storeOriginal,
  type ThreadRow,
} from '../../messages'
import { notLabelled } from '../../store'
import { insertDeliveries, type OutboundPorts } from '../delivery'
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
  return { raw, mailFrom, mail, original, traceparent: traceparent() }
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

async function requireUnmoved(change: ChangeContext, { parent, expectLast }: Outgoing) {
  if (!parent) return undefined
  const thread = await findThread(change.tx, change.account.tenant_id, parent.thread_id)
  if (!thread) throw notFound('thread', parent.thread_id)
  if (expectLast === undefined || thread.last_message_id === expectLast) return thread
  const last_message_id = await lastMessageIn(change, thread)
  if (last_message_id === expectLast) return thread
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

async function addMessage(
  ports: OutboundPorts,
  change: ChangeContext,
  outgoing: Outgoing,
  composed: Composed,
) {
  const { inbox, recipients, sentBy, approvedBy = null } = outgoing
  const { raw, mailFrom, mail, original, traceparent } = composed
  if (change.account.deleted_inboxes > 0) await requireInbox(change, inbox.id)
  const addresses = addressesOf(recipients)
  const thread = await requireUnmoved(change, outgoing)
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
    contentHash: sha256(withoutTrace(raw)),
    bcc: recipients.bcc.map((one) => one.address),
    traceparent,
    sentBy,
    approvedBy,
    ...(thread && { thread }),
  }
  await takeStorage(ports, change, storedBytesOf(message))
  const adder = await MessageAdder.load(change, [message])
  const added = adder.add(message, 'message.queued')
  await adder.save()
  await insertDeliveries(ports, change, added.id, addresses, inbox.connection_id)
  await countAutomatic(change, outgoing, added.id)
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
