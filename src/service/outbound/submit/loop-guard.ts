import type { MailHeader } from '../../../mail/headers/header-reader'
import type { Plan } from '../../accounts/plan'
import { refuse } from '../../base/refuse'
import { hourMs, timeOf } from '../../base/time'
import type { CheckContext } from '../../log/registry'
import type { MessageRow } from '../../messages/records'
import { exhaustedAnswers, hopsMark, hopsOf } from '../../messages/unanswerable'

/** Returns the header field that marks a message as written here, with its number in a chain of replies. */
export const loopMark = (parent: Pick<MessageRow, 'headers'> | undefined): MailHeader =>
  hopsMark(parent ? (JSON.parse(parent.headers) as MailHeader[]) : [])

const reasons: Record<string, (parent: MessageRow) => string> = {
  automatic: ({ auto_reason }) =>
    `A program wrote this message (${auto_reason}): an answer reaches nobody, or begins a loop.`,
  mail_loop: ({ headers, program_author }) => {
    const hops = hopsOf(JSON.parse(headers))
    return program_author !== null && hops === 0
      ? 'A program submitted this message, and its author got all answers that the inbox gives in an hour.'
      : `Agents wrote the last ${hops} messages. A person should look at the thread.`
  },
  own_address: () =>
    'An answer to this message would come back to this service, or its sender is one of its addresses, or of a domain of the account, and nothing proves it.',
  answered: () => 'A person has answered this message in the mailbox that it came from.',
  no_sender: () =>
    'This message names nobody who can be answered: no sender, no address that can be written to (one with quotes before its @ cannot), or too many.',
}

/**
 * Refuses a reply that an agent should not send by itself (RFC 3834 section 2).
 *
 * @throws ServiceError `automatic_mail`
 */
export function requireAnswerable(parent: MessageRow): void {
  const { unanswerable, auto_reason } = parent
  if (unanswerable === null) return
  const reason = reasons[unanswerable]?.(parent) ?? 'Nobody should answer this message.'
  throw refuse('automatic_mail', `${reason} Do not reply, or set allow_auto_reply: true.`, {
    unanswerable,
    auto_reason,
  })
}

/**
 * Limits the answers per hour to one author whose messages a program submits: help desks and forms may
 * answer, too.
 *
 * @throws ServiceError `automatic_mail`
 */
export async function requireFewAnswers(
  { tx, account, now }: CheckContext,
  { inbox_id, program_author, auto_reason }: MessageRow,
): Promise<void> {
  if (program_author === null) return
  const author = { inboxId: inbox_id, author: program_author }
  const reached = await exhaustedAnswers(tx, account.tenant_id, author, Date.parse(now))
  if (reached === null) return
  throw refuse(
    'automatic_mail',
    `A program submitted this message, and its author got ${reached.max} replies within an hour, which is the limit of this inbox. Wait, raise automatic_answers_per_hour of the inbox, or set allow_auto_reply: true.`,
    { unanswerable: 'mail_loop', auto_reason },
    reached.retryAfterMs ?? undefined,
  )
}

/**
 * Stops two programs that answer each other: the account has sent as many messages in the thread within an
 * hour as its plan allows. People, who take a minute for a message, do not reach that.
 *
 * @throws ServiceError `loop_suspected`
 */
export async function requireNoLoop(
  { tx, account, now }: CheckContext,
  { messagesPerThreadPerHour: max }: Plan,
  threadId: string | undefined,
): Promise<void> {
  if (max === null || threadId === undefined) return
  const nowMs = Date.parse(now)
  const row = await tx
    .selectFrom('messages')
    .select('created_at')
    .where('tenant_id', '=', account.tenant_id)
    .where('thread_id', '=', threadId)
    .where('direction', '=', 'outbound')
    .where('created_at', '>', timeOf(nowMs - hourMs))
    .orderBy('created_seq', 'desc')
    .offset(max - 1)
    .limit(1)
    .executeTakeFirst()
  if (!row) return
  const retryMs = Date.parse(row.created_at) + hourMs
  throw refuse(
    'loop_suspected',
    `The account sent ${max} messages in this thread within an hour, like programs that answer each other. Look at the thread ${threadId}. It can send again from ${timeOf(retryMs)}.`,
    { thread_id: threadId, limit: max, retry_at: timeOf(retryMs) },
    retryMs - nowMs,
  )
}
