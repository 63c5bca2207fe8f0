import { type Kysely, sql } from 'kysely'
import { timeOf } from '../../service/base/time'
import { reportedMs } from '../../service/consumers/double-answers'
import type { Database } from '../../service/store/tables/schema'
import type { Finding } from './fitness'

/** Maximum number of pairs in the findings. */
const maxPairs = 10

/** Finds programs that answer the same messages: two consumers, or a consumer and another program. */
export async function judgeAnswers(db: Kysely<Database>, nowMs: number): Promise<Finding[]> {
  const pairs = await db
    .selectFrom('double_answers')
    .select(['tenant_id', 'first_consumer', 'second_consumer'])
    .select((row) => [row.fn.countAll<number>().as('count'), row.fn.max('message_id').as('last')])
    .where('created_at', '>=', timeOf(nowMs - reportedMs))
    .groupBy(['tenant_id', 'first_consumer', 'second_consumer'])
    .orderBy(sql.ref('count'), 'desc')
    .limit(maxPairs)
    .execute()
  return pairs.map(({ tenant_id, first_consumer, second_consumer, count, last }) => {
    const consumers = [first_consumer, second_consumer].filter((name) => name !== null)
    const who =
      consumers.length === 2
        ? `The consumers ${consumers.join(' and ')}`
        : `The consumer ${consumers[0]} and a program outside every consumer, such as a webhook handler,`
    return {
      check: 'answered_twice',
      problem: `${who} answered the same message of ${tenant_id}: ${count} in the last 7 days, such as ${last}.`,
      remedy: 'Let one of them answer: give both the same consumer name, or each an inbox of its own.',
    }
  })
}
