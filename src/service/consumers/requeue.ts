import type { Transaction } from 'kysely'
import type { AwayLabelId } from '../../protocol/records/label-names'
import type { ChangeContext, ChangedMessage as Message } from '../log/registry'
import type { Database } from '../store/tables/schema'
import { type ConsumerRow, consumerTopic, lockConsumers } from './consumers'
import { newLease, selectLeases } from './work'

/** Returns whether people hold a thread or type in it, or agents are off in its inbox. */
export async function isThreadHeld(
  tx: Transaction<Database>,
  tenantId: string,
  threadId: string,
): Promise<boolean> {
  const thread = await tx
    .selectFrom('threads')
    .innerJoin('inboxes', (join) =>
      join.onRef('inboxes.tenant_id', '=', 'threads.tenant_id').onRef('inboxes.id', '=', 'threads.inbox_id'),
    )
    .select('threads.id')
    .where('threads.tenant_id', '=', tenantId)
    .where('threads.id', '=', threadId)
    .where(({ or, eb }) =>
      or([
        eb('threads.hold', 'is not', null),
        eb('threads.typing_job_id', 'is not', null),
        eb('inboxes.agent', '=', 'off'),
      ]),
    )
    .executeTakeFirst()
  return thread !== undefined
}

/** Queues a message for a consumer again, before later messages of its thread, and marks it as redriven. */
export async function requeue(
  tx: Transaction<Database>,
  consumer: ConsumerRow,
  message: Pick<Message, 'id' | 'thread_id' | 'created_seq'>,
  time: string,
): Promise<void> {
  const other = await selectLeases(tx, consumer)
    .select('tail_after')
    .where('thread_id', '=', message.thread_id)
    .limit(1)
    .executeTakeFirst()
  const tail_after = other?.tail_after ?? consumer.cursor
  const on_hold = (await isThreadHeld(tx, consumer.tenant_id, message.thread_id)) ? 1 : 0
  await tx
    .insertInto('consumer_leases')
    .values({ ...newLease(consumer, { ...message, tail_after, on_hold }, time), redriven: 1 })
    .execute()
}

type Labels = readonly string[]

/** Checks whether labels exclude a message: trash for every consumer, spam unless the consumer wants it. */
function isKept(labels: Labels, { spam }: ConsumerRow): boolean {
  const has = (id: AwayLabelId) => labels.includes(id)
  return has('trash') || (has('spam') && spam === 0)
}

/** Returns the consumers whose cursors are past a message. */
async function passedBy({ tx, account }: ChangeContext, message: Message): Promise<ConsumerRow[]> {
  const consumers = await lockConsumers(tx, account.tenant_id)
  return consumers.filter(
    ({ inbox_id, cursor }) =>
      (inbox_id === null || inbox_id === message.inbox_id) && message.created_seq <= cursor,
  )
}

/** Returns the consumers that skipped the message as unanswerable. */
export async function skippedBy({ tx, account }: ChangeContext, message: Message): Promise<ConsumerRow[]> {
  const consumers = await lockConsumers(tx, account.tenant_id)
  return consumers.filter(
    ({ unanswerable, inbox_id, began_after, cursor }) =>
      unanswerable === 0 &&
      (inbox_id === null || inbox_id === message.inbox_id) &&
      message.created_seq > began_after &&
      message.created_seq <= cursor,
  )
}

/** Checks whether the message is unanswerable. */
async function isUnanswerable({ tx }: ChangeContext, { tenant_id, id }: Message): Promise<boolean> {
  const row = await tx
    .selectFrom('messages')
    .select('id')
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', id)
    .where('unanswerable', 'is not', null)
    .executeTakeFirst()
  return row !== undefined
}

/** Checks whether the message is leased, or waits in its thread. */
async function isInHand(
  tx: Transaction<Database>,
  consumer: ConsumerRow,
  { id, thread_id, created_seq }: Message,
): Promise<boolean> {
  const row = await selectLeases(tx, consumer)
    .select('message_id')
    .where('thread_id', '=', thread_id)
    .where((where) => where.or([where('message_id', '=', id), where('tail_after', '<', created_seq)]))
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

const settledRow = ({ tx }: ChangeContext, { tenant_id, name }: ConsumerRow, { id }: Message) =>
  tx
    .selectFrom('consumer_settled')
    .select('state')
    .where('tenant_id', '=', tenant_id)
    .where('consumer', '=', name)
    .where('message_id', '=', id)
    .executeTakeFirst()

/**
 * Stores which consumers handled a message moved to spam or trash: they do not get it again when restored.
 */
async function recordHandled(
  change: ChangeContext,
  message: Message,
  consumers: readonly ConsumerRow[],
): Promise<void> {
  const { tx, now } = change
  for (const consumer of consumers) {
    if (await isInHand(tx, consumer, message)) continue
    if (await settledRow(change, consumer, message)) continue
    const { tenant_id, id: message_id, created_seq } = message
    const handled = { state: 'had', attempts: 0, settled_at: now } as const
    await tx
      .insertInto('consumer_settled')
      .values({ tenant_id, consumer: consumer.name, message_id, created_seq, ...handled })
      .execute()
  }
}

/** Queues a message for consumers that passed it while it was excluded. */
export async function leaseLate(
  change: ChangeContext,
  message: Message,
  consumers: readonly ConsumerRow[],
): Promise<void> {
  const { tx, now } = change
  const isLeftOut = await isUnanswerable(change, message)
  for (const consumer of consumers) {
    const settled = await settledRow(change, consumer, message)
    if (settled?.state === 'had') await forgetHandled(change, consumer, message)
    if (settled || (await isInHand(tx, consumer, message))) continue
    if (!consumer.unanswerable && isLeftOut) continue
    await requeue(tx, consumer, message, now)
    change.wake(consumerTopic(consumer))
  }
}

async function forgetHandled(
  { tx }: ChangeContext,
  { tenant_id, name }: ConsumerRow,
  { id }: Message,
): Promise<void> {
  await tx
    .deleteFrom('consumer_settled')
    .where('tenant_id', '=', tenant_id)
    .where('consumer', '=', name)
    .where('message_id', '=', id)
    .execute()
}

interface Relabelled {
  readonly message: Message
  readonly before: Labels
  readonly after: Labels
}

/**
 * Updates the consumers when the labels of a message change: only moves to and from spam or trash matter.
 * Leased messages stay until their lease ends; waiting ones are checked when their turn comes.
 */
export async function relabelForConsumers(
  change: ChangeContext,
  { message, before, after }: Relabelled,
): Promise<void> {
  const isSame = (id: AwayLabelId) => before.includes(id) === after.includes(id)
  if (message.direction !== 'inbound' || (isSame('spam') && isSame('trash'))) return
  const consumers = await passedBy(change, message)
  const loses = (one: ConsumerRow) => !isKept(before, one) && isKept(after, one)
  const gains = (one: ConsumerRow) => isKept(before, one) && !isKept(after, one)
  await recordHandled(change, message, consumers.filter(loses))
  await leaseLate(change, message, consumers.filter(gains))
}
