import type { MailHeader } from '../../mail/parsed-mail'
import type { Change } from './change'
import { timeOf } from './context'
import type { MessageRow } from './records'
import { refuse } from './refuse'

const hourMs = 3_600_000
const mostPerThreadAndHour = 60
const mostHops = 50
const hopsField = 'X-Restante-Hops'
const unanswerable = new Set(['bounce', 'complaint', 'receipt', 'auto-reply'])

/** How many mails in a row services like this one have written; a person's mail program does not pass it on. */
function hopsOf({ headers }: Pick<MessageRow, 'headers'>): number {
  const fields = JSON.parse(headers) as MailHeader[]
  const value = fields.find(({ name }) => name.toLowerCase() === hopsField.toLowerCase())?.value ?? ''
  return /^\d{1,6}$/.test(value) ? Number(value) : 0
}

/** What marks a mail as written here, and as which one in a row. */
export const loopMark = (parent: Pick<MessageRow, 'headers'> | undefined): MailHeader => ({
  name: hopsField,
  value: String((parent ? hopsOf(parent) : 0) + 1),
})

/**
 * Refuses to answer programs, which may answer in turn (RFC 3834 section 2).
 *
 * @throws ServiceError `automatic_mail`
 */
export function requireAnswerable(parent: MessageRow): void {
  if (parent.direction !== 'inbound') return
  const { auto_reason } = parent
  if (parent.auto_submitted === 'auto-replied' || unanswerable.has(auto_reason ?? ''))
    throw refuse(
      'automatic_mail',
      `A program wrote this message (${auto_reason}): an answer reaches nobody, or begins a loop. Leave it, or say allow_auto_reply: true.`,
      { auto_reason },
    )
  const hops = hopsOf(parent)
  if (hops >= mostHops)
    throw refuse(
      'automatic_mail',
      `${hops} mails in a row were written by agents: a person should look. To go on, say allow_auto_reply: true.`,
      { hops },
    )
}

/**
 * Cuts a ping-pong between machines, however it came to be.
 *
 * @throws ServiceError `thread_budget_exceeded`
 */
export async function requireThreadBudget({ tx, account, now }: Change, threadId: string): Promise<void> {
  const recent = await tx
    .selectFrom('messages')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('tenant_id', '=', account.tenant_id)
    .where('thread_id', '=', threadId)
    .where('direction', '=', 'outbound')
    .where('created_at', '>', timeOf(Date.parse(now) - hourMs))
    .executeTakeFirstOrThrow()
  if (Number(recent.count) < mostPerThreadAndHour) return
  throw refuse(
    'thread_budget_exceeded',
    `${mostPerThreadAndHour} mails left in this thread within the hour, which looks like a loop: wait, or begin a new thread.`,
  )
}
