import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { DoubleAnswer } from '../../protocol/records/consumer'
import { type StoredSender, senderColumn, storedSender } from '../base/sender'
import { dayMs, timeOf } from '../base/time'
import type { ChangeContext } from '../log/registry'
import type { Database } from '../store/tables/schema'

/** Time in ms for which a message that two programs answered is reported. */
export const reportedMs = 7 * dayMs
/** Number of these messages that a consumer reports. */
const maxNamed = 10

/** An answer that is about to be stored. */
interface NewAnswer {
  /** Id of the answered message. */
  messageId: string
  threadId: string
  /** Message-ID of the answered message; null if it has none. */
  inReplyTo: string | null
  sentBy: StoredSender | null
}

const beginsWith = (kind: StoredSender['kind']) => `{"kind":"${kind}",%`

/** Condition that another sender sent a message, in any run. */
function isBySomebodyElse({ kind, id, name }: StoredSender): RawBuilder<boolean> {
  const start = senderColumn({ kind, id, name })!.slice(0, -1)
  return sql<boolean>`substr(sent_by, 1, ${sql.lit(start.length)}) <> ${start}`
}

/** Finds another program that answered this message: at least one of the two must be a consumer. */
async function findOther({ tx, account }: ChangeContext, answer: NewAnswer, sentBy: StoredSender) {
  const row = await tx
    .selectFrom('messages')
    .select('sent_by')
    .where('tenant_id', '=', account.tenant_id)
    .where('thread_id', '=', answer.threadId)
    // Literal, to match the partial index of sent messages.
    .where(sql<boolean>`direction = 'outbound'`)
    .where('in_reply_to', '=', answer.inReplyTo)
    .where(isBySomebodyElse(sentBy))
    .where('sent_by', 'not like', beginsWith('operator'))
    .where(({ or, eb }) =>
      or([
        eb('sent_by', 'like', beginsWith('consumer')),
        ...(sentBy.kind === 'consumer' ? [eb('sent_by', 'like', beginsWith('key'))] : []),
      ]),
    )
    .orderBy('created_seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row ? storedSender(row.sent_by) : null
}

/** Returns the name of a consumer; null for a program outside every consumer. */
const consumerOf = ({ kind, name }: StoredSender): string | null => (kind === 'consumer' ? name : null)

/**
 * Stores that a second program answers a message: another consumer, or a program outside every consumer, such
 * as a webhook handler. People do not count.
 */
export async function noteDoubleAnswer(change: ChangeContext, answer: NewAnswer): Promise<void> {
  const { sentBy, inReplyTo, messageId } = answer
  if (!sentBy || sentBy.kind === 'operator' || inReplyTo === null) return
  const other = await findOther(change, answer, sentBy)
  if (!other) return
  const { tenant_id } = change.account
  await change.tx
    .deleteFrom('double_answers')
    .where('tenant_id', '=', tenant_id)
    .where('created_at', '<', timeOf(Date.parse(change.now) - reportedMs))
    .execute()
  await change.tx
    .insertInto('double_answers')
    .values({
      ...{ tenant_id, message_id: messageId, created_at: change.now },
      ...{ first_consumer: consumerOf(other), second_consumer: consumerOf(sentBy) },
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Returns the messages that a consumer and another program answered, newest first. */
export async function doubleAnswersOf(
  db: Kysely<Database>,
  { tenant_id, name }: { tenant_id: string; name: string },
  nowMs: number,
): Promise<DoubleAnswer[]> {
  const rows = await db
    .selectFrom('double_answers')
    .selectAll()
    .where('tenant_id', '=', tenant_id)
    .where('created_at', '>=', timeOf(nowMs - reportedMs))
    .where(({ or, eb }) => or([eb('first_consumer', '=', name), eb('second_consumer', '=', name)]))
    .orderBy('created_at', 'desc')
    .orderBy('message_id', 'desc')
    .limit(maxNamed)
    .execute()
  return rows.map(({ message_id, first_consumer, second_consumer }) => ({
    message_id,
    other: first_consumer === name ? second_consumer : first_consumer,
  }))
}
