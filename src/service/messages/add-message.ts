import { baseSubject } from '../../mail/headers/subject'
import type { ParsedMail } from '../../mail/parsed-mail'
import { type FieldProof, fieldProof, provenView } from '../../protocol/proven-view'
import type { EventType } from '../../protocol/records/event'
import type { Authentication, MailList, Report, Via } from '../../protocol/records/message'
import { newId } from '../base/ids'
import { type StoredSender, senderColumn } from '../base/sender'
import { type SenderProof, storedAuthentication } from '../base/sender-proof'
import { InvitationIndex } from '../invitations/store'
import type { ChangeContext, EventRecord } from '../log/registry'
import { storedText } from '../store/message-text'
import { insertPrepared } from '../store/prepared'
import { type LabelNames, labelNamesOf } from './label-names'
import type { Original } from './originals'
import {
  type AttachmentRow,
  maxParticipants,
  type NewMessageRow,
  openStatus,
  summaryRecord,
  type ThreadRow,
  threadRecord,
} from './records'
import { labelsOfNew, threadLabelsOf } from './system-labels'
import {
  conversationOf,
  guessThreads,
  isOfThread,
  isSameSubject,
  isSameTalk,
  needsGuess,
  seemsOf,
  topicOf,
  Writers,
} from './thread-guess'
import { type Relation, type Threadable, ThreadIndex } from './thread-index'
import { listKeyOf, mergedThread, moveThread, Newcomers, oldestOf, ThreadLists } from './thread-merge'
import { authorKey, exhaustedAuthors, programAuthorOf, sentIdsNamedBy, unanswerableOf } from './unanswerable'

/** Topic that is published when messages are waiting for the search index. */
export const searchTopic = 'search'

/** Bytes kept of a message that is too large: its header and first text. */
export const maxKeptBytes = 256 * 1024

/** Received or sent message to add to an inbox. */
export interface NewMessage {
  inboxId: string
  direction: 'inbound' | 'outbound'
  /** Envelope sender (RFC 5321 MAIL FROM). */
  mailFrom: string
  mail: ParsedMail
  size: number
  original: Original
  contentHash: string
  /** Verdict on its sender; null or missing if there is none. */
  authentication?: Authentication | null
  /** Domain of From that `authentication` is about. */
  judgedDomain?: string | null
  /** Senders that this proves; set for inbound messages. */
  proof?: SenderProof
  bcc?: readonly string[]
  /** Message of this inbox that it reports on. */
  about?: ReportedMessage | undefined
  /** Message that a report is about, as proven by the signed address that it was sent to. */
  returnPath?: { messageId: string; domainTag: string | null } | undefined
  /** Recipients of that message that the report is trusted about; empty if it proves nothing. */
  believedOf?: readonly string[]
  /** Key by which a repeat is recognized, if it did not arrive by SMTP. */
  delivery?: { id: string; byContent: boolean } | undefined
  /** Whether it reports on a message sent through the server that provably sent this report. */
  ofOwnServer?: boolean
  /** Whether a person answered it elsewhere before it arrived here. */
  answered?: boolean
  /** Whether a person sent it elsewhere: nothing is left to do for it. */
  sentElsewhere?: boolean
  /** Whether it was classified as spam. */
  spam?: boolean
  /** Whether a person read it elsewhere before it arrived here. */
  seen?: boolean
  /** Whether its sender is an inbox of this service that may not send it, or that would answer itself. */
  fromOwn?: boolean
  /** Whether it was sent to an address that must always receive (RFC 5321 section 4.5.1). */
  forOperator?: boolean
  /** Span in which it is created; null or missing without an OpenTelemetry SDK. */
  traceparent?: string | null
  /** Sender here; null or missing if it is inbound, or was sent elsewhere. */
  sentBy?: StoredSender | null
  /** Operator who approved it. */
  approvedBy?: StoredSender | null
  /** Thread of the message, if already known. */
  thread?: ThreadRow
}

