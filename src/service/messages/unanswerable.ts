import type { Transaction } from 'kysely'
import type { ParsedMail } from '../../mail'
import { isAddress, type MailHeader } from '../../mail/headers'
import type { UnanswerableReason } from '../../protocol/records'
import type { Database } from '../store/tables'

/**
 * Mails in a row that agents wrote. The mail program of a person does not pass the count on, so that each of their mails
 * begins it anew: only programs come this far, and two who are not done after ten mails each are in a loop.
 */
const maxHops = 20
/** The most recipients that a mail may have. */
export const maxRecipients = 100
const hopsField = 'X-Restante-Hops'
/** Mail of programs, which may answer in turn (RFC 3834 section 2). */
const automatic = new Set(['bounce', 'complaint', 'receipt', 'auto-reply'])

/** Counts how many mails in a row services like this one have written; a person's mail program does not pass it on. */
export function hopsOf(headers: readonly MailHeader[]): number {
  const value = headers.find(({ name }) => name.toLowerCase() === hopsField.toLowerCase())?.value ?? ''
  return /^\d{1,6}$/.test(value) ? Number(value) : 0
}

/** Marks a mail as written here, and as which one in a row. */
export const hopsMark = (parent: readonly MailHeader[] = []): MailHeader => ({
  name: hopsField,
  value: String(hopsOf(parent) + 1),
})

/**
 * Tells why nobody should answer a mail that came in by himself: a program wrote it, agents have answered each other for
 * long, an answer would come back to its own inbox, or nobody is there to answer.
 *
 * @param isOwn Its sender is an address of this service or the account, as which it may not speak, or an answer would
 * come back.
 * @param sentIds Message-IDs of mail that was sent here: what a program answers to one of these is an acknowledgement, and
 * an answer would have one in turn. A notice that begins by itself may be worked on.
 * @returns null where it can be answered
 */
export function unanswerableOf(
  mail: Pick<
    ParsedMail,
    'autoSubmitted' | 'autoReason' | 'headers' | 'from' | 'replyTo' | 'inReplyTo' | 'references'
  >,
  mailFrom: string,
  isOwn: boolean,
  sentIds: ReadonlySet<string>,
): UnanswerableReason | null {
  if (mail.autoSubmitted === 'auto-replied' || automatic.has(mail.autoReason ?? '')) return 'automatic'
  const answersOurs = [...mail.references, mail.inReplyTo ?? ''].some((id) => sentIds.has(id))
  if (mail.autoSubmitted !== 'no' && answersOurs) return 'automatic'
  if (hopsOf(mail.headers) >= maxHops) return 'mail_loop'
  if (isOwn) return 'own_address'
  const sender = mail.from?.address ?? mailFrom
  const addresses = mail.replyTo.length > 0 ? mail.replyTo.map(({ address }) => address) : [sender]
  return addresses.length <= maxRecipients && addresses.every(isAddress) ? null : 'no_sender'
}

/** The ids that a mail says it answers. */
type Answering = Pick<ParsedMail, 'autoSubmitted' | 'inReplyTo' | 'references'>

const maxIds = 500

/** The Message-IDs of mail that these inboxes sent, among those that mails of programs name as what they answer. */
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
