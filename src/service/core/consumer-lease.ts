import type { Transaction } from 'kysely'
import { type Delivery, type LeaseBody, leaseMs, mostAttempts } from '../../protocol/consumer'
import type { LogHint } from '../ports'
import { insertPrepared, runPrepared } from '../store/prepared'
import type { Database } from '../store/schema'
import { findNewThreads, type NewThreads } from './consumer-scan'
import {
  buryDelivery,
  type DeliveryRow,
  endDeliveries,
  isSpent,
  meantFor,
  newDelivery,
  selectDeliveries,
} from './consumer-work'
import { type ConsumerRow, consumerRow, consumerTopic, lockConsumer } from './consumers'
import { type Core, now, timeOf } from './context'
import { logTopic } from './event-log'
import { randomDigitsOf } from './ids'
import type { Scope } from './keys'
import { lookUntil } from './look-until'
import { readSummaries } from './messages'

const firstBackoffMs = 10_000

/** How long a message that was had so often is waited with: from the third attempt on, doubling. */
export const backoffMs = (attempts: number): number =>
  attempts < 2 || attempts >= mostAttempts ? 0 : firstBackoffMs * 2 ** (attempts - 2)

/** When a lease that is given or extended now ends, and when somebody else can have its message. */
export function leaseTimes(core: Core, attempts: number): Pick<DeliveryRow, 'lease_until' | 'due_at'> {
  const untilMs = core.clock.now() + leaseMs
  return { lease_until: timeOf(untilMs), due_at: timeOf(untilMs + backoffMs(attempts)) }
}

/** What proves that somebody has a message. */
export const leaseOf = ({ message_id, lease_token }: DeliveryRow): string => `${message_id}.${lease_token}`

/** Deliveries that can be had now, those that have waited longest first: the oldest of each thread that nobody is at. */
function dueDeliveries(
  tx: Transaction<Database>,
  consumer: ConsumerRow,
  time: string,
  limit: number,
): Promise<DeliveryRow[]> {
  const parameters = [consumer.tenant_id, consumer.name, time, time, limit]
  return runPrepared(tx, 'due deliveries', parameters, () =>
    selectDeliveries(tx, consumer)
      .selectAll()
      .where('due_at', '<=', time)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('consumer_deliveries as other')
              .select('other.message_id')
              .whereRef('other.tenant_id', '=', 'consumer_deliveries.tenant_id')
              .whereRef('other.consumer', '=', 'consumer_deliveries.consumer')
              .whereRef('other.thread_id', '=', 'consumer_deliveries.thread_id')
              .whereRef('other.message_id', '!=', 'consumer_deliveries.message_id')
              .where(({ or, eb }) =>
                or([
                  eb('other.created_seq', '<', eb.ref('consumer_deliveries.created_seq')),
                  eb('other.lease_until', '>', time),
                ]),
              ),
          ),
        ),
      )
      .orderBy('due_at')
      .orderBy('created_seq')
      .limit(limit),
  )
}

/** Messages that are no longer there, or no longer for this consumer. */
async function findGone(
  tx: Transaction<Database>,
  consumer: ConsumerRow,
  rows: readonly DeliveryRow[],
): Promise<ReadonlySet<DeliveryRow>> {
  if (rows.length === 0) return new Set()
  const ids = rows.map((row) => row.message_id)
  const there = await tx
    .selectFrom('messages')
    .select('id')
    .where('tenant_id', '=', consumer.tenant_id)
    .where('id', 'in', ids)
    .where(meantFor(consumer))
    .execute()
  const known = new Set(there.map((row) => row.id))
  return new Set(rows.filter((row) => !known.has(row.message_id)))
}

/** The same, once those that were had too often and those that are gone have made place for what follows them. */
async function takeableDeliveries(
  tx: Transaction<Database>,
  consumer: ConsumerRow,
  time: string,
  limit: number,
): Promise<DeliveryRow[]> {
  for (;;) {
    const due = await dueDeliveries(tx, consumer, time, limit)
    const gone = await findGone(tx, consumer, due)
    const spent = due.filter((row) => !gone.has(row) && isSpent(row))
    if (gone.size + spent.length === 0) return due
    await endDeliveries(tx, consumer, [...gone], time)
    for (const row of spent) await buryDelivery(tx, consumer, row, time)
  }
}

interface Chosen {
  due: DeliveryRow[]
  fresh: NewThreads['messages']
}

/**
 * Whoever has waited longest comes first, so that neither new mail nor a busy thread keeps the others waiting; and
 * nothing beyond what the cursor comes to.
 */
function choose(due: readonly DeliveryRow[], found: NewThreads, most: number): Chosen {
  const chosen: Chosen = { due: [], fresh: [] }
  while (chosen.due.length + chosen.fresh.length < most) {
    const [one, other] = [due[chosen.due.length], found.messages[chosen.fresh.length]]
    const reached = other ? other.created_seq - 1 : found.reached
    const isNext = one && one.created_seq <= reached && (!other || one.due_at <= other.created_at)
    if (isNext) chosen.due.push(one)
    else if (other) chosen.fresh.push(other)
    else break
  }
  return chosen
}

/** How far it came: up to where nothing is left that it did not choose. */
function reachedBy({ messages, reached }: NewThreads, { fresh }: Chosen): number {
  const next = messages[fresh.length]
  return next ? next.created_seq - 1 : reached
}