/** Returns the bytes of a message that count as storage, as the triggers of the database count them. */
export const storedBytesOf = ({ original, size, mail }: NewMessage): number =>
  original.raw?.byteLength ?? (mail.flaws.includes('too_large') ? Math.min(size, maxKeptBytes) : size)

/** Number of shared unknown ids from which strangers with the same subject count as one conversation. */
const sureNames = 2

/** Sent message that a report is about. */
interface ReportedMessage {
  id: string
  rfc822MessageId: string
}

/** Message that was added. */
export interface AddedMessage {
  id: string
  threadId: string
}

/** Returns a function that tests whether a header field of a message is proven. */
const proofOf = ({ direction, authentication = null }: NewMessage): FieldProof =>
  fieldProof({ direction, authentication })

/** Returns the message with only its proven fields, which determine its thread and the participants. */
function provenMessage(message: NewMessage): NewMessage {
  const isProven = proofOf(message)
  const mail = provenView(message.mail, isProven)
  const isKept = ({ name }: { name: string }) =>
    !/^thread-(?:index|topic)$/i.test(name) || isProven(name.toLowerCase())
  return { ...message, mail: { ...mail, headers: mail.headers.filter(isKept) } }
}

const linkFields = ['message-id', 'in-reply-to', 'references'] as const

/** Returns whether all fields that place a message in a thread are proven. */
function isPlaceProven(message: NewMessage): boolean {
  const { messageId, inReplyTo, references } = message.mail
  const isThere = [messageId !== null, inReplyTo !== null, references.length > 0]
  const isProven = proofOf(message)
  return linkFields.every((name, i) => !isThere[i] || isProven(name))
}

/** Header fields that name the address of a list and its author, besides List-Post and X-Original-From. */
const postFields = ['mailing-list', 'x-beenthere', 'x-mailing-list', 'sender', 'errors-to']
const authorFields = ['x-original-sender', 'reply-to', 'cc']

/**
 * Returns the list that a message came through, in the wire format. An address is left out if an unproven
 * field of a verified message names it. List-Post and X-Original-From stay, and readers ignore them if they
 * are not signed.
 */
function listRecord(message: NewMessage): MailList | null {
  const { list, replyTo, headers } = message.mail
  if (!list) return null
  const isProven = proofOf(message)
  const hasOnlyProven = (names: readonly string[]) =>
    !headers.some(({ name }) => names.includes(name.toLowerCase()) && !isProven(name.toLowerCase()))
  const { id, name, unsubscribe, isFrom } = list
  const post = !isProven('list-post') || hasOnlyProven(postFields) ? list.post : null
  const author = !isProven('x-original-from') || hasOnlyProven(authorFields) ? list.author : null
  return {
    ...{ id, name, post, unsubscribe },
    from_list: isFrom,
    author_addr: author?.address ?? null,
    author_name: author?.name ?? null,
    answers_go_to: isFrom && !author && replyTo.length === 0 ? 'list' : 'sender',
  }
}

const addressesOf = (list: readonly { address: string }[]) => list.map((one) => one.address)

/** Returns all ids that a message refers to, the oldest ancestor first (RFC 5322 section 3.6.4). */
function referencesOf({ mail, about }: NewMessage): string[] {
  const ids = [...mail.references]
  if (mail.inReplyTo !== null) ids.push(mail.inReplyTo)
  if (about) ids.push(about.rfc822MessageId)
  return [...new Set(ids)].filter((id) => id !== mail.messageId)
}

/** Returns the fields that the thread index stores: an unproven reference must not place later messages. */
function learnedOf(message: NewMessage): Threadable {
  return { ...threadableOf(provenMessage(message)), messageId: message.mail.messageId }
}

const threadableOf = (message: NewMessage): Threadable => ({
  inboxId: message.inboxId,
  messageId: message.mail.messageId,
  references: referencesOf(message),
  conversation: message.direction === 'inbound' ? conversationOf(message.mail) : null,
})

