import type { MailHeader } from '../../../mail/headers'
import { refuse, timeOf } from '../../base'
import type { ChangeContext } from '../../log'
import { hopsMark, hopsOf, type MessageRow } from '../../messages'

const hourMs = 3_600_000
const maxPerThreadAndHour = 60

/** The header field that marks a mail as written here, and as which one in a row. */
export const loopMark = (parent: Pick<MessageRow, 'headers'> | undefined): MailHeader =>
  hopsMark(parent ? (JSON.parse(parent.headers) as MailHeader[]) : [])

const reasons: Record<string, (parent: MessageRow) => string> = {
  automatic: ({ auto_reason }) =>
    `A program wrote this message (${auto_reason}): an answer reaches nobody, or begins a loop.`,
  mail_loop: ({ headers }) =>
    `${hopsOf(JSON.parse(headers))} mails in a row were written by agents: a person should look.`,
  own_address: () =>
    'An answer to this message would come back to this service, or it names one of its inboxes as its sender and nothing proves it.',
  no_sender: () =>
    'This message names nobody who can be answered: no sender, no address that can be written to, or too many.',
}

/**
 * Refuses to answer what an agent should not answer by itself (RFC 3834 section 2).
 *
 * @throws ServiceError `automatic_mail`
 */
export function requireAnswerable(parent: MessageRow): void {
  const { unanswerable, auto_reason } = parent
  if (unanswerable === null) return
  const reason = reasons[unanswerable]?.(parent) ?? 'Nobody should answer this message.'
  throw refuse('automatic_mail', `${reason} Leave it, or say allow_auto_reply: true.`, {
    unanswerable,
    auto_reason,
  })
}

/**
 * Cuts a ping-pong between machines, however it came to be.
 *
 * @throws ServiceError `thread_budget_exceeded`
 */
export async function requireThreadBudget(
  { tx, account, now }: ChangeContext,
  threadId: string,
): Promise<void> {
  const recent = await tx
    .selectFrom('messages')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('tenant_id', '=', account.tenant_id)
    .where('thread_id', '=', threadId)
    .where('direction', '=', 'outbound')
    .where('created_at', '>', timeOf(Date.parse(now) - hourMs))
    .executeTakeFirstOrThrow()
  if (Number(recent.count) < maxPerThreadAndHour) return
  throw refuse(
    'thread_budget_exceeded',
    `${maxPerThreadAndHour} mails left in this thread within the hour, which looks like a loop: wait, or begin a new thread.`,
  )
}
