import type { Transaction } from 'kysely'
import { type LeaseBody, type LeasedMessage, leaseMs, maxAttempts } from '../../protocol/records'
import { refuseUnreadable, requireReadable, type Scope } from '../accounts'
import { now, randomDigitsOf, timeOf } from '../base'
import { logTopic, pollUntil } from '../log'
import { type MessagePorts, readSummaries } from '../messages'
import type { LogHint } from '../ports'
import { insertPrepared, runPrepared } from '../store'
import type { Database } from '../store/tables'
import { type ConsumerRow, consumerTopic, lockConsumer, queueOf, requireReached } from './consumers'
import { findNewThreads, type NewThreads } from './scan'
import { buryLease, endLeases, isSpent, type LeaseRow, meantFor, newLease, selectLeases } from './work'

const firstBackoffMs = 10_000

/** The pause before a message that was had so often can be had again, in ms: from the third attempt on, doubling. */
export const backoffMs = (attempts: number): number =>
  attempts < 2 || attempts >= maxAttempts ? 0 : firstBackoffMs * 2 ** (attempts - 2)

/** The times of a lease that is given or extended now: its end, and when somebody else can have its message. */
export function leaseTimes(ports: MessagePorts, attempts: number): Pick<LeaseRow, 'lease_until' | 'due_at'> {
  const untilMs = ports.clock.now() + leaseMs
  return { lease_until: timeOf(untilMs), due_at: timeOf(untilMs + backoffMs(attempts)) }
}

/** The name of a lease, which proves that its holder has the message. */
export const leaseIdOf = ({ message_id, lease_token }: LeaseRow): string => `${message_id}.${lease_token}`

