import type { Transaction } from 'kysely'
import type { AckBody, LeasesAnswer, NackBody } from '../../protocol/consumer'
import { padded, runPrepared } from '../store/prepared'
import type { Database } from '../store/schema'
import { requireReadable } from './account'
import { backoffMs, leaseOf, leaseTimes } from './consumer-lease'
import {
  buryDelivery,
  type DeliveryRow,
  endDeliveries,
  isSpent,
  meantFor,
  selectDeliveries,
  setDelivery,
} from './consumer-work'
import { type ConsumerRow, consumerTopic, lockConsumer } from './consumers'
import { type Core, now, timeOf } from './context'
import type { Scope } from './keys'

/** What is done to deliveries that are held; true where another may be had now. */
type Settle = (tx: Transaction<Database>, consumer: ConsumerRow, rows: DeliveryRow[]) => Promise<boolean>

/** The same one by one. */
const oneByOne =
  (
    settle: (tx: Transaction<Database>, consumer: ConsumerRow, row: DeliveryRow) => Promise<boolean>,
  ): Settle =>
  async (tx, consumer, rows) => {
    let wake = false
    for (const row of rows) wake = (await settle(tx, consumer, row)) || wake
    return wake
  }

const messageOf = (lease: string): string => lease.slice(0, Math.max(0, lease.lastIndexOf('.')))

/** The deliveries that are held by these leases, also where one has run out and nobody else has come. */
async function heldDeliveries(
  tx: Transaction<Database>,
  consumer: ConsumerRow,
  leases: readonly string[],
): Promise<DeliveryRow[]> {
  const ids = padded(leases.map(messageOf))
  const parameters = [consumer.tenant_id, consumer.name, ...ids]
  const rows = await runPrepared(tx, `held deliveries ${ids.length}`, parameters, () =>
    selectDeliveries(tx, consumer).selectAll().where('message_id', 'in', ids).orderBy('created_seq'),
  )
  return rows.filter((row) => row.lease_token !== null && leases.includes(leaseOf(row)))
}

/** Does this to the deliveries that are held by the leases. */
async function settleLeases(
  core: Core,
  scope: Scope,
  { name, leases }: { name: string; leases: readonly string[] },
  settle: Settle,
): Promise<LeasesAnswer> {
  await requireReadable(core, scope)
  const { consumer, rows, wake } = await core.store.write(async (tx) => {
    const consumer = await lockConsumer(core, tx, scope, name)
    const rows = await heldDeliveries(tx, consumer, leases)
    const wake = rows.length > 0 && (await settle(tx, consumer, rows))
    return { consumer, rows, wake }
  })
  if (wake) core.signals.publish(consumerTopic(consumer))
  const held = rows.map(leaseOf)
  return { held, lost: leases.filter((lease) => !held.includes(lease)) }
}

type Request<Body> = Body & { name: string }

/** Forgets which messages were handled along where the consumer has come past them. */
async function forgetPassed(tx: Transaction<Database>, consumer: ConsumerRow): Promise<void> {
  const behind = await selectDeliveries(tx, consumer)
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

/** Sees to it that messages are not handed out, wherever they stand. */
async function settleAlong(
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
    .where(meantFor(consumer))
    .execute()
  if (messages.length === 0) return
  const settled = { consumer: consumer.name, state: 'done' as const, attempts: 0, settled_at: time }
  await tx
    .insertInto('consumer_settled')
    .values(messages.map((message) => ({ ...message, ...settled })))
    .execute()
  const held = await selectDeliveries(tx, consumer).selectAll().where('message_id', 'in', ids).execute()
  await endDeliveries(tx, consumer, held, time)
}

/** Messages that were handled. @throws ServiceError `not_found` */
export const ackLeases = (core: Core, scope: Scope, request: Request<AckBody>): Promise<LeasesAnswer> =>
  settleLeases(core, scope, request, async (tx, consumer, rows) => {
    const { message_ids } = request
    if (message_ids.length > 0) await settleAlong(tx, consumer, message_ids, now(core))
    return endDeliveries(tx, consumer, rows, now(core))
  })

/** Messages that were not handled: later again, or dead letters now. @throws ServiceError `not_found` */
export const nackLeases = (core: Core, scope: Scope, request: Request<NackBody>): Promise<LeasesAnswer> =>
  settleLeases(
    core,
    scope,
    request,
    oneByOne(async (tx, consumer, row) => {
      if (isSpent(row)) return buryDelivery(tx, consumer, row, now(core))
      const due_at = timeOf(core.clock.now() + (request.delay_ms ?? backoffMs(row.attempts)))
      await setDelivery(tx, row, { lease_token: null, lease_until: null, due_at })
      return true
    }),
  )

/** Messages that are still being handled. @throws ServiceError `not_found` */
export const extendLeases = (
  core: Core,
  scope: Scope,
  request: Request<{ leases: string[] }>,
): Promise<LeasesAnswer> =>
  settleLeases(
    core,
    scope,
    request,
    oneByOne(async (tx, _consumer, row) => {
      await setDelivery(tx, row, leaseTimes(core, row.attempts))
      return false
    }),
  )

/** Messages that nobody has begun with. @throws ServiceError `not_found` */
export const releaseLeases = (
  core: Core,
  scope: Scope,
  request: Request<{ leases: string[] }>,
): Promise<LeasesAnswer> =>
  settleLeases(
    core,
    scope,
    request,
    oneByOne(async (tx, _consumer, row) => {
      const free = { lease_token: null, lease_until: null, due_at: now(core) }
      await setDelivery(tx, row, { ...free, attempts: row.attempts - 1 })
      return true
    }),
  )
