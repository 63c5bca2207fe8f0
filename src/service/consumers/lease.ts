import { sql, type Transaction } from 'kysely'
import { type LeaseBody, type LeasedMessage, leaseMs, maxAttempts } from '../../protocol/records/consumer'
import { messagesRoutes } from '../../protocol/routes/messages'
import { refuseUnreadable, requireReadable } from '../accounts/account'
import { requireScope, type Scope } from '../accounts/keys'
import { randomDigitsOf } from '../base/ids'
import { now, timeOf } from '../base/time'
import { logTopic } from '../log/event-log'
import { pollUntil } from '../log/poll-until'
import { readSummaries } from '../messages/messages'
import type { MessagePorts } from '../messages/ports'
import type { LogHint } from '../ports'
import { insertPrepared, padded, runPrepared } from '../store/prepared'
import type { Database } from '../store/tables/schema'
import { type ConsumerRow, consumerTopic, lockConsumer, queueOf, requireReached } from './consumers'
import { handOverGivenUp } from './give-up'
import { findNewThreads, type NewThreads } from './scan'
import {
  buryLease,
  endLeases,
  isExhausted,
  isNotOnHold,
  type LeaseRow,
  meantFor,
  newLease,
  selectLeases,
} from './work'

const firstBackoffMs = 10_000

/** Scopes that hand a thread over, here as by the operation. */
const handsOver = messagesRoutes.handOver.access

/** Returns the back-off in ms after this many attempts: from the second attempt on, doubling. */
export const backoffMs = (attempts: number): number =>
  attempts < 2 || attempts >= maxAttempts ? 0 : firstBackoffMs * 2 ** (attempts - 2)

/** Returns the times of a lease given or extended now: its end, and when its message is due again. */
export function leaseTimes(ports: MessagePorts, attempts: number): Pick<LeaseRow, 'lease_until' | 'due_at'> {
  const untilMs = ports.clock.now() + leaseMs
  return { lease_until: timeOf(untilMs), due_at: timeOf(untilMs + backoffMs(attempts)) }
}

/** Returns the id of a lease, which proves that its holder has the message. */
export const leaseIdOf = ({ message_id, lease_token }: LeaseRow): string => `${message_id}.${lease_token}`

/**
 * Returns the leases that can be given now, longest waiting first: the oldest of each thread without an
 * active lease.
 */
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
      .where(isNotOnHold)
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

/** Returns the leases whose messages were deleted, or are no longer for this consumer. */
async function findDeleted(
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
 * Returns due leases. Exhausted leases and those of deleted messages are ended first, so that the next
 * messages of their threads can follow. If some of them are to be handed over, only these are returned.
 */
async function takeableLeases(
  tx: Transaction<Database>,
  consumer: ConsumerRow,
  time: string,
  limit: number,
): Promise<{ due: LeaseRow[]; givenUp: LeaseRow[] }> {
  for (;;) {
    const due = await dueLeases(tx, consumer, time, limit)
    const deleted = await findDeleted(tx, consumer, due)
    const exhausted = due.filter((row) => !deleted.has(row) && isExhausted(row))
    if (deleted.size + exhausted.length === 0) return { due, givenUp: [] }
    await endLeases(tx, consumer, [...deleted], time)
    const givenUp = exhausted.filter((row) => row.hands_over === 1)
    for (const row of exhausted) if (row.hands_over === 0) await buryLease(tx, consumer, row, time)
    if (givenUp.length > 0) return { due: [], givenUp }
  }
}

interface Chosen {
  due: LeaseRow[]
  fresh: NewThreads['messages']
}

/**
 * Chooses the messages that waited longest, so that neither new messages nor a busy thread delay the others.
 * It chooses nothing beyond the new cursor.
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

/** Returns the cursor after a choice: every message up to it was chosen. */
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

/** Queues the first message of each held thread up to the cursor, until the thread is released. */
async function park(
  tx: Transaction<Database>,
  consumer: ConsumerRow,
  { held }: NewThreads,
  cursor: number,
  time: string,
): Promise<void> {
  const rows = held
    .filter(({ created_seq }) => created_seq <= cursor)
    .map(({ id, thread_id, created_seq }) =>
      newLease(consumer, { id, thread_id, created_seq, tail_after: created_seq, on_hold: 1 }, time),
    )
  await insertPrepared(tx, 'park', rows, (some) => tx.insertInto('consumer_leases').values(some))
}

/** Adds an attempt to each chosen message. */
function counted(ports: MessagePorts, consumer: ConsumerRow, { due, fresh }: Chosen): LeaseRow[] {
  const time = now(ports)
  return [
    ...due,
    ...fresh.map((message) => newLease(consumer, { ...message, tail_after: message.created_seq }, time)),
  ].map((row) => ({ ...row, attempts: row.attempts + 1 }))
}

/** Separates the request id from the random part of a lease token. */
const mark = '-'

/**
 * Finds the open leases of an earlier request with the same id: it is repeated only if its answer was lost.
 */
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
    .where(isNotOnHold)
    .where('lease_until', '>', time)
    .orderBy('created_seq')
    .execute()
}

