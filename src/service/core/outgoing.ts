import { type ComposeAttachment, composeMail } from '../../mail/compose'
import { makeMessageId, referencesForReply } from '../../mail/message-id'
import { withoutTrace } from '../../mail/trace'
import type { CustomHeaders } from '../../protocol/custom-headers'
import type { SendResult } from '../../protocol/message'
import { MessageAdder, type NewMessage } from './add-message'
import { type Change, changeAccount } from './change'
import type { Core } from './context'
import { insertDeliveries } from './deliveries'
import { signMail } from './dkim-sign'
import { randomDigitsOf } from './ids'
import { loopMark, requireThreadBudget } from './loop-guard'
import { type Original, storeOriginal } from './originals'
import type { Recipients } from './recipients'
import type { InboxRow, MessageRow, ThreadRow } from './records'
import { notFound, refuse } from './refuse'
import { sha256 } from './secrets'
import { admitSend } from './send-check'
import { senderOf } from './sender'
import { findReplay, recordSend, type SendAnswer, type SendClaim } from './sends'
import { hasSpam, markedSpam } from './spam-label'
import { findThread } from './threads'

/** The largest mail that is sent, and so the most that may go along with one. */
export const largestMail = 25 * 1024 * 1024

/** A mail that is ready to be written down and sent. */
export interface Outgoing {
  inbox: InboxRow
  recipients: Recipients
  subject: string
  parent?: MessageRow | undefined
  expectLast?: string | undefined
  /** Runs in the transaction before anything is changed: throws, or answers what was done before. */
  guard?(change: Change): Promise<SendResult | null>
  /** Runs in the transaction once the message is in it. */
  settle?(change: Change, sent: SendResult): Promise<void>
}

/** What a mail says. */
export interface OutgoingContent {
  text?: string | undefined
  html?: string | undefined
  files: ComposeAttachment[]
  headers?: CustomHeaders | undefined
}

/** A mail as it leaves and as it is stored. */
export interface Composed {
  /** The envelope sender. */
  mailFrom: string
  raw: Uint8Array
  mail: NewMessage['mail']
  original: Original
}

/**
 * Writes the mail down and signs it, once: what is stored, what is sent and what is sent again are the same bytes,
 * read like any mail that comes in.
 *
 * @throws ServiceError `domain_not_verified`, `message_too_large`
 */
export async function composeOutgoing(
  core: Core,
  { inbox, recipients, subject, parent }: Outgoing,
  { text, html, files, headers = {} }: OutgoingContent,
): Promise<Composed> {
  const domain = inbox.address.split('@')[1]!
  const references =
    parent &&
    referencesForReply({
      rfc822MessageId: parent.rfc822_message_id,
      references: JSON.parse(parent.reference_ids),
    })
  const { mailFrom, signer } = await senderOf(core, inbox)
  const unsigned = await composeMail({
    from: { address: inbox.address, name: inbox.name },
    to: recipients.to,
    cc: recipients.cc,
    subject,
    text,
    html,
    messageId: makeMessageId(randomDigitsOf(24), domain),
    date: new Date(core.clock.now()),
    inReplyTo: parent?.rfc822_message_id ?? undefined,
    references,
    headers: [loopMark(parent), ...Object.entries(headers).map(([name, value]) => ({ name, value }))],
    attachments: files,
  })
  requireSize(unsigned.byteLength)
  const raw = signer ? await signMail(unsigned, signer, core.clock.now()) : unsigned
  return { raw, mailFrom, mail: await core.parser.parse(raw), original: await storeOriginal(core, raw) }
}

/** @throws ServiceError `message_too_large` */
export function requireSize(bytes: number): void {
  if (bytes <= largestMail) return
  throw refuse(
    'message_too_large',
    `The mail is ${bytes} bytes; ${largestMail} are the most: send a link instead of the file.`,
  )
}

/** The newest message of a thread. Spam moves no thread: else a stranger could keep a reply from being sent. */
async function lastMessageIn({ tx }: Change, thread: ThreadRow): Promise<string> {
  if (!hasSpam(thread)) return thread.last_message_id
  const last = await tx
    .selectFrom('messages')
    .select('id')
    .where('tenant_id', '=', thread.tenant_id)
    .where('thread_id', '=', thread.id)
    .where((where) => where.not(markedSpam('messages')))
    .orderBy('created_seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  return last?.id ?? thread.last_message_id
}

async function requireUnmoved(change: Change, { parent, expectLast }: Outgoing) {
  if (!parent) return undefined
  const thread = await findThread(change.tx, change.account.tenant_id, parent.thread_id)
  if (!thread) throw notFound('thread', parent.thread_id)
  if (expectLast === undefined || thread.last_message_id === expectLast) return thread
  const last_message_id = await lastMessageIn(change, thread)
  if (last_message_id === expectLast) return thread
  throw refuse(
    'thread_moved',
    `The thread has a newer message, ${last_message_id}: read it, then decide anew.`,
    { last_message_id },
  )
}

/** It may have been deleted since the mail was written. */
async function requireInbox({ tx, account }: Change, id: string): Promise<void> {
  const row = await tx
    .selectFrom('inboxes')
    .select('id')
    .where('tenant_id', '=', account.tenant_id)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw notFound('inbox', id)
}

async function addMessage(core: Core, change: Change, outgoing: Outgoing, composed: Composed) {
  const { inbox, recipients } = outgoing
  const { raw, mailFrom, mail, original } = composed
  if (change.account.deleted_inboxes > 0) await requireInbox(change, inbox.id)
  const addresses = [...recipients.to, ...recipients.cc, ...recipients.bcc].map((one) => one.address)
  const thread = await requireUnmoved(change, outgoing)
  if (thread) await requireThreadBudget(change, thread.id)
  await admitSend(core, change, { addresses, threadId: thread?.id })
  const message: NewMessage = {
    inboxId: inbox.id,
    direction: 'outbound',
    mailFrom,
    mail,
    size: raw.byteLength,
    original,
    contentHash: sha256(withoutTrace(raw)),
    bcc: recipients.bcc.map((one) => one.address),
    ...(thread && { thread }),
  }
  const adder = await MessageAdder.load(change, [message])
  const added = adder.add(message, 'message.queued')
  await adder.save()
  await insertDeliveries(core, change, added.id, addresses)
  return added
}

/** Message, jobs and events in one transaction; a send that was carried out before is found first. */
export async function commitSend(
  core: Core,
  outgoing: Outgoing,
  composed: Composed,
  claim: SendClaim | null,
): Promise<SendAnswer> {
  const { tenant_id } = outgoing.inbox
  return changeAccount(core, tenant_id, async (change) => {
    const replayed =
      (claim && (await findReplay(change.tx, tenant_id, claim))) ?? (await outgoing.guard?.(change))
    if (replayed) return replayed
    const { id, threadId } = await addMessage(core, change, outgoing, composed)
    if (claim) await recordSend(change.tx, tenant_id, claim, { messageId: id })
    const message_id = composed.mail.messageId!
    const sent = { id, thread_id: threadId, message_id, relay_message_id: id, idempotent: false }
    await outgoing.settle?.(change, sent)
    return sent
  })
}
