import { sameAddress } from '../../mail/address'
import type { ParsedMail } from '../../mail/parse'
import type { EventType } from '../../protocol/event'
import { spamLabelId } from '../../protocol/label'
import type { Authentication } from '../../protocol/message'
import { insertPrepared } from '../store/prepared'
import type { Change, EventRecord } from './change'
import { newId } from './ids'
import { type LabelNames, labelNamesOf } from './label-names'
import { storedText } from './message-text'
import type { Original } from './originals'
import {
  type AttachmentRow,
  type NewMessageRow,
  summaryRecord,
  type ThreadRow,
  threadRecord,
} from './records'
import { searchTopic } from './search'
import { ensureSpamLabel, onlySpam } from './spam-label'
import { guessThreads, needsGuess, seemsOf } from './thread-guess'
import { type Threadable, ThreadIndex } from './thread-index'
import { mergedThread, moveThread, oldestOf } from './thread-merge'

/** A mail that is to become a message of an inbox, received or sent. */
export interface NewMessage {
  inboxId: string
  direction: 'inbound' | 'outbound'
  /** The envelope sender (RFC 5321 MAIL FROM). */
  mailFrom: string
  mail: ParsedMail
  size: number
  original: Original
  contentHash: string
  /** Who sent it, as far as that was judged. */
  authentication?: Authentication | null
  bcc?: readonly string[]
  /** The message of this inbox that it reports on. */
  about?: ReportedMessage | undefined
  /** The message of this inbox that it is about if it reports anything, as the address it came to proves. */
  provenAboutId?: string | undefined
  /** It was judged to be spam. */
  spam?: boolean
  /** It came to an address that must always take mail (RFC 5321 section 4.5.1). */
  forOperator?: boolean
  /** The thread it belongs to, where that is known already. */
  thread?: ThreadRow
}

/** A message that was sent, as a report finds it. */
export interface ReportedMessage {
  id: string
  rfc822MessageId: string
}

/** What became of it. */
export interface AddedMessage {
  id: string
  threadId: string
}

const mostParticipants = 100
const addressesOf = (list: readonly { address: string }[]) => list.map((one) => one.address)

/** Every id a mail refers to, the oldest ancestor first (RFC 5322 section 3.6.4). */
function referencesOf({ mail, about }: NewMessage): string[] {
  const ids = [...mail.references]
  if (mail.inReplyTo !== null) ids.push(mail.inReplyTo)
  if (about) ids.push(about.rfc822MessageId)
  return [...new Set(ids)].filter((id) => id !== mail.messageId)
}

export const threadableOf = (message: NewMessage): Threadable => ({
  inboxId: message.inboxId,
  messageId: message.mail.messageId,
  references: referencesOf(message),
})

function messageRowOf(
  change: Change,
  added: NewMessage,
  id: string,
  threadId: string,
  seq: number,
  isNewcomer: boolean,
): NewMessageRow {
  const { mail } = added
  const inbound = added.direction === 'inbound'
  return {
    tenant_id: change.account.tenant_id,
    id,
    inbox_id: added.inboxId,
    thread_id: threadId,
    direction: added.direction,
    from_addr: mail.from?.address ?? added.mailFrom,
    from_name: mail.from?.name ?? null,
    to_addrs: JSON.stringify(addressesOf(mail.to)),
    cc_addrs: JSON.stringify(addressesOf(mail.cc)),
    bcc_addrs: JSON.stringify(added.bcc ?? []),
    reply_to: JSON.stringify(addressesOf(mail.replyTo)),
    subject: mail.subject,
    preview: mail.preview,
    delivery_status: inbound ? 'received' : 'queued',
    delivery_detail: null,
    rfc822_message_id: mail.messageId,
    in_reply_to: mail.inReplyTo,
    reference_ids: JSON.stringify(mail.references),
    auto_submitted: mail.autoSubmitted,
    auto_reason: mail.autoReason,
    authentication: added.authentication ? JSON.stringify(added.authentication) : null,
    new_participant: isNewcomer ? 1 : 0,
    report: reportOf(mail),
    about_message_id: added.about?.id ?? null,
    flaws: JSON.stringify(mail.flaws),
    size: added.size,
    sent_at: inbound ? mail.sentAt : change.now,
    received_at: inbound ? change.now : null,
    created_at: change.now,
    created_seq: seq,
    seq,
    mail_from: added.mailFrom,
    content_hash: added.contentHash,
    reply_text: mail.replyText === mail.text.trimEnd() ? null : mail.replyText,
    body_html: mail.html,
    headers: JSON.stringify(mail.headers),
    label_ids: added.spam ? onlySpam : '[]',
    has_attachment: mail.attachments.length > 0 ? 1 : 0,
    ...added.original,
    ...storedText(mail, added.original),
  }
}

