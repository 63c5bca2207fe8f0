import type { Kysely, Transaction } from 'kysely'
import { isAddress } from '../../mail/headers/address'
import type { MailHeader } from '../../mail/headers/header-reader'
import type { ParsedMail } from '../../mail/parsed-mail'
import type { UnanswerableReason } from '../../protocol/records/message'
import { maxRecipients } from '../../protocol/records/upload-limit'
import { defaultAutomaticAnswers } from '../accounts/account-inboxes'
import { sha256 } from '../base/secrets'
import { hourMs, timeOf } from '../base/time'
import type { ChangeContext } from '../log/registry'
import type { Database } from '../store/tables/schema'

/**
 * Maximum number of successive messages by agents. A person's mail program does not pass the count on, so
 * each message of a person resets it. Only programs get this far: two that have not finished after ten
 * messages each are in a loop.
 */
const maxHops = 20
const hopsField = 'X-Restante-Hops'
/** Messages of programs, which may answer in turn (RFC 3834 section 2). */
const automatic = new Set(['bounce', 'complaint', 'receipt', 'auto-reply'])

/** Counts successive messages by services like this one; a person's mail program resets the count. */
export function hopsOf(headers: readonly MailHeader[]): number {
  const value = headers.find(({ name }) => name.toLowerCase() === hopsField.toLowerCase())?.value ?? ''
  return /^\d{1,6}$/.test(value) ? Number(value) : 0
}

/** Returns the header that marks a message as written here, with its number in the succession. */
export const hopsMark = (parent: readonly MailHeader[] = []): MailHeader => ({
  name: hopsField,
  value: String(hopsOf(parent) + 1),
})

/**
 * Returns why an agent should not answer an inbound message by itself. A program wrote it, agents are in a
 * loop, the answer would return to its own inbox, or there is no sender.
 *
 * @param isOwn whether its sender is an address of this service or the account that may not send it, or the
 * answer would return
 * @param sentIds Message-IDs of messages sent here: a program's answer to one is an acknowledgement, and
 * would acknowledge an answer in turn. Other notices may be worked on.
 * @returns null if it can be answered
 */
export function unanswerableOf(
  mail: Pick<
    ParsedMail,
    'autoSubmitted' | 'autoReason' | 'headers' | 'from' | 'replyTo' | 'inReplyTo' | 'references' | 'flaws'
  >,
  mailFrom: string,
  isOwn: boolean,
  sentIds: ReadonlySet<string>,
): UnanswerableReason | null {
  // It is unknown who wrote it, and whether a program did.
  if (mail.flaws.includes('unread')) return 'no_sender'
  if (mail.autoSubmitted === 'auto-replied' || automatic.has(mail.autoReason ?? '')) return 'automatic'
  const answersOurs = [...mail.references, mail.inReplyTo ?? ''].some((id) => sentIds.has(id))
  if (mail.autoSubmitted !== 'no' && answersOurs) return 'automatic'
  if (hopsOf(mail.headers) >= maxHops) return 'mail_loop'
  if (isOwn) return 'own_address'
  const sender = mail.from?.address ?? mailFrom
  const named = mail.replyTo.map(({ address }) => address).filter(isAddress)
  const addresses = named.length > 0 ? named : [sender]
  return addresses.length <= maxRecipients && addresses.every(isAddress) ? null : 'no_sender'
}

/** Fields with the ids that a message answers. */
type Answering = Pick<ParsedMail, 'autoSubmitted' | 'inReplyTo' | 'references'>

const maxIds = 500

/** Returns the Message-IDs of messages sent by these inboxes that messages of programs claim to answer. */
export async function sentIdsNamedBy(
  tx: Transaction<Database>,
  tenantId: string,
  inboxIds: readonly string[],
  mails: readonly Answering[],
): Promise<ReadonlySet<string>> {
  const programs = mails.filter(({ autoSubmitted }) => autoSubmitted !== 'no')
  const named = new Set(programs.flatMap(({ inReplyTo, references }) => [...references, inReplyTo ?? '']))
  named.delete('')
  if (named.size === 0) return named
  const rows = await tx
    .selectFrom('thread_keys')
    .innerJoin('messages', (join) =>
      join
        .onRef('messages.tenant_id', '=', 'thread_keys.tenant_id')
        .onRef('messages.id', '=', 'thread_keys.message_id'),
    )
    .select('thread_keys.rfc822_message_id')
    .where('thread_keys.tenant_id', '=', tenantId)
    .where('thread_keys.inbox_id', 'in', [...new Set(inboxIds)])
    .where('thread_keys.rfc822_message_id', 'in', [...named].slice(-maxIds))
    .where('messages.direction', '=', 'outbound')
    .execute()
  return new Set(rows.map((row) => row.rfc822_message_id))
}

