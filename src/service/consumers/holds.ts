import { sql } from 'kysely'
import { maxAttempts } from '../../protocol/records/consumer'
import type { ChangeContext } from '../log/registry'
import { type ConsumerRow, consumerTopic, lockConsumers } from './consumers'
import { isThreadHeld } from './requeue'
import { settleAlong } from './settle'
import { selectLeases, selectTail } from './work'

/** Sets whether the queued and leased messages of a thread are on hold, for all consumers. */
async function setOnHold(
  { tx, account }: ChangeContext,
  consumers: readonly ConsumerRow[],
  threadId: string,
  on_hold: 0 | 1,
): Promise<void> {
  const names = consumers.map(({ name }) => name)
  if (names.length === 0) return
  await tx
    .updateTable('consumer_leases')
    .set({ on_hold })
    .where('tenant_id', '=', account.tenant_id)
    .where('consumer', 'in', names)
    .where('thread_id', '=', threadId)
    .execute()
}

/** Gives the exhausted messages of a thread new attempts: people have seen them, and let the agent go on. */
async function forgetAttempts({ tx, account }: ChangeContext, threadId: string): Promise<void> {
  await tx
    .updateTable('consumer_leases')
    .set({ attempts: 0 })
    .where('tenant_id', '=', account.tenant_id)
    .where('thread_id', '=', threadId)
    .where('hands_over', '=', 1)
    .where('attempts', '>=', maxAttempts)
    .execute()
}

/** Keeps the messages of a thread from the consumers. A handler that has one now keeps its lease. */
export async function holdForConsumers(change: ChangeContext, threadId: string): Promise<void> {
  const consumers = await lockConsumers(change.tx, change.account.tenant_id)
  await setOnHold(change, consumers, threadId, 1)
}

/** Ends a lease as if its message had never been leased. Does nothing if the lease was lost. */
export async function returnUntried(
  { tx, account, now }: ChangeContext,
  consumer: string,
  lease: string,
): Promise<void> {
  const at = lease.lastIndexOf('.')
  await tx
    .updateTable('consumer_leases')
    .set({ attempts: 0, lease_token: null, lease_until: null, due_at: now })
    .where('tenant_id', '=', account.tenant_id)
    .where('consumer', '=', consumer)
    .where('message_id', '=', lease.slice(0, Math.max(0, at)))
    .where('lease_token', '=', lease.slice(at + 1))
    .execute()
}

/** Returns the position of the last message that a person sent or approved in a thread; 0 if there is none. */
async function lastAnswer({ tx, account }: ChangeContext, threadId: string): Promise<number> {
  const row = await tx
    .selectFrom('messages')
    .select('created_seq')
    .where('tenant_id', '=', account.tenant_id)
    .where('thread_id', '=', threadId)
    // Literal, to match the partial index of sent messages.
    .where(sql<boolean>`direction = 'outbound'`)
    .where(({ or, eb }) =>
      or([
        eb('sent_by', 'is', null),
        eb('sent_by', 'like', '{"kind":"operator",%'),
        eb('approved_by', 'is not', null),
      ]),
    )
    .orderBy('created_seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.created_seq ?? 0
}

/** Returns the ids of the messages of a thread before a position that wait for a consumer. */
async function waitingBefore(
  { tx }: ChangeContext,
  consumer: ConsumerRow,
  thread_id: string,
  position: number,
): Promise<string[]> {
  const queued = await selectLeases(tx, consumer)
    .select(['message_id', 'created_seq', 'tail_after'])
    .where('thread_id', '=', thread_id)
    .execute()
  const tail_after = queued[0]?.tail_after ?? consumer.cursor
  const tail = await selectTail(tx, consumer, { thread_id, tail_after })
    .where('created_seq', '<', position)
    .execute()
  const before = queued.filter(({ created_seq }) => created_seq < position)
  return [...before.map(({ message_id }) => message_id), ...tail.map(({ id }) => id)]
}

/**
 * Settles the messages of a thread that a person answered, and lets the consumers have the others, unless
 * somebody still holds it or types in it.
 */
export async function releaseForConsumers(change: ChangeContext, threadId: string): Promise<void> {
  const { tx, account, now } = change
  const consumers = await lockConsumers(tx, account.tenant_id)
  if (!(await isThreadHeld(tx, account.tenant_id, threadId))) {
    await setOnHold(change, consumers, threadId, 0)
    await forgetAttempts(change, threadId)
  }
  const answered = await lastAnswer(change, threadId)
  for (const consumer of consumers) {
    const ids = answered === 0 ? [] : await waitingBefore(change, consumer, threadId, answered)
    if (ids.length > 0) await settleAlong(tx, consumer, ids, now)
    change.wake(consumerTopic(consumer))
  }
}

/** Settles the messages of a thread that a person closed. */
export async function closeForConsumers(change: ChangeContext, threadId: string): Promise<void> {
  const { tx, account, now } = change
  for (const consumer of await lockConsumers(tx, account.tenant_id)) {
    const ids = await waitingBefore(change, consumer, threadId, change.nextSeq)
    if (ids.length > 0) await settleAlong(tx, consumer, ids, now)
    change.wake(consumerTopic(consumer))
  }
}

/** Keeps the messages of an inbox from the consumers while agents are off in it. */
export async function switchForConsumers(
  change: ChangeContext,
  { inboxId, isOff }: { inboxId: string; isOff: boolean },
): Promise<void> {
  const { tx, account } = change
  const consumers = await lockConsumers(tx, account.tenant_id)
  const threads = tx
    .selectFrom('threads')
    .select('id')
    .where('tenant_id', '=', account.tenant_id)
    .where('inbox_id', '=', inboxId)
  const wanted = isOff ? threads : threads.where('hold', 'is', null).where('typing_job_id', 'is', null)
  await tx
    .updateTable('consumer_leases')
    .set({ on_hold: isOff ? 1 : 0 })
    .where('tenant_id', '=', account.tenant_id)
    .where('thread_id', 'in', wanted)
    .execute()
  for (const consumer of consumers) change.wake(consumerTopic(consumer))
}