/** What a bounce or a complaint says, as the wire has it. */
function reportOf({ bounce, complaint }: ParsedMail): string | null {
  if (bounce) return JSON.stringify({ kind: 'bounce', type: null, recipients: bounce.recipients })
  if (!complaint) return null
  const told = { action: 'complained', kind: null, status: null, diagnostic: null }
  const recipients = complaint.recipients.map((address) => ({ address, ...told }))
  return JSON.stringify({ kind: 'complaint', type: complaint.type, recipients })
}

const attachmentRows = (row: NewMessageRow, mail: ParsedMail, milliseconds: number): AttachmentRow[] =>
  mail.attachments.map((attachment) => ({
    tenant_id: row.tenant_id,
    id: newId('att', milliseconds),
    message_id: row.id,
    position: attachment.index,
    filename: attachment.filename,
    content_type: attachment.contentType,
    size: attachment.size,
    inline: attachment.inline ? 1 : 0,
    content_id: attachment.contentId,
  }))

/** Whether a mail comes from somebody who had no part in the thread that it belongs to. */
function isNewcomer(thread: ThreadRow | undefined, { direction, mail }: NewMessage): boolean {
  if (!thread || direction !== 'inbound' || !mail.from) return false
  const { address } = mail.from
  return !(JSON.parse(thread.participants) as string[]).some((one) => sameAddress(one, address))
}

const grownLabels = (labelIds: string, { spam }: NewMessage): string =>
  spam ? JSON.stringify([...new Set([...JSON.parse(labelIds), spamLabelId])].sort()) : labelIds

/** The thread as it is once the message has arrived. */
function grownThread(
  change: Change,
  thread: ThreadRow | undefined,
  added: NewMessage,
  id: string,
): ThreadRow {
  const { mail } = added
  const present = addressesOf([...(mail.from ? [mail.from] : []), ...mail.to, ...mail.cc])
  const before = thread ? (JSON.parse(thread.participants) as string[]) : []
  return {
    tenant_id: change.account.tenant_id,
    id: thread?.id ?? newId('thr', Date.parse(change.now)),
    inbox_id: added.inboxId,
    subject: thread?.subject ?? mail.subject,
    participants: JSON.stringify([...new Set([...before, ...present])].slice(0, mostParticipants)),
    message_count: (thread?.message_count ?? 0) + 1,
    last_message_id: id,
    last_message_at: change.now,
    preview: mail.preview,
    label_ids: grownLabels(thread?.label_ids ?? '[]', added),
    created_at: thread?.created_at ?? change.now,
    seq: 0,
  }
}

/**
 * Adds messages to an account, in order: each finds or begins its thread, and the log says so. The thread's
 * event comes before the message's, so that whoever is woken by the message finds its thread up to date.
 */
export class MessageAdder {
  readonly #change: Change
  readonly #threads: ThreadIndex
  readonly #labels: LabelNames
  readonly #messages: NewMessageRow[] = []
  readonly #attachments: AttachmentRow[] = []
  /** The threads of mails that refer to none. */
  readonly #guesses: ReadonlyMap<NewMessage, ThreadRow>
  readonly #moves: { from: string; to: string }[] = []

  private constructor(
    change: Change,
    threads: ThreadIndex,
    labels: LabelNames,
    guesses: ReadonlyMap<NewMessage, ThreadRow>,
  ) {
    this.#change = change
    this.#threads = threads
    this.#labels = labels
    this.#guesses = guesses
  }

