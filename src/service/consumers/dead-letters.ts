import { type RawBuilder, sql, type Transaction } from 'kysely'
import type { DeadLetter, RedriveBody } from '../../protocol/records/consumer'
import type { MessageSummary } from '../../protocol/records/message'
import { accountRow, requireManaging } from '../accounts/account'
import type { Scope } from '../accounts/keys'
import { decodeCursor, pageOf } from '../base/cursor'
import { administrator } from '../base/sender'
import { now } from '../base/time'
import { audit } from '../log/audit'
import { changeAccount } from '../log/change'
import type { ChangeContext } from '../log/registry'
import { isAnswered } from '../messages/message-filters'
import { makeAnswerable, readSummaries } from '../messages/messages'
import type { MessagePorts } from '../messages/ports'
import type { MessageRow } from '../messages/records'
import type { Database } from '../store/tables/schema'
import { type ConsumerRow, consumerRow, consumerTopic, lockConsumer } from './consumers'
import { leaseLate, requeue, skippedBy } from './requeue'
import { selectSkipped } from './work'

const list = 'dead-letters'

const not = (condition: RawBuilder<boolean>) => sql<boolean>`not ${condition}`

const selectDead = (
  { tenant_id, name }: ConsumerRow,
  db: Transaction<Database> | MessagePorts['store']['db'],
) =>
  db
    .selectFrom('consumer_settled')
    .where('consumer_settled.tenant_id', '=', tenant_id)
    .where('consumer', '=', name)
    .where('state', '=', 'dead')

/** Selects the dead letters of a consumer with their messages. */
const selectDeadMessages = (consumer: ConsumerRow, tx: Transaction<Database>) =>
  selectDead(consumer, tx).innerJoin('messages', (join) =>
    join
      .onRef('messages.tenant_id', '=', 'consumer_settled.tenant_id')
      .onRef('messages.id', '=', 'consumer_settled.message_id'),
  )

interface DeadLetterQuery {
  name: string
  limit: number
  cursor?: string | undefined
}

/** Returns dead letters in the order of their messages. @throws ServiceError `not_found` */
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
    scope,
    page.map((row) => row.message_id),
  )
  const dead_letters = page.flatMap(({ message_id, attempts, settled_at }) => {
    const message = messages.get(message_id)
    return message ? { attempts, dead_at: settled_at, message } : []
  })
  return { dead_letters, next_cursor }
}

const skippedList = 'skipped'

/** Returns the messages skipped as unanswerable, in their order. @throws ServiceError `not_found` */
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
  const messages = await readSummaries(ports, scope, ids)
  return { messages: ids.flatMap((id) => messages.get(id) ?? []), next_cursor }
}

type Positioned = Pick<MessageRow, 'id' | 'thread_id' | 'created_seq'>

/** Messages of a redrive. */
interface Redriven {
  ids: readonly string[] | undefined
  includeAnswered: boolean
}

/** Removes dead letters from the list. */
async function revive(
  tx: Transaction<Database>,
  consumer: ConsumerRow,
  { ids, includeAnswered }: Redriven,
): Promise<Positioned[]> {
  let query = selectDeadMessages(consumer, tx)
    .select(['messages.id', 'messages.thread_id', 'messages.created_seq'])
    .orderBy('messages.created_seq')
  if (ids) query = query.where('messages.id', 'in', ids)
  if (!includeAnswered) query = query.where(not(isAnswered()))
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

/** Makes skipped messages answerable, and queues them for all consumers that skipped them. */
async function pardon(
  change: ChangeContext,
  consumer: ConsumerRow,
  { ids, includeAnswered }: Redriven,
): Promise<number> {
  if (!ids) return 0
  let query = selectSkipped(change.tx, consumer)
    .select(['tenant_id', 'id', 'thread_id', 'inbox_id', 'direction', 'created_seq'])
    .where('id', 'in', ids)
    .orderBy('created_seq')
  if (!includeAnswered) query = query.where(not(isAnswered()))
  const messages = await query.execute()
  for (const message of messages) {
    await makeAnswerable(change, message.id)
    await leaseLate(change, message, await skippedBy(change, message))
  }
  return messages.length
}

/** Counts the dead letters and skipped messages that stay because they were answered. */
async function countAnswered(
  tx: Transaction<Database>,
  consumer: ConsumerRow,
  { ids, includeAnswered }: Redriven,
): Promise<number> {
  if (includeAnswered) return 0
  let dead = selectDeadMessages(consumer, tx).select('messages.id').where(isAnswered())
  if (!ids) return (await dead.execute()).length
  dead = dead.where('messages.id', 'in', ids)
  const skipped = selectSkipped(tx, consumer).select('id').where('id', 'in', ids).where(isAnswered())
  return (await dead.execute()).length + (await skipped.execute()).length
}

/**
 * Queues dead letters, and skipped messages that are named, again with ten new attempts.
 *
 * @throws ServiceError `claim_required`, `not_found`
 */
export async function redriveDeadLetters(
  ports: MessagePorts,
  scope: Scope,
  { name, message_ids: ids, include_answered: includeAnswered }: RedriveBody & { name: string },
): Promise<{ redriven: number; left_out: number }> {
  requireManaging(await accountRow(ports, scope.tenantId), now(ports))
  const found = await consumerRow(ports, scope, name)
  const answer = await changeAccount(ports, scope.tenantId, async (change) => {
    const { tx } = change
    const consumer = await lockConsumer(ports, tx, scope, name)
    const wanted = { ids, includeAnswered }
    const left_out = await countAnswered(tx, consumer, wanted)
    const dead = await revive(tx, consumer, wanted)
    for (const message of dead) await requeue(tx, consumer, message, now(ports))
    const redriven = dead.length + (await pardon(change, consumer, wanted))
    const by = scope.sender ?? administrator
    const details = { redriven, left_out }
    await audit(change, { action: 'consumer.redriven', by, target: name, details })
    return { redriven, left_out }
  })
  ports.signals.publish(consumerTopic(found))
  return answer
}
