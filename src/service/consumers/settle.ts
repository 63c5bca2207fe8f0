import type { Transaction } from 'kysely'
import type { AckBody, LeasesAnswer, NackBody } from '../../protocol/records/consumer'
import { awayLabelIds } from '../../protocol/records/label-names'
import { requireReadable } from '../accounts/account'
import type { Scope } from '../accounts/keys'
import { now, timeOf } from '../base/time'
import type { MessagePorts } from '../messages/ports'
import { labelled, padded, runPrepared } from '../store/prepared'
import type { Database } from '../store/tables/schema'
import { type ConsumerRow, consumerTopic, lockConsumer, queueOf } from './consumers'
import { backoffMs, leaseIdOf, leaseTimes } from './lease'
import { buryLease, endLeases, isExhausted, type LeaseRow, meantFor, selectLeases, setLease } from './work'

/** Changes active leases; returns true if another message may be ready now. */
type Settle = (tx: Transaction<Database>, consumer: ConsumerRow, rows: LeaseRow[]) => Promise<boolean>

/** Settles leases one by one. */
const oneByOne =
  (settle: (tx: Transaction<Database>, consumer: ConsumerRow, row: LeaseRow) => Promise<boolean>): Settle =>
  async (tx, consumer, rows) => {
    let wake = false
    for (const row of rows) wake = (await settle(tx, consumer, row)) || wake
    return wake
  }

const messageOf = (lease: string): string => lease.slice(0, Math.max(0, lease.lastIndexOf('.')))

/**
 * Returns the rows of these leases that are still held, even if expired, unless another caller got the
 * message.
 */
async function heldLeases(
  tx: Transaction<Database>,
  consumer: ConsumerRow,
  leases: readonly string[],
): Promise<LeaseRow[]> {
  const ids = padded(leases.map(messageOf))
  const parameters = [consumer.tenant_id, consumer.name, ...ids]
  const rows = await runPrepared(tx, `held leases ${ids.length}`, parameters, () =>
    selectLeases(tx, consumer).selectAll().where('message_id', 'in', ids).orderBy('created_seq'),
  )
  return rows.filter((row) => row.lease_token !== null && leases.includes(leaseIdOf(row)))
}

/** Settles the leases that are still held, in one transaction with the lock of their consumer. */
async function settleLeases(
  ports: MessagePorts,
  scope: Scope,
  { name, leases }: { name: string; leases: readonly string[] },
  settle: Settle,
): Promise<LeasesAnswer> {
  await requireReadable(ports, scope)
  const { consumer, rows, wake } = await ports.store.write(async (tx) => {
    const consumer = await lockConsumer(ports, tx, scope, name)
    const rows = await heldLeases(tx, consumer, leases)
    const wake = rows.length > 0 && (await settle(tx, consumer, rows))
    return { consumer, rows, wake }
  }, queueOf(scope))
  if (wake) ports.signals.publish(consumerTopic(consumer))
  const held = rows.map(leaseIdOf)
  return { held, lost: leases.filter((lease) => !held.includes(lease)) }
}

type Request<Body> = Body & { name: string }

/** Deletes records of messages settled early, once the consumer has passed them. */
async function forgetPassed(tx: Transaction<Database>, consumer: ConsumerRow): Promise<void> {
  const behind = await selectLeases(tx, consumer)
    .select((rows) => rows.fn.min('tail_after').as('tail_after'))
    .executeTakeFirst()
  await tx
    .deleteFrom('consumer_settled')
    .where('tenant_id', '=', consumer.tenant_id)
    .where('consumer', '=', consumer.name)
    .where('state', '=', 'done')
    .where('created_seq', '<=', Math.min(consumer.cursor, behind?.tail_after ?? consumer.cursor))
    .execute()
}