/** Returns the columns of a message that depend on its body. */
export const contentColumns = (mail: ParsedMail, original: Original) => ({
  preview: mail.preview,
  auto_submitted: mail.autoSubmitted,
  auto_reason: mail.autoReason,
  reply_text: mail.replyText === mail.text.trimEnd() ? null : mail.replyText,
  body_html: mail.html,
  has_attachment: mail.attachments.some(({ decorative }) => !decorative) ? 1 : 0,
  ...storedText(mail, original),
})

/** Context that decides whether a message may be answered. */
interface AnswerContext {
  /** Message-IDs of messages sent here that messages of programs answer. */
  sentIds: ReadonlySet<string>
  /** Keys of authors that reached the limit of answers per hour. */
  exhausted: ReadonlySet<string>
}

function reasonNotToAnswer(added: NewMessage, { sentIds, exhausted }: AnswerContext, author: string | null) {
  const mail = { ...added.mail, replyTo: provenMessage(added).mail.replyTo }
  const reason = unanswerableOf(mail, added.mailFrom, added.fromOwn === true, sentIds)
  if (reason) return reason
  if (added.answered) return 'answered'
  const isExhausted = author !== null && exhausted.has(authorKey({ inboxId: added.inboxId, author }))
  return isExhausted ? 'mail_loop' : null
}

/** Returns the program that submitted a message, in the wire format. */
function viaRecord({ via }: ParsedMail): Via | null {
  if (!via) return null
  const { program, kind, author } = via
  return { program, kind, author_addr: author?.address || null, author_name: author?.name ?? null }
}

/** Returns the columns of a message about the program that submitted it. */
export const programColumns = (mail: ParsedMail, mailFrom: string, direction: string) => {
  const via = direction === 'inbound' ? viaRecord(mail) : null
  return {
    via: via && JSON.stringify(via),
    program_author: direction === 'inbound' ? programAuthorOf(mail, mailFrom) : null,
  }
}

function messageRowOf(
  change: ChangeContext,
  added: NewMessage,
  id: string,
  threadId: string,
  seq: number,
  isNewcomer: boolean,
  context: AnswerContext,
): NewMessageRow {
  const { mail } = added
  const inbound = added.direction === 'inbound'
  const report = reportOf(added)
  const program = programColumns(mail, added.mailFrom, added.direction)
  // Compared here for every source of messages.
  const authentication = inbound ? storedAuthentication(added, mail, added.mailFrom) : null
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
    list: inbound && mail.list ? JSON.stringify(listRecord(added)) : null,
    subject: mail.subject,
    delivery_status: inbound ? 'received' : added.sentElsewhere ? 'sent' : 'queued',
    delivery_detail: null,
    rfc822_message_id: mail.messageId,
    in_reply_to: mail.inReplyTo,
    reference_ids: JSON.stringify(mail.references),
    authentication: authentication && JSON.stringify(authentication),
    ...program,
    invitation: null,
    unanswerable: inbound ? reasonNotToAnswer(added, context, program.program_author) : null,
    new_participant: isNewcomer ? 1 : 0,
    report: report && JSON.stringify(report),
    about_message_id: added.about?.id ?? null,
    flaws: JSON.stringify(report?.believed === false ? [...mail.flaws, unprovenReport] : mail.flaws),
    size: added.size,
    sent_at: inbound || added.sentElsewhere ? mail.sentAt : change.now,
    received_at: inbound ? change.now : null,
    created_at: change.now,
    created_seq: seq,
    seq,
    mail_from: added.mailFrom,
    content_hash: added.contentHash,
    headers: JSON.stringify(mail.headers),
    label_ids: labelsOfNew(added),
    traceparent: added.traceparent ?? null,
    sent_by: senderColumn(added.sentBy),
    approved_by: senderColumn(added.approvedBy),
    ...added.original,
    ...contentColumns(mail, added.original),
  }
}

/** Flaw of an unproven report. */
const unprovenReport = 'unproven-report'

