import { sql } from 'kysely'
import { sameAddress } from '../../mail/headers/address'
import { headerValue } from '../../mail/headers/header-reader'
import { baseSubject, isReply } from '../../mail/headers/subject'
import type { ParsedMail } from '../../mail/parsed-mail'
import { truncated } from '../../mail/text/safe-text'
import { dayMs, timeOf } from '../base/time'
import type { ChangeContext } from '../log/registry'
import type { ThreadRow } from './records'

const withinMs = 30 * dayMs
const maxLookedAt = 2_000
/** The sender and the inbox. */
const maxOfTwo = 2
const maxAlike = 100
/** SQLite limits the length of patterns. */
const maxCompared = 200

/** Returns whether an address is a participant of a thread. */
export const isOfThread = ({ participants }: ThreadRow, address: string): boolean =>
  (JSON.parse(participants) as string[]).some((one) => sameAddress(one, address))

/** Senders of inbound messages by thread: a message that answers one of them belongs to its people. */
export class Writers {
  readonly #addresses: Map<string, Set<string>>

  private constructor(addresses: Map<string, Set<string>>) {
    this.#addresses = addresses
  }

  static async load({ tx, account }: ChangeContext, threadIds: readonly string[]): Promise<Writers> {
    const writers = new Writers(new Map())
    if (threadIds.length === 0) return writers
    const rows = await tx
      .selectFrom('messages')
      .select(['thread_id', 'from_addr'])
      .distinct()
      .where('tenant_id', '=', account.tenant_id)
      .where('thread_id', 'in', threadIds)
      .where('direction', '=', 'inbound')
      .execute()
    for (const row of rows) writers.add(row.thread_id, row.from_addr)
    return writers
  }

  add(threadId: string, address: string): void {
    const known = this.#addresses.get(threadId) ?? new Set<string>()
    this.#addresses.set(threadId, known.add(address.toLowerCase()))
  }

  /** Moves the senders of a thread that was merged into another. */
  move(from: string, to: string): void {
    for (const address of this.#addresses.get(from) ?? []) this.add(to, address)
  }

  /** Returns whether a message is from a participant of a thread, or addressed to a sender in it. */
  know({ from, to, cc }: ParsedMail, thread: ThreadRow): boolean {
    if (from && isOfThread(thread, from.address)) return true
    return this.areAddressed({ to, cc }, thread)
  }

  /** Returns whether a message is addressed to a sender in a thread. */
  areAddressed({ to, cc }: Pick<ParsedMail, 'to' | 'cc'>, thread: ThreadRow): boolean {
    const writers = this.#addresses.get(thread.id)
    return writers !== undefined && [...to, ...cc].some(({ address }) => writers.has(address.toLowerCase()))
  }
}

/** Removes marks of lists and patches, and reply prefixes, in any order. */
function bareSubject(subject: string): string {
  const bare = baseSubject(subject.slice(0, maxCompared).replace(/^\s*\[[^\]]{0,80}\]\s*/, ''))
  return bare === subject ? bare.toLowerCase() : bareSubject(bare)
}

/** Former subject in a changed one, as in "Beds (was: Rooms)". */
const former = /[([]\s*(?:was|war|era|ex|prev(?:iously)?|fka)\s?:?\s+(.{3,200}?)\s*[)\]]?\s*$/i

function talksOf(subject: string): string[] {
  const before = former.exec(subject.slice(0, maxCompared))
  if (!before) return [bareSubject(subject)]
  return [bareSubject(subject.slice(0, before.index).trimEnd()), bareSubject(before[1]!)]
}

const sharedTalks = ({ subject }: ParsedMail, thread: ThreadRow): string[] =>
  talksOf(subject).filter((talk) => talksOf(thread.subject).includes(talk))

/** Returns whether a message and a thread have the same subject. */
export const isSameTalk = (mail: ParsedMail, thread: ThreadRow): boolean =>
  sharedTalks(mail, thread).length > 0

/** Works as {@link isSameTalk}, but ignores empty subjects. */
export const isSameSubject = (mail: ParsedMail, thread: ThreadRow): boolean =>
  sharedTalks(mail, thread).some((talk) => talk !== '')

/** Length of the part of a Thread-Index that a conversation shares; each answer adds five bytes. */
const conversationBytes = 22

const threadIndexOf = ({ headers }: Pick<ParsedMail, 'headers'>): Buffer =>
  Buffer.from((headerValue(headers, 'thread-index') ?? '').slice(0, 2000), 'base64')

