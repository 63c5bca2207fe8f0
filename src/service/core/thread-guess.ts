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
export const needsGuess = ({ direction, thread, mail }: Guessable): boolean =>
  direction === 'inbound' &&
  !thread &&
  mail.references.length === 0 &&
  mail.inReplyTo === null &&
  isReply(mail.subject) &&
  baseSubject(mail.subject) !== ''

/** Whether a mail seems to belong to a thread: same inbox, same subject, and its sender has a part in it. */
export function seemsOf({ inboxId, mail }: Guessable, thread: ThreadRow): boolean {
  const subjectOf = (subject: string) => baseSubject(subject).toLowerCase()
  const from = mail.from?.address
  return (
    thread.inbox_id === inboxId &&
    subjectOf(thread.subject) === subjectOf(mail.subject) &&
    from !== undefined &&
    (JSON.parse(thread.participants) as string[]).some((one) => sameAddress(one, from))
  )
}

async function guess({ tx, account, now }: Change, message: Guessable): Promise<ThreadRow | undefined> {
  const base = baseSubject(message.mail.subject)
  const holdsBase = sql<boolean>`lower(subject) like lower(${`%${truncated(base, mostCompared).replace(/[\\%_]/g, '\\$&')}%`}) escape '\\'`
  const rows = await tx
    .selectFrom((query) =>
      query
        .selectFrom('threads')
        .selectAll()
        .where('tenant_id', '=', account.tenant_id)
        .where('inbox_id', '=', message.inboxId)
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
  return rows.find((row) => seemsOf(message, row))
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