/** Content of a bounce or a complaint in the wire format, without the message that it is about. */
export type StoredReport = Pick<Report, 'kind' | 'type' | 'recipients' | 'believed'>

/** Returns the report in a message, and whether it is believed; null if it is no report. */
export function reportOf({ mail: { bounce, complaint }, believedOf = [] }: NewMessage): StoredReport | null {
  const believed = believedOf.length > 0
  if (bounce) {
    const recipients = bounce.recipients.map((one) => ({ ...one }))
    return { kind: 'bounce', type: null, recipients, believed }
  }
  if (!complaint) return null
  const outcome = { action: 'complained' as const, kind: null, status: null, diagnostic: null }
  const recipients = complaint.recipients.map((address) => ({ address, ...outcome }))
  return { kind: 'complaint', type: complaint.type, recipients, believed }
}

/** Returns the rows of the attachments of a message. @param parentId the attachment that has them */
export const attachmentRows = (
  row: Pick<NewMessageRow, 'tenant_id' | 'id'>,
  mail: Pick<ParsedMail, 'attachments'>,
  milliseconds: number,
  parentId: string | null = null,
): AttachmentRow[] =>
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
    content_hash: null,
    text_status: null,
    page_count: null,
    text_tokens: null,
    parent_id: parentId,
    decorative: attachment.decorative ? 1 : 0,
  }))

/** Returns whether a message comes from a proven participant of a thread. */
function isParticipant(thread: ThreadRow, { mail: { from, list }, proof }: NewMessage): boolean {
  // A proof of a list in From proves nothing about a person.
  if (!from || !proof?.from || list?.isFrom) return false
  return isOfThread(thread, from.address)
}

/** Returns whether the sender of a message is not a proven participant of its thread before it. */
const isNewcomer = (thread: ThreadRow, message: NewMessage): boolean =>
  message.direction === 'inbound' && message.mail.from !== null && !isParticipant(thread, message)

const existing = (thread: ThreadRow | undefined): ThreadRow[] => (thread ? [thread] : [])

const grownLabels = (labelIds: string, { spam }: NewMessage): string =>
  spam ? JSON.stringify([...new Set([...JSON.parse(labelIds), 'spam'])].sort()) : labelIds

/** Returns the status of a thread with a message: a new one of the other side opens it. */
const statusWith = (
  thread: ThreadRow | undefined,
  { direction, spam }: NewMessage,
): Pick<ThreadRow, 'status' | 'snoozed_until' | 'snooze_job_id'> => {
  if (!thread || (direction === 'inbound' && !spam)) return openStatus
  const { status, snoozed_until, snooze_job_id } = thread
  return { status, snoozed_until, snooze_job_id }
}

/** Returns the thread with the message added. */
function grownThread(
  change: ChangeContext,
  thread: ThreadRow | undefined,
  added: NewMessage,
  id: string,
): ThreadRow {
  const { mail } = added
  const { to, cc } = provenMessage(added).mail
  const present = addressesOf([...(mail.from ? [mail.from] : []), ...to, ...cc])
  const before = thread ? (JSON.parse(thread.participants) as string[]) : []
  return {
    tenant_id: change.account.tenant_id,
    id: thread?.id ?? newId('thr', Date.parse(change.now)),
    inbox_id: added.inboxId,
    subject: thread?.subject ?? mail.subject,
    participants: JSON.stringify([...new Set([...before, ...present])].slice(0, maxParticipants)),
    message_count: (thread?.message_count ?? 0) + 1,
    last_message_id: id,
    // The event of the thread comes before that of the message.
    last_message_created_seq: change.nextSeq + 1,
    last_message_at: change.now,
    preview: mail.preview,
    label_ids: grownLabels(thread?.label_ids ?? '[]', added),
    created_at: thread?.created_at ?? change.now,
    seq: 0,
    hold: thread?.hold ?? null,
    released_seq: thread?.released_seq ?? 0,
    typing_job_id: thread?.typing_job_id ?? null,
    assignee: thread?.assignee ?? null,
    assignee_name: thread?.assignee_name ?? null,
    note_count: thread?.note_count ?? 0,
    ...statusWith(thread, added),
  }
}