const maxAuthorLength = 400

/**
 * Returns the key that limits answers to automatic messages: the author that the program names with the
 * sender, else the sender. A stranger may name any author, so the sender is part of it. Null for other
 * messages.
 */
export function programAuthorOf({ via, autoSubmitted, from }: ParsedMail, mailFrom: string): string | null {
  if (via ? !via.isMarked : autoSubmitted === 'no') return null
  const sender = from?.address ?? mailFrom
  const author = via?.author?.address || via?.author?.name
  return (author ? `${author} <${sender}>` : sender).toLowerCase().slice(0, maxAuthorLength)
}

/** Author of messages that a program submits to an inbox. */
export interface ProgramAuthor {
  inboxId: string
  /** Key from `programAuthorOf`. */
  author: string
}

/** Limit that is reached, and the time until it admits another answer; null if it admits none. */
interface ReachedLimit {
  max: number
  retryAfterMs: number | null
}

/** Returns the limit of an inbox if this author has reached it in the last hour; else null. */
export async function exhaustedAnswers(
  tx: Kysely<Database>,
  tenantId: string,
  { inboxId, author }: ProgramAuthor,
  nowMs: number,
): Promise<ReachedLimit | null> {
  const rows = await tx
    .selectFrom('inboxes')
    .leftJoin('program_answers as answer', (join) =>
      join
        .onRef('answer.tenant_id', '=', 'inboxes.tenant_id')
        .onRef('answer.inbox_id', '=', 'inboxes.id')
        .on('answer.author_hash', '=', sha256(author))
        .on('answer.created_at', '>', timeOf(nowMs - hourMs)),
    )
    .select(['inboxes.automatic_answers as max', 'answer.created_at'])
    .where('inboxes.tenant_id', '=', tenantId)
    .where('inboxes.id', '=', inboxId)
    .orderBy('answer.created_at', 'desc')
    .execute()
  const max = rows[0]?.max ?? defaultAutomaticAnswers
  if (max === 0) return { max, retryAfterMs: null }
  const times = rows.flatMap(({ created_at }) => created_at ?? []).sort()
  if (times.length < max) return null
  return { max, retryAfterMs: Date.parse(times.at(-max)!) + hourMs - nowMs }
}

/** Returns the keys of authors that reached the limit of the last hour, each with its inbox. */
export async function exhaustedAuthors(
  tx: Kysely<Database>,
  tenantId: string,
  authors: readonly ProgramAuthor[],
  nowMs: number,
): Promise<ReadonlySet<string>> {
  const found = new Set<string>()
  const named = new Map(authors.map((one) => [authorKey(one), one]))
  for (const [key, one] of named)
    if ((await exhaustedAnswers(tx, tenantId, one, nowMs)) !== null) found.add(key)
  return found
}

export const authorKey = ({ inboxId, author }: ProgramAuthor): string => `${inboxId} ${author}`

/** Counts an answer to a message that a program submitted. */
export async function countAnswer(
  { tx, account, now }: ChangeContext,
  { inboxId, author }: ProgramAuthor,
  messageId: string,
): Promise<void> {
  const { tenant_id } = account
  await tx
    .deleteFrom('program_answers')
    .where('tenant_id', '=', tenant_id)
    .where('created_at', '<=', timeOf(Date.parse(now) - hourMs))
    .execute()
  const row = { tenant_id, inbox_id: inboxId, author_hash: sha256(author), message_id: messageId }
  await tx
    .insertInto('program_answers')
    .values({ ...row, created_at: now })
    .execute()
}