/** Leases that can be given now, those that have waited longest first: the oldest of each thread that nobody is at. */
function dueLeases(
  tx: Transaction<Database>,
  consumer: ConsumerRow,
  time: string,
  limit: number,
): Promise<LeaseRow[]> {
  const parameters = [consumer.tenant_id, consumer.name, time, time, limit]
  return runPrepared(tx, 'due leases', parameters, () =>
    selectLeases(tx, consumer)
      .selectAll()
      .where('due_at', '<=', time)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('consumer_leases as other')
              .select('other.message_id')
              .whereRef('other.tenant_id', '=', 'consumer_leases.tenant_id')
              .whereRef('other.consumer', '=', 'consumer_leases.consumer')
              .whereRef('other.thread_id', '=', 'consumer_leases.thread_id')
              .whereRef('other.message_id', '!=', 'consumer_leases.message_id')
              .where(({ or, eb }) =>
                or([
                  eb('other.created_seq', '<', eb.ref('consumer_leases.created_seq')),
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
  rows: readonly LeaseRow[],
): Promise<ReadonlySet<LeaseRow>> {
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

/**
 * Finds due leases, once those that were had too often and those that are gone have made place for what follows
 * them.
 */
async function takeableLeases(
  tx: Transaction<Database>,
  consumer: ConsumerRow,
  time: string,
  limit: number,
): Promise<LeaseRow[]> {
  for (;;) {
    const due = await dueLeases(tx, consumer, time, limit)
    const gone = await findGone(tx, consumer, due)
    const spent = due.filter((row) => !gone.has(row) && isSpent(row))
    if (gone.size + spent.length === 0) return due
    await endLeases(tx, consumer, [...gone], time)
    for (const row of spent) await buryLease(tx, consumer, row, time)
  }
}

interface Chosen {
  due: LeaseRow[]
  fresh: NewThreads['messages']
}

/**
 * Chooses whoever has waited longest first, so that neither new mail nor a busy thread keeps the others waiting; and
 * nothing beyond what the cursor comes to.
 */
function choose(due: readonly LeaseRow[], found: NewThreads, max: number): Chosen {
  const chosen: Chosen = { due: [], fresh: [] }
  while (chosen.due.length + chosen.fresh.length < max) {
    const [one, other] = [due[chosen.due.length], found.messages[chosen.fresh.length]]
    const reached = other ? other.created_seq - 1 : found.reached
    const isNext = one && one.created_seq <= reached && (!other || one.due_at <= other.created_at)
    if (isNext) chosen.due.push(one)
    else if (other) chosen.fresh.push(other)
    else break
  }
  return chosen
}

/** The cursor after a choice: nothing is left up to there that was not chosen. */
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

/** Counts each chosen message as had once more. */
function counted(ports: MessagePorts, consumer: ConsumerRow, { due, fresh }: Chosen): LeaseRow[] {
  const time = now(ports)
  return [
    ...due,
    ...fresh.map((message) => newLease(consumer, { ...message, tail_after: message.created_seq }, time)),
  ].map((row) => ({ ...row, attempts: row.attempts + 1 }))
}

/** Between what a request calls itself and what makes each lease another. */
const mark = '-'

/** Finds what a request was given before and is not done with: its answer got lost, else it would not come again. */
async function givenBefore(
  tx: Transaction<Database>,
  consumer: ConsumerRow,
  requestId: string | undefined,
  time: string,
): Promise<LeaseRow[]> {
  if (requestId === undefined) return []
  return selectLeases(tx, consumer)
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
async function writeLeases(
  ports: MessagePorts,
  tx: Transaction<Database>,
  consumer: ConsumerRow,
  rows: readonly LeaseRow[],
  requestId: string | undefined,
): Promise<LeaseRow[]> {
  if (rows.length === 0) return []
  const lease_token = (requestId === undefined ? '' : requestId + mark) + randomDigitsOf(12)
  const leased = rows.map((row) => ({
    // All with their columns in one order.
    ...newLease(consumer, { id: row.message_id, ...row }, row.due_at),
    ...row,
    lease_token,
    ...leaseTimes(ports, row.attempts),
  }))
  await insertPrepared(tx, 'lease', leased, (some) =>
    tx
      .insertInto('consumer_leases')
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

/** Hold what a look at a consumer sees: the end of its log, its place in it, and when its next lease is due. */
interface Standing {
  /** The end of the log. */
  head: number
  cursor: number
  nextDueAt: string | null
}

interface Taken {
  rows: LeaseRow[]
  /** Keep what a look saw that found nothing; null where there may be more at once. */
  quiet: Standing | null
}

async function takeSome(
  ports: MessagePorts,
  scope: Scope,
  name: string,
  { max, request_id }: LeaseBody,
): Promise<Taken> {
  return ports.store.write(async (tx) => {
    const consumer = await lockConsumer(ports, tx, scope, name)
    const time = now(ports)
    const given = await givenBefore(tx, consumer, request_id, time)
    if (given.length > 0) {
      const rows = await writeLeases(ports, tx, consumer, given, request_id)
      return { rows, quiet: null }
    }
    const due = await takeableLeases(tx, consumer, time, max)
    const found = await findNewThreads(tx, consumer, max)
    const chosen = choose(due, found, max)
    await moveCursor(tx, consumer, reachedBy(found, chosen))
    const rows = await writeLeases(ports, tx, consumer, counted(ports, consumer, chosen), request_id)
    if (rows.length > 0) return { rows, quiet: null }
    const next = await selectLeases(tx, consumer)
      .select((one) => one.fn.min('due_at').as('due_at'))
      .where('due_at', '>', time)
      .executeTakeFirst()
    const { head, reached: cursor } = found
    return { rows, quiet: found.complete ? { head, cursor, nextDueAt: next?.due_at ?? null } : null }
  }, queueOf(scope))
}

/**
 * Looks at a consumer by one query, which locks nothing.
 *
 * @throws ServiceError `not_found`, `account_suspended`, `account_expired`
 */
async function lookAt(ports: MessagePorts, scope: Scope, name: string): Promise<Standing> {
  const { db } = ports.store
  const [row] = await runPrepared(db, 'look at consumer', [scope.tenantId, name], () =>
    db
      .selectFrom('consumers')
      .innerJoin('accounts', 'accounts.tenant_id', 'consumers.tenant_id')
      .where('consumers.tenant_id', '=', scope.tenantId)
      .where('consumers.name', '=', name)
      .select(({ selectFrom }) => [
        'consumers.inbox_id',
        'consumers.cursor',
        'accounts.seq as head',
        'accounts.suspended_at',
        'accounts.onboarding_state',
        'accounts.unclaimed_expires_at',
        selectFrom('consumer_leases')
          .select(({ fn }) => fn.min('due_at').as('due_at'))
          .whereRef('consumer_leases.tenant_id', '=', 'consumers.tenant_id')
          .whereRef('consumer_leases.consumer', '=', 'consumers.name')
          .as('nextDueAt'),
      ]),
  )
  // An account that cannot be read says so first, with or without the consumer.
  if (row) refuseUnreadable(ports, row)
  else await requireReadable(ports, scope)
  return requireReached(scope, row, name)
}

/**
 * Tells whether nothing can be handed out: all is handed out and done with, or all is as it was when a look found
 * nothing.
 */
function isQuiet(
  ports: MessagePorts,
  { head, cursor, nextDueAt }: Standing,
  quiet: Standing | null,
): boolean {
  if (quiet === null) return cursor === head && nextDueAt === null
  const isDue = nextDueAt !== null && nextDueAt <= now(ports)
  return head === quiet.head && cursor === quiet.cursor && !isDue
}

/** Tells whether a hint speaks of mail that came in: nothing else is worth a look. */
const tellsOfMail = (hint?: LogHint): boolean =>
  !hint || hint().some(({ type }) => type === 'message.received' || type === 'label.unassigned')

const dueMs = ({ nextDueAt }: Standing) => (nextDueAt === null ? undefined : Date.parse(nextDueAt))

/**
 * Hands out messages, up to `max`, waiting up to `wait_ms` for the first. A request that is repeated gets the same
 * again, and nothing else while it is not done with them.
 *
 * @throws ServiceError `not_found`, `account_expired`, `account_suspended`
 */
export async function leaseMessages(
  ports: MessagePorts,
  scope: Scope,
  name: string,
  body: LeaseBody,
  signal?: AbortSignal,
): Promise<LeaseRow[]> {
  const topics = {
    [logTopic(scope.tenantId)]: tellsOfMail,
    [consumerTopic({ tenant_id: scope.tenantId, name })]: () => true,
  }
  let quiet: Standing | null = null
  return pollUntil(ports, { waitMs: body.wait_ms, signal, topics }, async () => {
    const standing = await lookAt(ports, scope, name)
    if (isQuiet(ports, standing, quiet)) {
      quiet = standing
      return { answer: [], done: false, againAtMs: dueMs(standing) }
    }
    let taken = await takeSome(ports, scope, name, body)
    // A long history takes several transactions. Each keeps its progress, and an answer means that all was scanned.
    while (taken.rows.length === 0 && taken.quiet === null && !signal?.aborted)
      taken = await takeSome(ports, scope, name, body)
    quiet = taken.quiet
    return { answer: taken.rows, done: taken.rows.length > 0, againAtMs: quiet ? dueMs(quiet) : 0 }
  })
}

/** Turns leased rows into what a worker is told; a message that was erased meanwhile is left out. */
export async function leasedMessagesOf(
  ports: MessagePorts,
  scope: Scope,
  rows: readonly LeaseRow[],
): Promise<LeasedMessage[]> {
  const messages = await readSummaries(
    ports,
    scope,
    rows.map((row) => row.message_id),
  )
  return rows.flatMap((row) => {
    const message = messages.get(row.message_id)
    if (!message) return []
    const { attempts: attempt, redriven, lease_until } = row
    return { lease: leaseIdOf(row), lease_until: lease_until!, attempt, redriven: redriven === 1, message }
  })
}