/**
 * Adds messages to an account, in order: each finds or begins its thread, with events in the log. The
 * thread's event comes before the message's: a reader woken by the message finds its thread up to date.
 */
export class MessageAdder {
  readonly #change: ChangeContext
  readonly #threads: ThreadIndex
  readonly #labels: LabelNames
  readonly #messages: NewMessageRow[] = []
  readonly #attachments: AttachmentRow[] = []
  /** Threads of messages without references. */
  readonly #guesses: ReadonlyMap<NewMessage, ThreadRow>
  readonly #moves: { from: string; to: string }[] = []
  readonly #newcomers: Newcomers
  readonly #writers: Writers
  readonly #lists: ThreadLists
  readonly #context: AnswerContext
  readonly #invitations: InvitationIndex

  private constructor(
    change: ChangeContext,
    threads: ThreadIndex,
    labels: LabelNames,
    guesses: ReadonlyMap<NewMessage, ThreadRow>,
    newcomers: Newcomers,
    writers: Writers,
    lists: ThreadLists,
    context: AnswerContext,
    invitations: InvitationIndex,
  ) {
    this.#change = change
    this.#invitations = invitations
    this.#context = context
    this.#writers = writers
    this.#lists = lists
    this.#newcomers = newcomers
    this.#threads = threads
    this.#labels = labels
    this.#guesses = guesses
  }

  static async load(change: ChangeContext, messages: readonly NewMessage[]): Promise<MessageAdder> {
    const threads = await ThreadIndex.load(change.tx, change.account.tenant_id, messages.map(threadableOf))
    const unknown = messages.filter((one) => threads.related(threadableOf(one)).length === 0)
    const guesses = await guessThreads(change, unknown, provenMessage)
    const given = messages.flatMap((one) => one.thread ?? guesses.get(one) ?? [])
    for (const thread of given) threads.know(thread)
    const labels = await labelNamesOf(change.tx, change.account.tenant_id, threads.known)
    const related = messages.map((one) => threads.related(threadableOf(one)))
    const idsOf = (relations: Relation[]) => [...new Set(relations.map(({ thread }) => thread.id))]
    const joined = related.filter((found) => found.length > 1).flat()
    const newcomers = await Newcomers.load(change, idsOf(joined))
    const unsure = related.flat().filter(({ isSure }) => !isSure)
    const writers = await Writers.load(change, idsOf(unsure))
    const listed = messages.some((one) => listKeyOf(provenMessage(one).mail) !== null)
    const lists = await ThreadLists.load(change, listed ? idsOf(related.flat()) : [])
    const inbound = messages.filter(({ direction }) => direction === 'inbound')
    const sentIds = await sentIdsNamedBy(
      change.tx,
      change.account.tenant_id,
      inbound.map(({ inboxId }) => inboxId),
      inbound.map(({ mail }) => mail),
    )
    const authors = inbound.flatMap(({ inboxId, mail, mailFrom }) => {
      const author = programAuthorOf(mail, mailFrom)
      return author === null ? [] : { inboxId, author }
    })
    const { tx, account, now } = change
    const exhausted = await exhaustedAuthors(tx, account.tenant_id, authors, Date.parse(now))
    const context = { sentIds, exhausted }
    const inviting = messages.flatMap(({ inboxId, mail: { calendar } }) =>
      calendar ? [{ inboxId, calendar }] : [],
    )
    const invitations = await InvitationIndex.load(change, inviting)
    return new MessageAdder(change, threads, labels, guesses, newcomers, writers, lists, context, invitations)
  }

  /** Returns the present state of a thread that has an added message. */
  thread({ threadId }: AddedMessage): ThreadRow {
    return this.#threads.current(threadId)!
  }

