import type { Transaction } from 'kysely'
import type { DeadLetter, MessageSummary, RedriveBody } from '../../protocol/records'
import { accountRow, requireManaging, type Scope } from '../accounts'
import { decodeCursor, now, pageOf } from '../base'
import { type ChangeContext, changeAccount } from '../log'
import { type MessagePorts, type MessageRow, makeAnswerable, readSummaries } from '../messages'
import type { Database } from '../store/tables'
import { type ConsumerRow, consumerRow, consumerTopic, lockConsumer } from './consumers'
import { handOutLate, requeue, skippedBy } from './requeue'
import { selectSkipped } from './work'

const list = 'dead-letters'

const selectDead = (
  { tenant_id, name }: ConsumerRow,
  db: Transaction<Database> | MessagePorts['store']['db'],
) =>
  db
    .selectFrom('consumer_settled')
    .where('consumer_settled.tenant_id', '=', tenant_id)
    .where('consumer', '=', name)
    .where('state', '=', 'dead')

interface DeadLetterQuery {
  name: string
  limit: number
  cursor?: string | undefined
}

/** Dead letters in the order of the mail. @throws ServiceError `not_found` */
export async function listDeadLetters(
  ports: MessagePorts,
  scope: Scope,
  { name, limit, cursor }: DeadLetterQuery,
): Promise<{ dead_letters: DeadLetter[]; next_cursor: string | null }> {
  const consumer = await consumerRow(ports, scope, name)
  let query = selectDead(consumer, ports.store.db)
    .selectAll()
    .orderBy('created_seq')
    .limit(limit + 1)
  if (cursor !== undefined) query = query.where('created_seq', '>', decodeCursor(list, cursor))
  const { page, next_cursor } = pageOf(list, await query.execute(), limit, (row) => row.created_seq)
  const messages = await readSummaries(
    ports,
    scope.tenantId,
    page.map((row) => row.message_id),
  )
  const dead_letters = page.flatMap(({ message_id, attempts, settled_at }) => {
    const message = messages.get(message_id)
    return message ? { attempts, dead_at: settled_at, message } : []
  })
  return { dead_letters, next_cursor }
}

const skippedList = 'skipped'

/** Messages that were left out since nobody is to answer them, in the order of the mail. @throws ServiceError `not_found` */
export async function listSkipped(
  ports: MessagePorts,
  scope: Scope,
  { name, limit, cursor }: DeadLetterQuery,
): Promise<{ messages: MessageSummary[]; next_cursor: string | null }> {
  const consumer = await consumerRow(ports, scope, name)
  let query = selectSkipped(ports.store.db, consumer)
    .select(['id', 'created_seq'])
    .orderBy('created_seq')
    .limit(limit + 1)
  if (cursor !== undefined) query = query.where('created_seq', '>', decodeCursor(skippedList, cursor))
  const { page, next_cursor } = pageOf(skippedList, await query.execute(), limit, (row) => row.created_seq)
  const ids = page.map(({ id }) => id)
  const messages = await readSummaries(ports, scope.tenantId, ids)
  return { messages: ids.flatMap((id) => messages.get(id) ?? []), next_cursor }
}

type Positioned = Pick<MessageRow, 'id' | 'thread_id' | 'created_seq'>

/** Takes dead letters out of the list. */
async function revive(
  tx: Transaction<Database>,
  consumer: ConsumerRow,
  ids: readonly string[] | undefined,
): Promise<Positioned[]> {
  let query = selectDead(consumer, tx)
    .innerJoin('messages', (join) =>
      join
        .onRef('messages.tenant_id', '=', 'consumer_settled.tenant_id')
        .onRef('messages.id', '=', 'consumer_settled.message_id'),
    )
    .select(['messages.id', 'messages.thread_id', 'messages.created_seq'])
    .orderBy('messages.created_seq')
  if (ids) query = query.where('messages.id', 'in', ids)
  const messages = await query.execute()
  const found = messages.map(({ id }) => id)
  if (found.length > 0)
    await tx
      .deleteFrom('consumer_settled')
      .where('tenant_id', '=', consumer.tenant_id)
      .where('consumer', '=', consumer.name)
      .where('message_id', 'in', found)
      .execute()
  return messages
}

/** Lets messages that were skipped be answered, and hands them to all who left them out. */
async function pardon(
  change: ChangeContext,
  consumer: ConsumerRow,
  ids: readonly string[] | undefined,
): Promise<number> {
  if (!ids) return 0
  const messages = await selectSkipped(change.tx, consumer)
    .select(['tenant_id', 'id', 'thread_id', 'inbox_id', 'direction', 'created_seq'])
    .where('id', 'in', ids)
    .orderBy('created_seq')
    .execute()
  for (const message of messages) {
    await makeAnswerable(change, message.id)
    await handOutLate(change, message, await skippedBy(change, message))
  }
  return messages.length
}

/**
 * Sends dead letters and, where they are named, skipped messages round again, with ten new attempts.
 *
 * @throws ServiceError `claim_required`, `not_found`
 */
export async function redriveDeadLetters(
  ports: MessagePorts,
  scope: Scope,
  { name, message_ids }: RedriveBody & { name: string },
): Promise<{ redriven: number }> {
  requireManaging(await accountRow(ports, scope.tenantId), now(ports))
  const found = await consumerRow(ports, scope, name)
  const redriven = await changeAccount(ports, scope.tenantId, async (change) => {
    const { tx } = change
    const consumer = await lockConsumer(ports, tx, scope, name)
    const dead = await revive(tx, consumer, message_ids)
    for (const message of dead) await requeue(tx, consumer, message, now(ports))
    return dead.length + (await pardon(change, consumer, message_ids))
  })
  ports.signals.publish(consumerTopic(found))
  return { redriven }
}