/** Marks messages as handled, wherever they are, so that they are never leased. */
export async function settleAlong(
  tx: Transaction<Database>,
  consumer: ConsumerRow,
  ids: readonly string[],
  time: string,
): Promise<void> {
  await forgetPassed(tx, consumer)
  const messages = await tx
    .selectFrom('messages')
    .select(['tenant_id', 'id as message_id', 'created_seq'])
    .where('tenant_id', '=', consumer.tenant_id)
    .where('id', 'in', ids)
    // Including unanswerable messages that a handler waited for.
    .where(meantFor({ ...consumer, unanswerable: 1 }))
    .execute()
  if (messages.length === 0) return
  const settled = { consumer: consumer.name, state: 'done' as const, attempts: 0, settled_at: time }
  await tx
    .insertInto('consumer_settled')
    .values(messages.map((message) => ({ ...message, ...settled })))
    .execute()
  const held = await selectLeases(tx, consumer).selectAll().where('message_id', 'in', ids).execute()
  await endLeases(tx, consumer, held, time)
}

/** Stores that messages in spam or trash were handled, so that they are not leased again when restored. */
async function rememberHandled(
  tx: Transaction<Database>,
  { tenant_id, name }: ConsumerRow,
  rows: readonly LeaseRow[],
  time: string,
): Promise<void> {
  const ids = padded(rows.map((row) => row.message_id))
  const hidden = await runPrepared(tx, `handled hidden ${ids.length}`, [tenant_id, ...ids], () =>
    tx
      .selectFrom('messages')
      .select(['id as message_id', 'created_seq'])
      .where('tenant_id', '=', tenant_id)
      .where('id', 'in', ids)
      .where((where) => where.or(awayLabelIds.map((id) => labelled('messages', id)))),
  )
  if (hidden.length === 0) return
  const handled = { tenant_id, consumer: name, state: 'had' as const, attempts: 0, settled_at: time }
  await tx
    .insertInto('consumer_settled')
    .values(hidden.map((message) => ({ ...message, ...handled })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Acknowledges handled messages. @throws ServiceError `not_found` */
export const ackLeases = (
  ports: MessagePorts,
  scope: Scope,
  request: Request<AckBody>,
): Promise<LeasesAnswer> =>
  settleLeases(ports, scope, request, async (tx, consumer, rows) => {
    const { message_ids } = request
    if (message_ids.length > 0) await settleAlong(tx, consumer, message_ids, now(ports))
    await rememberHandled(tx, consumer, rows, now(ports))
    return endLeases(tx, consumer, rows, now(ports))
  })

/**
 * Gives back messages that were not handled: they are delivered again later, become dead letters, or are handed over.
 *
 * @throws ServiceError `not_found`
 */
export const nackLeases = (
  ports: MessagePorts,
  scope: Scope,
  request: Request<NackBody>,
): Promise<LeasesAnswer> =>
  settleLeases(
    ports,
    scope,
    request,
    oneByOne(async (tx, consumer, row) => {
      // The next request for messages hands it over: this transaction does not lock the account.
      if (isExhausted(row) && row.hands_over === 0) return buryLease(tx, consumer, row, now(ports))
      const due_at = timeOf(ports.clock.now() + (request.delay_ms ?? backoffMs(row.attempts)))
      await setLease(tx, row, { lease_token: null, lease_until: null, due_at })
      return true
    }),
  )

/** Extends the leases of messages that are still being handled. @throws ServiceError `not_found` */
export const extendLeases = (
  ports: MessagePorts,
  scope: Scope,
  request: Request<{ leases: string[] }>,
): Promise<LeasesAnswer> =>
  settleLeases(
    ports,
    scope,
    request,
    oneByOne(async (tx, _consumer, row) => {
      await setLease(tx, row, leaseTimes(ports, row.attempts))
      return false
    }),
  )

/**
 * Releases messages whose handling has not begun: the attempt does not count. @throws ServiceError
 * `not_found`
 */
export const releaseLeases = (
  ports: MessagePorts,
  scope: Scope,
  request: Request<{ leases: string[] }>,
): Promise<LeasesAnswer> =>
  settleLeases(
    ports,
    scope,
    request,
    oneByOne(async (tx, _consumer, row) => {
      const free = { lease_token: null, lease_until: null, due_at: now(ports) }
      await setLease(tx, row, { ...free, attempts: row.attempts - 1 })
      return true
    }),
  )
