import { sql, type Transaction } from 'kysely'
import { runPrepared } from '../store/prepared'
import type { Database } from '../store/tables/schema'
import type { ConsumerRow } from './consumers'
import { busyThreads, type LeaseRow, meantFor, meantForParameters, meantForText } from './work'

/** Rows in one page, and in one transaction. */
const pageRows = 200
const maxRows = 2_000

/** Log positions that one transaction scans: most of them may hold no message for the consumer. */
const maxPositions = 5_000

/** The first new message of a thread. */
interface NewThread extends Pick<LeaseRow, 'thread_id' | 'created_seq'> {
  id: string
  created_at: string
}

/** Messages after the cursor in threads without leases. */
export interface NewThreads {
  messages: NewThread[]
  /** The same in threads that people hold. */
  held: NewThread[]
  /** End of the log. */
  head: number
  /** Position up to which the scan is complete. */
  reached: number
  /** True if all was scanned, or enough found. */
  complete: boolean
}

/** 1 if people hold the thread of a message or type in it, or agents are off in its inbox; else 0. */
const isHeld = sql<number>`(select case when threads.hold is null and threads.typing_job_id is null
    and coalesce(inboxes.agent, '') <> 'off' then 0 else 1 end
  from threads, inboxes where threads.tenant_id = messages.tenant_id and threads.id = messages.thread_id
    and inboxes.tenant_id = messages.tenant_id and inboxes.id = messages.inbox_id)`

async function readPage(
  tx: Transaction<Database>,
  consumer: ConsumerRow,
  after: number,
  until: number,
  limit: number,
): Promise<(NewThread & { is_held: number })[]> {
  const parameters = [consumer.tenant_id, after, until, ...meantForParameters(consumer), limit]
  return runPrepared(tx, `new threads ${meantForText(consumer)}`, parameters, () =>
    tx
      .selectFrom('messages')
      .select(['id', 'thread_id', 'created_seq', 'created_at', isHeld.as('is_held')])
      .where('tenant_id', '=', consumer.tenant_id)
      .where('created_seq', '>', after)
      .where('created_seq', '<=', until)
      .where(meantFor(consumer))
      .orderBy('created_seq')
      .limit(limit),
  )
}

/** Finds up to `max` messages beyond the cursor, one per thread, in threads without leases and holds. */
export async function findNewThreads(
  tx: Transaction<Database>,
  consumer: ConsumerRow,
  max: number,
): Promise<NewThreads> {
  // Read first: later commits have later positions.
  const { seq: head } = await tx
    .selectFrom('accounts')
    .select('seq')
    .where('tenant_id', '=', consumer.tenant_id)
    .executeTakeFirstOrThrow()
  const messages: NewThread[] = []
  const held: NewThread[] = []
  const seen = new Set<string>()
  const until = Math.min(head, consumer.cursor + maxPositions)
  let reached = consumer.cursor
  let limit = Math.min(pageRows, max + 10)
  for (let looked = 0; looked < maxRows && reached < until; limit = pageRows) {
    const page = await readPage(tx, consumer, reached, until, limit)
    const threadIds = page.map((message) => message.thread_id)
    for (const id of await busyThreads(tx, consumer, threadIds)) seen.add(id)
    for (const { is_held, ...message } of page) {
      reached = message.created_seq
      if (seen.has(message.thread_id)) continue
      seen.add(message.thread_id)
      if (Number(is_held) === 1) held.push(message)
      else messages.push(message)
      if (messages.length === max) return { messages, held, head, reached, complete: true }
    }
    looked += page.length
    if (page.length < limit) reached = until
  }
  return { messages, held, head, reached, complete: reached === head }
}
