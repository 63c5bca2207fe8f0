import { sql } from 'kysely'
import type { ParsedMail } from '../../mail'
import { baseSubject, isReply, sameAddress } from '../../mail/headers'
import { truncated } from '../../mail/text'
import { timeOf } from '../base'
import type { ChangeContext } from '../log'
import type { ThreadRow } from './records'

const withinMs = 30 * 86_400_000
const maxLookedAt = 2_000
const maxAlike = 100
/** SQLite refuses patterns without end. */
const maxCompared = 200

/** A mail that may belong to a thread. */
interface Guessable {
  direction: 'inbound' | 'outbound'
  inboxId: string
  thread?: ThreadRow
  mail: ParsedMail
}

/** Tells whether a mail is a reply that names its thread only by its subject, as some programs write. */
export const needsGuess = ({ direction, thread, mail }: Guessable): boolean =>
  direction === 'inbound' &&
  !thread &&
  mail.references.length === 0 &&
  mail.inReplyTo === null &&
  isReply(mail.subject) &&
  baseSubject(mail.subject) !== ''

/** Tells whether a mail seems to belong to a thread: same inbox, same subject, and its sender has a part in it. */
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

async function guess(
  { tx, account, now }: ChangeContext,
  message: Guessable,
): Promise<ThreadRow | undefined> {
  const base = baseSubject(message.mail.subject)
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
  return rows.find((row) => seemsOf(message, row))
}

/**
 * The threads that mails seem to belong to which refer to none and whose subject says that they are replies: those of the
 * same inbox with the same subject, in which their sender has a part, of the last 30 days.
 */
export async function guessThreads<Mail extends Guessable>(
  change: ChangeContext,
  messages: readonly Mail[],
): Promise<Map<Mail, ThreadRow>> {
  const found = new Map<Mail, ThreadRow>()
  for (const message of messages) {
    const thread = needsGuess(message) ? await guess(change, message) : undefined
    if (thread) found.set(message, thread)
  }
  return found
}