/** Returns Outlook's id of a conversation, as a key beside Message-IDs; null if the message has none. */
export function conversationOf(mail: Pick<ParsedMail, 'headers'>): string | null {
  const index = threadIndexOf(mail)
  if (index.length < conversationBytes) return null
  return `conversation:${index.subarray(0, conversationBytes).toString('base64')}`
}

/** Returns the subject of a conversation: Outlook's in an answer, else the subject without prefixes. */
export const topicOf = (mail: Pick<ParsedMail, 'headers' | 'subject'>): string =>
  baseSubject((answersByIndex(mail) && headerValue(mail.headers, 'thread-topic')) || mail.subject)

/** Returns whether the Thread-Index of a message is that of an answer. */
const answersByIndex = (mail: Pick<ParsedMail, 'headers'>): boolean =>
  threadIndexOf(mail).length > conversationBytes

/** Message that may belong to a thread. */
interface Guessable {
  direction: 'inbound' | 'outbound'
  inboxId: string
  thread?: ThreadRow
  mail: ParsedMail
}

/** Returns whether a message refers to another by id. Relays change ids, so it may be unknown here. */
const namesAnother = ({ references, inReplyTo }: ParsedMail): boolean =>
  references.length > 0 || inReplyTo !== null

/**
 * Returns whether a reply without a thread by its ids may find one by its subject or topic. A reply in a list
 * refers to ids of its list, so it is excluded.
 */
export const needsGuess = ({ direction, thread, mail }: Guessable): boolean =>
  direction === 'inbound' &&
  !thread &&
  (isReply(mail.subject) || answersByIndex(mail)) &&
  topicOf(mail) !== '' &&
  (!namesAnother(mail) || mail.list === null)

/**
 * Returns whether a message seems to belong to a thread: same inbox, same subject, and its sender
 * participates. A message that refers to another by id must be in a thread of only its sender and the inbox.
 */
export function seemsOf({ inboxId, mail }: Guessable, thread: ThreadRow): boolean {
  const from = mail.from?.address
  if (namesAnother(mail) && (JSON.parse(thread.participants) as string[]).length > maxOfTwo) return false
  return (
    thread.inbox_id === inboxId &&
    baseSubject(thread.subject).toLowerCase() === topicOf(mail).toLowerCase() &&
    from !== undefined &&
    isOfThread(thread, from)
  )
}

async function guess(
  { tx, account, now }: ChangeContext,
  message: Guessable,
): Promise<ThreadRow | undefined> {
  const base = topicOf(message.mail)
  const holdsBase = sql<boolean>`lower(subject) like lower(${`%${truncated(base, maxCompared).replace(/[\\%_]/g, '\\$&')}%`}) escape '\\'`
  const rows = await tx
    .selectFrom((query) =>
      query
        .selectFrom('threads')
        .selectAll()
        .where('tenant_id', '=', account.tenant_id)
        .where('inbox_id', '=', message.inboxId)
        .where('last_message_at', '>=', timeOf(Date.parse(now) - withinMs))
        .orderBy('seq', 'desc')
        .limit(maxLookedAt)
        .as('recent'),
    )
    .selectAll()
    .where(holdsBase)
    .orderBy('seq', 'desc')
    .limit(maxAlike)
    .execute()
  const found = rows.filter((row) => seemsOf(message, row))
  if (!namesAnother(message.mail)) return found[0]
  // With several candidates the right one is unknown; and only sent messages can have got a new id.
  const [only, ...others] = found
  return only && others.length === 0 && (await hasSent(tx, only)) ? only : undefined
}

/** Returns whether a thread has a message that was sent here. */
async function hasSent(tx: ChangeContext['tx'], { tenant_id, id }: ThreadRow): Promise<boolean> {
  const sent = await tx
    .selectFrom('messages')
    .select('id')
    .where('tenant_id', '=', tenant_id)
    .where('thread_id', '=', id)
    .where('direction', '=', 'outbound')
    .limit(1)
    .executeTakeFirst()
  return sent !== undefined
}

/**
 * Finds threads for replies without a known reference: in the same inbox, with the same subject, with their
 * sender as a participant, active in the last 30 days.
 *
 * @param provenOf returns a message without its unproven fields
 */
export async function guessThreads<Mail extends Guessable>(
  change: ChangeContext,
  messages: readonly Mail[],
  provenOf: (message: Mail) => Guessable,
): Promise<Map<Mail, ThreadRow>> {
  const found = new Map<Mail, ThreadRow>()
  for (const message of messages) {
    const proven = provenOf(message)
    const thread = needsGuess(proven) ? await guess(change, proven) : undefined
    if (thread) found.set(message, thread)
  }
  return found
}