/**
 * Stores the leases, always with a new token: a caller whose answer was not received releases only the leases
 * of that answer.
 */
async function writeLeases(
  ports: MessagePorts,
  tx: Transaction<Database>,
  consumer: ConsumerRow,
  rows: readonly LeaseRow[],
  { request_id: requestId, on_give_up }: LeaseBody,
): Promise<LeaseRow[]> {
  if (rows.length === 0) return []
  const lease_token = (requestId === undefined ? '' : requestId + mark) + randomDigitsOf(12)
  const hands_over = on_give_up === 'hand_over' ? 1 : 0
  const leased = rows.map((row) => ({
    // All rows have their columns in the same order.
    ...newLease(consumer, { id: row.message_id, ...row }, row.due_at),
    ...row,
    lease_token,
    leased_at: now(ports),
    hands_over,
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
          leased_at: row.ref('excluded.leased_at'),
          lease_until: row.ref('excluded.lease_until'),
          due_at: row.ref('excluded.due_at'),
          hands_over: row.ref('excluded.hands_over'),
        })),
      ),
  )
  return leased
}

/** Snapshot of a consumer: log head, cursor, next due lease. */
interface Standing {
  /** End of the log. */
  head: number
  cursor: number
  nextDueAt: string | null
}

/** Snapshot that differs from every other one. */
const nothingSeen: Standing = { head: -1, cursor: -1, nextDueAt: null }

interface Taken {
  rows: LeaseRow[]
  /** Snapshot to wait on; null if more may be ready now. */
  quiet: Standing | null
  /** Exhausted leases to hand over to people: then nothing else was leased. */
  givenUp?: readonly LeaseRow[]
}

async function takeSome(ports: MessagePorts, scope: Scope, name: string, request: LeaseBody): Promise<Taken> {
  const { max, request_id } = request
  return ports.store.write(async (tx) => {
    const consumer = await lockConsumer(ports, tx, scope, name)
    const time = now(ports)
    const given = await givenBefore(tx, consumer, request_id, time)
    if (given.length > 0) {
      const rows = await writeLeases(ports, tx, consumer, given, request)
      return { rows, quiet: null }
    }
    // It was paused since the caller looked at it.
    if (consumer.paused_at !== null) return { rows: [], quiet: nothingSeen }
    const { due, givenUp } = await takeableLeases(tx, consumer, time, max)
    if (givenUp.length > 0) return { rows: [], quiet: null, givenUp }
    const found = await findNewThreads(tx, consumer, max)
    const chosen = choose(due, found, max)
    const cursor = reachedBy(found, chosen)
    await park(tx, consumer, found, cursor, time)
    await moveCursor(tx, consumer, cursor)
    const rows = await writeLeases(ports, tx, consumer, counted(ports, consumer, chosen), request)
    if (rows.length > 0) return { rows, quiet: null }
    const next = await selectLeases(tx, consumer)
      .select((one) => one.fn.min('due_at').as('due_at'))
      .where(isNotOnHold)
      .where('due_at', '>', time)
      .executeTakeFirst()
    const { head, reached } = found
    return { rows, quiet: found.complete ? { head, cursor: reached, nextDueAt: next?.due_at ?? null } : null }
  }, queueOf(scope))
}

/** Leases messages, after a hand-over of those that were given up: it locks the account, and so comes between. */
async function takeNext(ports: MessagePorts, scope: Scope, name: string, body: LeaseBody): Promise<Taken> {
  const taken = await takeSome(ports, scope, name, body)
  if (taken.givenUp) await handOverGivenUp(ports, scope, name, taken.givenUp)
  return taken
}

/**
 * Reads the snapshot of a consumer by one query, which locks nothing.
 *
 * @throws ServiceError `not_found`, `account_suspended`, `account_expired`
 */
