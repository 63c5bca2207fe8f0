import type { Transaction } from 'kysely'
import type { DeadLetter, RedriveBody } from '../../protocol/consumer'
import type { Database } from '../store/schema'
import { requeue } from './consumer-requeue'
import { type ConsumerRow, consumerRow, consumerTopic, lockConsumer } from './consumers'
import { type Core, now } from './context'
import { pageOf, readCursor } from './cursor'
import type { Scope } from './keys'
import { readSummaries } from './messages'

const list = 'dead-letters'

const selectDead = ({ tenant_id, name }: ConsumerRow, db: Transaction<Database> | Core['store']['db']) =>
  db
    .selectFrom('consumer_settled')
    .where('consumer_settled.tenant_id', '=', tenant_id)
    .where('consumer', '=', name)
    .where('state', '=', 'dead')

export interface DeadLetterQuery {
  name: string
  limit: number
  cursor?: string | undefined
}

/** Dead letters in the order of the mail. @throws ServiceError `not_found` */
export async function listDeadLetters(
  core: Core,
  scope: Scope,
  { name, limit, cursor }: DeadLetterQuery,
): Promise<{ dead_letters: DeadLetter[]; next_cursor: string | null }> {
  const consumer = await consumerRow(core, scope, name)
  let query = selectDead(consumer, core.store.db)
    .selectAll()
    .orderBy('created_seq')
    .limit(limit + 1)
  if (cursor !== undefined) query = query.where('created_seq', '>', readCursor(list, cursor))
  const { page, next_cursor } = pageOf(list, await query.execute(), limit, (row) => row.created_seq)
  const messages = await readSummaries(
    core,
    scope.tenantId,
    page.map((row) => row.message_id),
  )
  const dead_letters = page.flatMap(({ message_id, attempts, settled_at }) => {
    const message = messages.get(message_id)
    return message ? { attempts, dead_at: settled_at, message } : []
  })
  return { dead_letters, next_cursor }
}

/** Sends dead letters round again, with ten new attempts. @throws ServiceError `not_found` */
export async function redriveDeadLetters(
  core: Core,
  scope: Scope,
  { name, message_ids }: RedriveBody & { name: string },
): Promise<{ redriven: number }> {
  const found = await consumerRow(core, scope, name)
  const redriven = await core.store.write(async (tx) => {
    const consumer = await lockConsumer(core, tx, scope, name)
    let query = selectDead(consumer, tx)
      .innerJoin('messages', (join) =>
        join
          .onRef('messages.tenant_id', '=', 'consumer_settled.tenant_id')
          .onRef('messages.id', '=', 'consumer_settled.message_id'),
      )
      .select(['messages.id', 'messages.thread_id', 'messages.created_seq'])
      .orderBy('messages.created_seq')
    if (message_ids) query = query.where('messages.id', 'in', message_ids)
    const messages = await query.execute()
    for (const message of messages) await requeue(tx, consumer, message, now(core))
    if (messages.length > 0)
      await tx
        .deleteFrom('consumer_settled')
        .where('tenant_id', '=', consumer.tenant_id)
        .where('consumer', '=', name)
        .where(
          'message_id',
          'in',
          messages.map((message) => message.id),
        )
        .execute()
    return messages.length
  })
  core.signals.publish(consumerTopic(found))
  return { redriven }
}