  /** Returns the message of this inbox that already has the same Message-ID, if any. */
  arrived(message: NewMessage): string | null {
    return this.#threads.arrived(threadableOf(message))
  }

  /** Returns the message that was added here but not yet written, if it has the same content. */
  justAdded(id: string, { contentHash }: NewMessage): AddedMessage | null {
    const row = this.#messages.find((one) => one.id === id && one.content_hash === contentHash)
    return row ? { id, threadId: row.thread_id } : null
  }

  add(message: NewMessage, event: EventType): AddedMessage {
    const threadable = threadableOf(message)
    const milliseconds = Date.parse(this.#change.now)
    const id = newId('msg', milliseconds)
    const joined = this.#threadsOf(message, threadable)
    const known = this.#joined(joined)
    const thread = grownThread(this.#change, known, message, id)
    thread.seq = this.#change.append('thread.updated', message.inboxId, threadRecord(thread, this.#labels))
    const isNew = joined.some((one) => isNewcomer(one, message))
    if (isNew && message.proof?.from) this.#newcomers.add(thread.id, message.mail.from!.address)
    const row = messageRowOf(this.#change, message, id, thread.id, thread.seq + 1, isNew, this.#context)
    row.invitation = this.#invitationOf(message, row)
    const list = message.direction === 'inbound' ? listKeyOf(provenMessage(message).mail) : null
    this.#lists.add(thread.id, list)
    if (row.direction === 'inbound') this.#writers.add(thread.id, row.from_addr)
    const attachments = attachmentRows(row, message.mail, milliseconds)
    this.#change.append(
      event,
      message.inboxId,
      summaryRecord({ ...row, reply_text: message.mail.replyText }, attachments, this.#labels, true),
    )
    this.#threads.place(learnedOf(message), thread, id)
    this.#change.wake(searchTopic)
    this.#messages.push(row)
    this.#attachments.push(...attachments)
    return { id, threadId: thread.id }
  }

  /** Adds the events of a message. Returns its invitation as JSON; null for none. */
  #invitationOf({ mail: { calendar, list }, proof }: NewMessage, row: NewMessageRow): string | null {
    if (!calendar) return null
    const { id, inbox_id: inboxId, direction, from_addr: from, created_seq: arrivedSeq } = row
    // A proof of a list in From proves nothing about a person.
    const isProven = direction === 'outbound' || (proof?.from === true && !list?.isFrom)
    const direct = direction === 'outbound' ? ('outbound' as const) : ('inbound' as const)
    const message = { id, inboxId, direction: direct, from, isProven, arrivedSeq, calendar }
    return JSON.stringify(this.#invitations.add(message))
  }

  /** Finds the threads of a message. Several are merged if a participant proves that they are one. */
  #threadsOf(added: NewMessage, threadable: Threadable): ThreadRow[] {
    if (added.thread) return existing(this.#threads.current(added.thread.id))
    const message = provenMessage(added)
    const related = this.#threads.related(threadable)
    const certain = related.filter((one) => one.isSure || this.#isOfSamePeople(one, message, threadable))
    // A person who answers somebody new in a conversation is still part of it.
    const isSent = message.direction === 'outbound'
    const found = certain.length === 0 && isSent ? related.slice(0, 1) : certain
    if (found.length === 0) return existing(this.#guessedThread(message, added))
    const joined = this.#joinedBy(found, message)
    return isPlaceProven(added) ? joined : joined.slice(0, 1)
  }

  /** Merges threads. */
  #joined(threads: readonly ThreadRow[]): ThreadRow | undefined {
    const [oldest, ...others] = oldestOf(threads)
    return oldest && others.reduce<ThreadRow>((kept, other) => this.#merge(kept, other), oldest)
  }

  /** Returns whether a message belongs to a thread with which it shares only ids of unknown messages. */
  #isOfSamePeople({ thread, names }: Relation, message: NewMessage, { references }: Threadable): boolean {
    const { mail } = message
    if (message.direction === 'outbound') return this.#writers.areAddressed(mail, thread)
    const isKnown = this.#writers.know(mail, thread)
    // A reader of a list sees the answers of others there; this many shared ids are no accident of a program.
    const isOfTalk = mail.list !== null || names >= sureNames
    if (references.length > 0) return isKnown || (isOfTalk && isSameTalk(mail, thread))
    return isKnown && baseSubject(thread.subject).toLowerCase() === topicOf(mail).toLowerCase()
  }

  /**
   * Returns the threads that a message joins, among those that it names, since anybody who saw their ids can
   * name them. Any message of a list may join threads of that list, since all readers have them. A message
   * that arrives after its answers joins their threads if they have the same subject.
   */
  #joinedBy(relations: readonly Relation[], message: NewMessage): ThreadRow[] {
    const found = relations.map(({ thread }) => thread)
    if (message.direction === 'outbound' || found.length === 1) return found
    const answering = relations.filter(({ isAnswer }) => isAnswer).map(({ thread }) => thread)
    const entitled = this.#entitledTo(found, message)
    const late = answering.filter((thread) => isSameSubject(message.mail, thread))
    if (late.length === 0) return entitled.length > 0 ? entitled : found.slice(0, 1)
    // In order of arrival, it would have begun in the thread of the message that it answers.
    const answered = found.filter((thread) => !answering.includes(thread)).slice(0, 1)
    const place = answered.filter((thread) => isSameSubject(message.mail, thread))
    return [...new Set([...place, ...entitled, ...late])]
  }

  /** Returns the threads that its sender participates in, or those of its list. */
  #entitledTo(found: readonly ThreadRow[], message: NewMessage): ThreadRow[] {
    const address = message.mail.from?.address ?? ''
    const own = found.filter((one) => isParticipant(one, message) && !this.#newcomers.has(one.id, address))
    if (own.length > 1) return own
    const list = listKeyOf(message.mail)
    const ofList = list === null ? [] : found.filter((one) => this.#lists.has(one.id, list))
    return ofList.length > 1 ? ofList : own
  }

  /** Finds the thread that a message seems to belong to, first among those touched by this batch. */
  #guessedThread(message: NewMessage, added: NewMessage): ThreadRow | undefined {
    if (!needsGuess(message)) return undefined
    const guessed = this.#guesses.get(added)
    // It is not known yet whether a thread of this batch has sent messages.
    const namesNone = message.mail.references.length === 0 && message.mail.inReplyTo === null
    return (
      (namesNone ? this.#threads.touched.find((thread) => seemsOf(message, thread)) : undefined) ??
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
    this.#writers.move(other.id, merged.id)
    this.#lists.move(other.id, merged.id)
    this.#moves.push({ from: other.id, to: merged.id })
    for (const row of this.#messages) if (row.thread_id === other.id) row.thread_id = merged.id
    return merged
  }

  async #saveLabels(): Promise<void> {
    const rows = this.#messages.flatMap(({ tenant_id, id, created_seq, created_at, label_ids }) =>
      threadLabelsOf(JSON.parse(label_ids)).map((label_id) => ({
        ...{ tenant_id, label_id, message_id: id, created_seq, assigned_at: created_at },
      })),
    )
    if (rows.length > 0) await this.#change.tx.insertInto('message_labels').values(rows).execute()
  }

  /** Writes everything that was added. */
  async save(): Promise<void> {
    if (this.#messages.length === 0) return
    const { tx } = this.#change
    await insertPrepared(tx, 'messages', this.#messages, (rows) => tx.insertInto('messages').values(rows))
    await this.#saveLabels()
    if (this.#attachments.length > 0) await tx.insertInto('attachments').values(this.#attachments).execute()
    await this.#invitations.save()
    await this.#threads.save()
    for (const { from, to } of this.#moves) {
      await moveThread(this.#change, from, to)
      this.#change.moveThread(from, to)
    }
  }
}
