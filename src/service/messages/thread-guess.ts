import { sql } from 'kysely'
import type { ParsedMail } from '../../mail'
import { baseSubject, headerValue, isReply, sameAddress } from '../../mail/headers'
import { truncated } from '../../mail/text'
import { dayMs, timeOf } from '../base'
import type { ChangeContext } from '../log'
import type { ThreadRow } from './records'

const withinMs = 30 * dayMs
const maxLookedAt = 2_000
/** A sender and the inbox. */
const maxOfTwo = 2
const maxAlike = 100
/** SQLite refuses patterns without end. */
const maxCompared = 200

/** Tells whether an address is among the people of a thread. */
export const isOfThread = ({ participants }: ThreadRow, address: string): boolean =>
  (JSON.parse(participants) as string[]).some((one) => sameAddress(one, address))

/** The senders of the mail that came into threads: who answers one of them belongs to its people. */
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

  /** Takes those of a thread that became part of another. */
  move(from: string, to: string): void {
    for (const address of this.#addresses.get(from) ?? []) this.add(to, address)
  }

  /** Tells whether a message is from one of the people of a thread, or to one who wrote in it. */
  know({ from, to, cc }: ParsedMail, thread: ThreadRow): boolean {
    if (from && isOfThread(thread, from.address)) return true
    return this.areAddressed({ to, cc }, thread)
  }

  /** Tells whether a message is to one who wrote in a thread. */
  areAddressed({ to, cc }: Pick<ParsedMail, 'to' | 'cc'>, thread: ThreadRow): boolean {
    const writers = this.#addresses.get(thread.id)
    return writers !== undefined && [...to, ...cc].some(({ address }) => writers.has(address.toLowerCase()))
  }
}

/** The subject without marks of lists and patches, and prefixes of answers, in whatever order. */
function bareSubject(subject: string): string {
  const bare = baseSubject(subject.slice(0, maxCompared).replace(/^\s*\[[^\]]{0,80}\]\s*/, ''))
  return bare === subject ? bare.toLowerCase() : bareSubject(bare)
}

/** The subject of a talk before it was changed, as in "Beds (was: Rooms)". */
const former = /[([]\s*(?:was|war|era|ex|prev(?:iously)?|fka)\s?:?\s+(.{3,200}?)\s*[)\]]?\s*$/i

function talksOf(subject: string): string[] {
  const before = former.exec(subject.slice(0, maxCompared))
  if (!before) return [bareSubject(subject)]
  return [bareSubject(subject.slice(0, before.index).trimEnd()), bareSubject(before[1]!)]
}

const sharedTalks = ({ subject }: ParsedMail, thread: ThreadRow): string[] =>
  talksOf(subject).filter((talk) => talksOf(thread.subject).includes(talk))

/** Tells whether a message speaks of what a thread speaks of, by their subjects. */
export const isSameTalk = (mail: ParsedMail, thread: ThreadRow): boolean =>
  sharedTalks(mail, thread).length > 0

/** The same, but for subjects that are empty, which say nothing. */
export const isSameSubject = (mail: ParsedMail, thread: ThreadRow): boolean =>
  sharedTalks(mail, thread).some((talk) => talk !== '')

/** The bytes that a Thread-Index begins with in each message of a conversation; each answer adds five. */
const conversationBytes = 22

const threadIndexOf = ({ headers }: Pick<ParsedMail, 'headers'>): Buffer =>
  Buffer.from((headerValue(headers, 'thread-index') ?? '').slice(0, 2000), 'base64')

/** The id that Outlook gives a conversation, as a key beside Message-IDs; null where the mail has none. */
export function conversationOf(mail: Pick<ParsedMail, 'headers'>): string | null {
  const index = threadIndexOf(mail)
  if (index.length < conversationBytes) return null
  return `conversation:${index.subarray(0, conversationBytes).toString('base64')}`
}

/** The subject of a conversation: what Outlook says it is in an answer, else what stands behind the prefixes. */
export const topicOf = (mail: Pick<ParsedMail, 'headers' | 'subject'>): string =>
  baseSubject((answersByIndex(mail) && headerValue(mail.headers, 'thread-topic')) || mail.subject)

/** Tells whether the Thread-Index of a message is that of an answer. */
export const answersByIndex = (mail: Pick<ParsedMail, 'headers'>): boolean =>
  threadIndexOf(mail).length > conversationBytes

/** A message that may belong to a thread. */
interface Guessable {
  direction: 'inbound' | 'outbound'
  inboxId: string
  thread?: ThreadRow
  mail: ParsedMail
}

/** Tells whether a message names another by its id; nobody here may know that id, since relays give messages new ones. */
const namesAnother = ({ references, inReplyTo }: ParsedMail): boolean =>
  references.length > 0 || inReplyTo !== null

/**
 * Tells whether a reply that leads to no thread by its ids may lead to one by its subject or topic. A reply in a list
 * names ids that its list had.
 */
export const needsGuess = ({ direction, thread, mail }: Guessable): boolean =>
  direction === 'inbound' &&
  !thread &&
  (isReply(mail.subject) || answersByIndex(mail)) &&
  topicOf(mail) !== '' &&
  (!namesAnother(mail) || mail.list === null)

/**
 * Tells whether a message seems to belong to a thread: same inbox, same subject, and its sender has a part in it. A message that
 * names an id of another says more: it belongs to the thread of its sender and the inbox alone.
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
  // Of several, nobody knows which one it is; and only what left here can have been renamed.
  const [only, ...others] = found
  return only && others.length === 0 && (await hasSent(tx, only)) ? only : undefined
}

/** Tells whether a message was sent here in a thread. */
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
 * The threads that mails seem to belong to which refer to none and whose subject says that they are replies: those of the
 * same inbox with the same subject, in which their sender has a part, of the last 30 days.
 *
 * @param provenOf returns a message without fields that nobody proves
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
