import type { ExpressionBuilder } from 'kysely'
import type { ChangeContext, Registry } from '../log/registry'
import type { Database } from '../store/tables/schema'
import { type ConsumerRow, dropConsumers, lockConsumers } from './consumers'
import { closeForConsumers, holdForConsumers, releaseForConsumers, switchForConsumers } from './holds'
import { isThreadHeld, relabelForConsumers } from './requeue'
import { endLeases, newLease, selectLeases, selectTail } from './work'

const rowsAtOnce = 500

/**
 * Inserts a row for each message up to the cursor that waits behind a thread's leases; later ones wait in any
 * case.
 */
async function spellOutTail(change: ChangeContext, consumer: ConsumerRow, thread_id: string): Promise<void> {
  const { tx, now } = change
  const one = await selectLeases(tx, consumer)
    .select('tail_after')
    .where('thread_id', '=', thread_id)
    .limit(1)
    .executeTakeFirst()
  if (!one) return
  const tail = await selectTail(tx, consumer, { thread_id, ...one })
    .where('created_seq', '<=', consumer.cursor)
    .execute()
  const rows = tail.map((message) => newLease(consumer, { ...message, thread_id, ...one }, now))
  for (let at = 0; at < rows.length; at += rowsAtOnce)
    await tx
      .insertInto('consumer_leases')
      .values(rows.slice(at, at + rowsAtOnce))
      .execute()
}

/**
 * Merges two threads for the consumers, before the messages move. Handled messages are tracked by thread, so
 * unhandled ones get rows. Active leases stay.
 */
async function mergeForConsumers(change: ChangeContext, from: string, to: string): Promise<void> {
  const on_hold = (await isThreadHeld(change.tx, change.account.tenant_id, to)) ? 1 : 0
  for (const consumer of await lockConsumers(change.tx, change.account.tenant_id)) {
    for (const id of [from, to]) await spellOutTail(change, consumer, id)
    const ofThem = (where: ExpressionBuilder<Database, 'consumer_leases'>) =>
      where.and([
        where('tenant_id', '=', consumer.tenant_id),
        where('consumer', '=', consumer.name),
        where('thread_id', 'in', [from, to]),
      ])
    await change.tx
      .deleteFrom('consumer_leases')
      .where(ofThem)
      .where('created_seq', '>', consumer.cursor)
      .execute()
    await change.tx
      .updateTable('consumer_leases')
      .set({ thread_id: to, tail_after: consumer.cursor, on_hold })
      .where(ofThem)
      .execute()
  }
}

/** Removes erased messages from the consumers, so that later messages of their threads can be leased. */
export async function eraseForConsumers(change: ChangeContext, ids: readonly string[]): Promise<void> {
  const { tx, account, now } = change
  await tx
    .deleteFrom('consumer_settled')
    .where('tenant_id', '=', account.tenant_id)
    .where('message_id', 'in', ids)
    .execute()
  const held = tx
    .selectFrom('consumer_leases')
    .where('tenant_id', '=', account.tenant_id)
    .where('message_id', 'in', ids)
  if (!(await held.select('message_id').limit(1).executeTakeFirst())) return
  const consumers = await lockConsumers(change.tx, change.account.tenant_id)
  const rows = await held.selectAll().execute()
  for (const consumer of consumers)
    await endLeases(
      tx,
      consumer,
      rows.filter((row) => row.consumer === consumer.name),
      now,
    )
}

/** Removes the consumers of a deleted inbox. */
export async function dropInboxConsumers({ tx, account }: ChangeContext, inboxId: string): Promise<void> {
  const rows = await tx
    .selectFrom('consumers')
    .select('name')
    .where('tenant_id', '=', account.tenant_id)
    .where('inbox_id', '=', inboxId)
    .execute()
  await dropConsumers(
    tx,
    account.tenant_id,
    rows.map((row) => row.name),
  )
}

/** Registers the consumers' handlers for labels, merged and held threads, and inboxes without agents. */
export function joinConsumers(registry: Registry): void {
  registry.on('labelled', relabelForConsumers)
  registry.on('merging', (change, { from, to }) => mergeForConsumers(change, from, to))
  registry.on('held', (change, { threadId }) => holdForConsumers(change, threadId))
  registry.on('agentSwitched', switchForConsumers)
  registry.on('closed', (change, { threadId }) => closeForConsumers(change, threadId))
  registry.on('released', (change, { threadId }) => releaseForConsumers(change, threadId))
}