async function moveCursor(tx: Transaction<Database>, consumer: ConsumerRow, cursor: number): Promise<void> {
  if (cursor === consumer.cursor) return
  await tx
    .updateTable('consumers')
    .set({ cursor })
    .where('tenant_id', '=', consumer.tenant_id)
    .where('name', '=', consumer.name)
    .execute()
}

/** Counted as had once more. */
function counted(core: Core, consumer: ConsumerRow, { due, fresh }: Chosen): DeliveryRow[] {
  const time = now(core)
  return [
    ...due,
    ...fresh.map((message) => newDelivery(consumer, { ...message, tail_after: message.created_seq }, time)),
  ].map((row) => ({ ...row, attempts: row.attempts + 1 }))
}

/** Between what a request calls itself and what makes each lease another. */
const mark = '-'

/** What a request was given before and is not done with: its answer got lost, else it would not come again. */
async function givenBefore(
  tx: Transaction<Database>,
  consumer: ConsumerRow,
  requestId: string | undefined,
  time: string,
): Promise<DeliveryRow[]> {
  if (requestId === undefined) return []
  return selectDeliveries(tx, consumer)
    .selectAll()
    .where('lease_token', 'like', `${requestId}${mark}%`)
    .where('lease_until', '>', time)
    .orderBy('created_seq')
    .execute()
}

/**
 * Writes down that somebody has these. The leases are new in any case: whoever finds that nobody took the answer gives
 * back only what was in that answer.
 */
async function leaseDeliveries(
  core: Core,
  tx: Transaction<Database>,
  consumer: ConsumerRow,
  rows: readonly DeliveryRow[],
  requestId: string | undefined,
): Promise<DeliveryRow[]> {
  if (rows.length === 0) return []
  const lease_token = (requestId === undefined ? '' : requestId + mark) + randomDigitsOf(12)
  const leased = rows.map((row) => ({
    // All with their columns in one order.
    ...newDelivery(consumer, { id: row.message_id, ...row }, row.due_at),
    ...row,
    lease_token,
    ...leaseTimes(core, row.attempts),
  }))
  await insertPrepared(tx, 'lease', leased, (some) =>
    tx
      .insertInto('consumer_deliveries')
      .values(some)
      .onConflict((conflict) =>
        conflict.columns(['tenant_id', 'consumer', 'message_id']).doUpdateSet((row) => ({
          attempts: row.ref('excluded.attempts'),
          lease_token: row.ref('excluded.lease_token'),
          lease_until: row.ref('excluded.lease_until'),
          due_at: row.ref('excluded.due_at'),
        })),
      ),
  )
  return leased
}

interface Taken {
  rows: DeliveryRow[]
  /** There may be more at once. */
  again: boolean
  nextDueAt: string | null
}

async function takeSome(
  core: Core,
  scope: Scope,
  name: string,
  { max: most, request_id }: LeaseBody,
): Promise<Taken> {
  return core.store.write(async (tx) => {
    const consumer = await lockConsumer(core, tx, scope, name)
    const time = now(core)
    const given = await givenBefore(tx, consumer, request_id, time)
    if (given.length > 0) {
      const rows = await leaseDeliveries(core, tx, consumer, given, request_id)
      return { rows, again: false, nextDueAt: null }
    }
    const due = await takeableDeliveries(tx, consumer, time, most)
    const found = await findNewThreads(tx, consumer, most)
    const chosen = choose(due, found, most)
    await moveCursor(tx, consumer, reachedBy(found, chosen))
    const rows = await leaseDeliveries(core, tx, consumer, counted(core, consumer, chosen), request_id)
    if (rows.length > 0) return { rows, again: false, nextDueAt: null }
    const next = await selectDeliveries(tx, consumer)
      .select((one) => one.fn.min('due_at').as('due_at'))
      .where('due_at', '>', time)
      .executeTakeFirst()
    return { rows, again: !found.complete, nextDueAt: next?.due_at ?? null }
  })
}

/** Only mail that came in is worth a look. */
const tellsOfMail = (hint?: LogHint): boolean =>
  !hint || hint().some(({ type }) => type === 'message.received' || type === 'label.unassigned')

/**
 * Hands out messages, up to `max`, waiting up to `wait_ms` for the first. A request that is repeated gets the same
 * again, and nothing else while it is not done with them.
 *
 * @throws ServiceError `not_found`, `account_expired`
 */
export async function leaseMessages(
  core: Core,
  scope: Scope,
  name: string,
  body: LeaseBody,
  signal?: AbortSignal,
): Promise<DeliveryRow[]> {
  const consumer = await consumerRow(core, scope, name)
  const topics = { [logTopic(scope.tenantId)]: tellsOfMail, [consumerTopic(consumer)]: () => true }
  return lookUntil(core, { waitMs: body.wait_ms, signal, topics }, async () => {
    const { rows, again, nextDueAt } = await takeSome(core, scope, name, body)
    const againAtMs = again ? 0 : nextDueAt === null ? undefined : Date.parse(nextDueAt)
    return { answer: rows, done: rows.length > 0, againAtMs }
  })
}

/** What was handed out, as it is told; a message that was erased meanwhile is left out. */
export async function deliveriesOf(
  core: Core,
  tenantId: string,
  rows: readonly DeliveryRow[],
): Promise<Delivery[]> {
  const messages = await readSummaries(
    core,
    tenantId,
    rows.map((row) => row.message_id),
  )
  return rows.flatMap((row) => {
    const message = messages.get(row.message_id)
    if (!message) return []
    const { attempts: attempt, redriven, lease_until } = row
    return { lease: leaseOf(row), lease_until: lease_until!, attempt, redriven: redriven === 1, message }
  })
}