  static async load(change: Change, messages: readonly NewMessage[]): Promise<MessageAdder> {
    const threads = await ThreadIndex.load(change.tx, change.account.tenant_id, messages.map(threadableOf))
    const guesses = await guessThreads(change, messages)
    const given = messages.flatMap((one) => one.thread ?? guesses.get(one) ?? [])
    for (const thread of given) threads.know(thread)
    const hasSpam = messages.some((one) => one.spam)
    if (hasSpam) await ensureSpamLabel(change)
    const labelled = hasSpam ? [...threads.known, { label_ids: onlySpam }] : threads.known
    const labels = await labelNamesOf(change.tx, change.account.tenant_id, labelled)
    return new MessageAdder(change, threads, labels, guesses)
  }

  /** The message of this inbox that has the same Message-ID already, if any. */
  arrived(message: NewMessage): string | null {
    return this.#threads.arrived(threadableOf(message))
  }

  /** Whether a message that was added here, and is not yet written, is this very mail. */
  justAdded(id: string, { contentHash }: NewMessage): boolean {
    return this.#messages.some((row) => row.id === id && row.content_hash === contentHash)
  }

  add(message: NewMessage, event: EventType): AddedMessage {
    const threadable = threadableOf(message)
    const milliseconds = Date.parse(this.#change.now)
    const id = newId('msg', milliseconds)
    const known = this.#threadOf(message, threadable)
    const thread = grownThread(this.#change, known, message, id)
    thread.seq = this.#change.append('thread.updated', message.inboxId, threadRecord(thread, this.#labels))
    const row = messageRowOf(this.#change, message, id, thread.id, thread.seq + 1, isNewcomer(known, message))
    const attachments = attachmentRows(row, message.mail, milliseconds)
    this.#change.append(
      event,
      message.inboxId,
      summaryRecord({ ...row, reply_text: message.mail.replyText }, attachments, this.#labels),
    )
    this.#threads.place(threadable, thread, id)
    this.#change.wake(searchTopic)
    this.#messages.push(row)
    this.#attachments.push(...attachments)
    return { id, threadId: thread.id }
  }

  /** The thread that a mail belongs to. Where it shows that several are one, they become one. */
  #threadOf(message: NewMessage, threadable: Threadable): ThreadRow | undefined {
    if (message.thread) return this.#threads.current(message.thread.id)
    const found = this.#threads.related(threadable)
    if (found.length === 0) return this.#guessedThread(message)
    const [oldest, ...others] = oldestOf(found)
    return others.reduce<ThreadRow>((kept, other) => this.#merge(kept, other), oldest!)
  }

  /** What mails before it in this batch began or changed is newer than all that was read. */
  #guessedThread(message: NewMessage): ThreadRow | undefined {
    if (!needsGuess(message)) return undefined
    const guessed = this.#guesses.get(message)
    return (
      this.#threads.touched.find((thread) => seemsOf(message, thread)) ??
      (guessed && this.#threads.current(guessed.id))
    )
  }

  #merge(kept: ThreadRow, other: ThreadRow): ThreadRow {
    const merged = mergedThread(kept, other)
    merged.seq = this.#change.append('thread.merged', kept.inbox_id, {
      ...threadRecord(merged, this.#labels),
      merged_id: other.id,
    } as EventRecord)
    this.#threads.absorb(merged, other.id)
    this.#moves.push({ from: other.id, to: merged.id })
    for (const row of this.#messages) if (row.thread_id === other.id) row.thread_id = merged.id
    return merged
  }

  async #saveLabels(): Promise<void> {
    const rows = this.#messages
      .filter((row) => row.label_ids === onlySpam)
      .map(({ tenant_id, id, created_seq }) => ({
        tenant_id,
        label_id: spamLabelId,
        message_id: id,
        created_seq,
      }))
    if (rows.length > 0) await this.#change.tx.insertInto('message_labels').values(rows).execute()
  }

  /** Writes everything that was added. */
  async save(): Promise<void> {
    if (this.#messages.length === 0) return
    const { tx } = this.#change
    await insertPrepared(tx, 'messages', this.#messages, (rows) => tx.insertInto('messages').values(rows))
    await this.#saveLabels()
    if (this.#attachments.length > 0) await tx.insertInto('attachments').values(this.#attachments).execute()
    await this.#threads.save()
    for (const { from, to } of this.#moves) {
      await moveThread(this.#change, from, to)
      this.#change.moveThread(from, to)
    }
  }
}