async function lookAt(
  ports: MessagePorts,
  scope: Scope,
  name: string,
): Promise<Standing & Pick<ConsumerRow, 'paused_at'>> {
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
        'consumers.paused_at',
        'accounts.seq as head',
        'accounts.suspended_at',
        'accounts.onboarding_state',
        'accounts.unclaimed_expires_at',
        selectFrom('consumer_leases')
          .select(({ fn }) => fn.min('due_at').as('due_at'))
          .whereRef('consumer_leases.tenant_id', '=', 'consumers.tenant_id')
          .whereRef('consumer_leases.consumer', '=', 'consumers.name')
          .where(isNotOnHold)
          .as('nextDueAt'),
      ]),
  )
  // An unreadable account is reported first, with or without the consumer.
  if (row) refuseUnreadable(ports, row)
  else await requireReadable(ports, scope)
  return requireReached(scope, row, name)
}

/**
 * Checks that nothing can be leased: either all is leased and settled, or nothing changed since a poll that
 * found nothing.
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

/** Checks whether a hint is about a received message: nothing else is worth a poll. */
const tellsOfMail = (hint?: LogHint): boolean =>
  !hint || hint().some(({ type }) => type === 'message.received' || type === 'label.unassigned')

const dueMs = ({ nextDueAt }: Standing) => (nextDueAt === null ? undefined : Date.parse(nextDueAt))

/**
 * Leases messages, up to `max`, waiting up to `wait_ms` for the first. A repeated request returns the same
 * messages, and no others until they are settled.
 *
 * @throws ServiceError `not_found`, `account_expired`, `account_suspended`; `insufficient_scope` to hand over
 */
export async function leaseMessages(
  ports: MessagePorts,
  scope: Scope,
  name: string,
  body: LeaseBody,
  signal?: AbortSignal,
): Promise<LeaseRow[]> {
  if (body.on_give_up === 'hand_over') requireScope(scope, handsOver)
  const topics = {
    [logTopic(scope.tenantId)]: tellsOfMail,
    [consumerTopic({ tenant_id: scope.tenantId, name })]: () => true,
  }
  let quiet: Standing | null = null
  // A repeated request gets its leases from a paused consumer, too: else each would count an attempt.
  let mayRepeat = body.request_id !== undefined
  return pollUntil(ports, { waitMs: body.wait_ms, signal, topics }, async () => {
    const standing = await lookAt(ports, scope, name)
    if (standing.paused_at !== null && !mayRepeat) return { answer: [], done: false }
    mayRepeat = false
    if (isQuiet(ports, standing, quiet)) {
      quiet = standing
      return { answer: [], done: false, againAtMs: dueMs(standing) }
    }
    let taken = await takeNext(ports, scope, name, body)
    // A long history takes several transactions. Each keeps its progress, and an answer means that all was
    // scanned.
    while (taken.rows.length === 0 && taken.quiet === null && !signal?.aborted)
      taken = await takeNext(ports, scope, name, body)
    quiet = taken.quiet
    return { answer: taken.rows, done: taken.rows.length > 0, againAtMs: quiet ? dueMs(quiet) : 0 }
  })
}

/** Returns the position of the last release of each thread that people held and released. */
async function releasesOf(
  { store }: MessagePorts,
  { tenantId }: Scope,
  rows: readonly LeaseRow[],
): Promise<ReadonlyMap<string, number>> {
  if (rows.length === 0) return new Map()
  const ids = padded(rows.map((row) => row.thread_id))
  const threads = await runPrepared(store.db, `releases ${ids.length}`, [tenantId, ...ids], () =>
    store.db
      .selectFrom('threads')
      .select(['id', 'released_seq'])
      .where('tenant_id', '=', tenantId)
      .where('id', 'in', ids)
      .where('released_seq', '>', sql.lit(0)),
  )
  return new Map(threads.map(({ id, released_seq }) => [id, released_seq]))
}

/** Returns leased rows with their messages; erased messages are omitted. */
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
  const releases = await releasesOf(ports, scope, rows)
  return rows.flatMap((row) => {
    const message = messages.get(row.message_id)
    if (!message) return []
    const { attempts: attempt, redriven, lease_until } = row
    const handed_back = (releases.get(row.thread_id) ?? 0) > row.created_seq
    const state = { attempt, redriven: redriven === 1, handed_back }
    return { lease: leaseIdOf(row), lease_until: lease_until!, ...state, message }
  })
}
