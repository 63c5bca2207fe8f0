import { sql } from 'kysely'
import { sameAddress } from '../../mail/address'
import type { ParsedMail } from '../../mail/parse'
import { truncated } from '../../mail/safe-text'
import { baseSubject, isReply } from '../../mail/subject'
import type { Change } from './change'
import { timeOf } from './context'
import type { ThreadRow } from './records'

const withinMs = 30 * 86_400_000
const mostLookedAt = 2_000
const mostAlike = 100
/** SQLite refuses patterns without end. */
const mostCompared = 200

/** A mail that may belong to a thread. */
interface Guessable {
  direction: 'inbound' | 'outbound'
  inboxId: string
  thread?: ThreadRow
  mail: ParsedMail
}

/** A reply of a program that says of what it is one only by its subject. */
const needsGuess = ({ direction, thread, mail }: Guessable): boolean =>
  direction === 'inbound' &&
  !thread &&
  mail.references.length === 0 &&
  mail.inReplyTo === null &&
  isReply(mail.subject) &&
  baseSubject(mail.subject) !== ''

async function guess(
  { tx, account, now }: Change,
  { inboxId, mail }: Guessable,
): Promise<ThreadRow | undefined> {
  const base = baseSubject(mail.subject)
  const holdsBase = sql<boolean>`lower(subject) like lower(${`%${truncated(base, mostCompared).replace(/[\\%_]/g, '\\$&')}%`}) escape '\\'`
  const rows = await tx
    .selectFrom((query) =>
      query
        .selectFrom('threads')
        .selectAll()
        .where('tenant_id', '=', account.tenant_id)
        .where('inbox_id', '=', inboxId)
        .where('last_message_at', '>=', timeOf(Date.parse(now) - withinMs))
        .orderBy('seq', 'desc')
        .limit(mostLookedAt)
        .as('recent'),
    )
    .selectAll()
    .where(holdsBase)
    .orderBy('seq', 'desc')
    .limit(mostAlike)
    .execute()
  const subject = base.toLowerCase()
  const from = mail.from?.address
  const isTheirs = ({ participants }: ThreadRow) =>
    from !== undefined && (JSON.parse(participants) as string[]).some((one) => sameAddress(one, from))
  return rows.find((row) => baseSubject(row.subject).toLowerCase() === subject && isTheirs(row))
}

/**
 * The threads that mails seem to belong to which refer to none and whose subject says that they are replies: those of the
 * same inbox with the same subject, in which their sender has a part, of the last 30 days.
 */
export async function guessThreads<Mail extends Guessable>(
  change: Change,
  messages: readonly Mail[],
): Promise<Map<Mail, ThreadRow>> {
  const found = new Map<Mail, ThreadRow>()
  for (const message of messages) {
    const thread = needsGuess(message) ? await guess(change, message) : undefined
    if (thread) found.set(message, thread)
  }
  return found
}
