import type { Transaction } from 'kysely'
import { spamLabelId } from '../../protocol/label'
import type { Database } from '../store/schema'
import type { Change } from './change'
import { newDelivery, selectDeliveries } from './consumer-work'
import { type ConsumerRow, consumerTopic, lockConsumers } from './consumers'
import type { MessageRow } from './records'

type Message = Pick<MessageRow, 'id' | 'tenant_id' | 'inbox_id' | 'thread_id' | 'created_seq' | 'direction'>

/** Puts a message among those that can be had, before what waits of its thread: it comes late, and says so. */
export async function requeue(
  tx: Transaction<Database>,
  consumer: ConsumerRow,
  message: Pick<Message, 'id' | 'thread_id' | 'created_seq'>,
  time: string,
): Promise<void> {
  const other = await selectDeliveries(tx, consumer)
    .select('tail_after')
    .where('thread_id', '=', message.thread_id)
    .limit(1)
    .executeTakeFirst()
  const tail_after = other?.tail_after ?? consumer.cursor
  await tx
    .insertInto('consumer_deliveries')
    .values({ ...newDelivery(consumer, { ...message, tail_after }, time), redriven: 1 })
    .execute()
}

/** The consumers that get no spam, and have come past the message. */
async function passedBy({ tx, account }: Change, message: Message): Promise<ConsumerRow[]> {
  if (message.direction !== 'inbound') return []
  const consumers = await lockConsumers(tx, account.tenant_id)
  return consumers.filter(
    ({ spam, inbox_id, cursor }) =>
      spam === 0 && (inbox_id === null || inbox_id === message.inbox_id) && message.created_seq <= cursor,
  )
}

/** Whether the message is out, or waits in its thread. */
async function isInHand(
  tx: Transaction<Database>,
  consumer: ConsumerRow,
  { id, thread_id, created_seq }: Message,
): Promise<boolean> {
  const row = await selectDeliveries(tx, consumer)
    .select('message_id')
    .where('thread_id', '=', thread_id)
    .where((where) => where.or([where('message_id', '=', id), where('tail_after', '<', created_seq)]))
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

const settledRow = ({ tx }: Change, { tenant_id, name }: ConsumerRow, { id }: Message) =>
  tx
    .selectFrom('consumer_settled')
    .select('state')
    .where('tenant_id', '=', tenant_id)
    .where('consumer', '=', name)
    .where('message_id', '=', id)
    .executeTakeFirst()

/** A message is marked as spam: those who have handled it will not get it again when it no longer is. */
async function rememberHad(change: Change, message: Message): Promise<void> {
  const { tx, now } = change
  for (const consumer of await passedBy(change, message)) {
    if (await isInHand(tx, consumer, message)) continue
    if (await settledRow(change, consumer, message)) continue
    const { tenant_id, id: message_id, created_seq } = message
    const had = { state: 'had', attempts: 0, settled_at: now } as const
    await tx
      .insertInto('consumer_settled')
      .values({ tenant_id, consumer: consumer.name, message_id, created_seq, ...had })
      .execute()
  }
}

/** A message is no longer marked as spam: those who came past it while it was get it now. */
async function handOutLate(change: Change, message: Message): Promise<void> {
  const { tx, now } = change
  for (const consumer of await passedBy(change, message)) {
    const settled = await settledRow(change, consumer, message)
    if (settled?.state === 'had') await forgetHad(change, consumer, message)
    if (settled || (await isInHand(tx, consumer, message))) continue
    await requeue(tx, consumer, message, now)
    change.wake(consumerTopic(consumer))
  }
}

async function forgetHad({ tx }: Change, { tenant_id, name }: ConsumerRow, { id }: Message): Promise<void> {
  await tx
    .deleteFrom('consumer_settled')
    .where('tenant_id', '=', tenant_id)
    .where('consumer', '=', name)
    .where('message_id', '=', id)
    .execute()
}

/** Tells the consumers that a label was put on a message or taken off it: only `spam` is of interest to them. */
export async function relabelForConsumers(
  change: Change,
  message: Message,
  labelId: string,
  type: 'label.assigned' | 'label.unassigned',
): Promise<void> {
  if (labelId !== spamLabelId) return
  await (type === 'label.assigned' ? rememberHad(change, message) : handOutLate(change, message))
}
