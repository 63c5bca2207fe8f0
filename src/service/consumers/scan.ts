import type { Transaction } from 'kysely'
import { runPrepared } from '../store'
import type { Database } from '../store/tables'
import type { ConsumerRow } from './consumers'
import { busyThreads, type LeaseRow, meantFor, meantForParameters, meantForText } from './work'

/** Rows in one page, and in one transaction. */
const pageRows = 200
const maxRows = 2_000

/** Log positions that one transaction scans: most of them may hold no message for the consumer. */
const maxPositions = 5_000

/** Messages after the cursor in threads without leases. */
export interface NewThreads {
  messages: (Pick<LeaseRow, 'thread_id' | 'created_seq'> & { id: string; created_at: string })[]
  /** End of the log. */
  head: number
  /** Position up to which the scan is complete. */
  reached: number
  /** True if all was scanned, or enough found. */
  complete: boolean
}

async function readPage(
  tx: Transaction<Database>,
  consumer: ConsumerRow,
  after: number,
  until: number,
  limit: number,
): Promise<NewThreads['messages']> {
  const parameters = [consumer.tenant_id, after, until, ...meantForParameters(consumer), limit]
  return runPrepared(tx, `new threads ${meantForText(consumer)}`, parameters, () =>
    tx
      .selectFrom('messages')
      .select(['id', 'thread_id', 'created_seq', 'created_at'])
      .where('tenant_id', '=', consumer.tenant_id)
      .where('created_seq', '>', after)
      .where('created_seq', '<=', until)
      .where(meantFor(consumer))
      .orderBy('created_seq')
      .limit(limit),
  )
}

/** Finds up to `max` messages beyond the cursor, one per thread, in threads without leases. */
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
  const messages: NewThreads['messages'] = []
  const seen = new Set<string>()
  const until = Math.min(head, consumer.cursor + maxPositions)
  let reached = consumer.cursor
  let limit = Math.min(pageRows, max + 10)
  for (let looked = 0; looked < maxRows && reached < until; limit = pageRows) {
    const page = await readPage(tx, consumer, reached, until, limit)
    const threadIds = page.map((message) => message.thread_id)
    for (const id of await busyThreads(tx, consumer, threadIds)) seen.add(id)
    for (const message of page) {
      reached = message.created_seq
      if (seen.has(message.thread_id)) continue
      seen.add(message.thread_id)
      messages.push(message)
      if (messages.length === max) return { messages, head, reached, complete: true }
    }
    looked += page.length
    if (page.length < limit) reached = until
  }
  return { messages, head, reached, complete: reached === head }
}
