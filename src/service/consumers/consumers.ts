import type { Kysely, Selectable, Transaction } from 'kysely'
import type { Consumer, ConsumerBody, ConsumerState } from '../../protocol/records/consumer'
import {
  accountRow,
  type CountLimit,
  requireBelowLimit,
  requireManaging,
  requireReadable,
} from '../accounts/account'
import type { Scope } from '../accounts/keys'
import { decodeIdCursor, pageOf } from '../base/cursor'
import { notFound, refuse } from '../base/refuse'
import { administrator, narrowAuthor, senderColumn, storedSender } from '../base/sender'
import { now } from '../base/time'
import { inboxRow } from '../inboxes/inboxes'
import { audit } from '../log/audit'
import { changeAccount } from '../log/change'
import type { ChangeContext } from '../log/registry'
import { matches } from '../messages/message-filters'
import type { MessagePorts } from '../messages/ports'
import type { ConsumerTable } from '../store/tables/consumer-tables'
import type { Database } from '../store/tables/schema'
import { doubleAnswersOf } from './double-answers'
import { countWork } from './work'

export type ConsumerRow = Selectable<ConsumerTable>

const list = 'consumers'
const maxConsumers = 100

/** Topic that is woken when a consumer may have a message to lease that is not new. */
export const consumerTopic = ({ tenant_id, name }: Pick<ConsumerRow, 'tenant_id' | 'name'>): string =>
  `consumer:${tenant_id}:${name}`

/** Returns a consumer as the caller may see it. */
const consumerRecord = (
  { name, inbox_id, spam, unanswerable, created_at, paused_at, paused_by }: ConsumerRow,
  scope: Scope,
): Consumer => ({
  name,
  inbox_id,
  spam: spam === 1,
  unanswerable: unanswerable === 1,
  paused:
    paused_at === null
      ? null
      : narrowAuthor({ by: storedSender(paused_by) ?? administrator, since: paused_at }, scope),
  created_at,
})

const selectConsumer = (db: Kysely<Database>, tenantId: string, name: string) =>
  db.selectFrom('consumers').selectAll().where('tenant_id', '=', tenantId).where('name', '=', name)

/**
 * Requires that a key reaches a consumer; a key of one inbox only those of it. @throws ServiceError
 * `not_found`
 */
export function requireReached<Row extends Pick<ConsumerRow, 'inbox_id'>>(
  { inboxId }: Scope,
  row: Row | undefined,
  name: string,
): Row {
  if (!row || (inboxId !== null && row.inbox_id !== inboxId)) throw notFound('consumer', name)
  return row
}

/** Write queue for transactions that lock a consumer of an account. */
export const queueOf = ({ tenantId }: Scope): string => `${tenantId} consumers`

/**
 * Returns the locked row of a consumer that the key reaches: leases change one request at a time. @throws
 * ServiceError `not_found`
 */
export async function lockConsumer(
  ports: Pick<MessagePorts, 'store'>,
  tx: Transaction<Database>,
  scope: Scope,
  name: string,
): Promise<ConsumerRow> {
  const query = selectConsumer(tx, scope.tenantId, name)
  const row = await (ports.store.dialect === 'postgres' ? query.forUpdate() : query).executeTakeFirst()
  return requireReached(scope, row, name)
}

/** Locks the consumers of an account. */
export const lockConsumers = (tx: Transaction<Database>, tenantId: string): Promise<ConsumerRow[]> =>
  tx
    .updateTable('consumers')
    .set((row) => ({ cursor: row.ref('cursor') }))
    .where('tenant_id', '=', tenantId)
    .returningAll()
    .execute()

/** Returns the row of a consumer that the key reaches. @throws ServiceError `not_found`, `account_expired` */
export async function consumerRow(ports: MessagePorts, scope: Scope, name: string): Promise<ConsumerRow> {
  await requireReadable(ports, scope)
  return requireReached(
    scope,
    await selectConsumer(ports.store.db, scope.tenantId, name).executeTakeFirst(),
    name,
  )
}

/** Returns the position before the consumer's first message. */
async function firstCursor({ tx, account }: ChangeContext, from: ConsumerBody['from']): Promise<number> {
  if (from === 'start' || from === 'unanswered') return 0
  if (from === 'now') return account.seq
  const first = await tx
    .selectFrom('messages')
    .select('created_seq')
    .where('tenant_id', '=', account.tenant_id)
    .where(matches({ tenantId: account.tenant_id, inboxId: null, account }, { after: from, include: 'all' }))
    .orderBy('created_seq')
    .limit(1)
    .executeTakeFirst()
  return first ? first.created_seq - 1 : account.seq
}

const countLimit: CountLimit = {
  max: maxConsumers,
  code: 'consumer_limit_reached',
  message: `The account has ${maxConsumers} consumers, which is the most: delete one. Workers that share the mail use one name.`,
}

function mailOf({ inboxId }: Scope, { inbox_id, spam, unanswerable }: ConsumerRow): string {
  if (inboxId !== null && inbox_id !== inboxId) return 'other inboxes'
  const where = inbox_id === null ? 'every inbox' : `the inbox ${inbox_id}`
  const withOrWithout = (flag: number) => (flag ? 'with' : 'without')
  return `${where}, ${withOrWithout(spam)} spam, ${withOrWithout(unanswerable)} what is unanswerable`
}

function requireSame(
  scope: Scope,
  row: ConsumerRow,
  { inbox_id, spam, unanswerable }: Pick<ConsumerRow, 'inbox_id' | 'spam' | 'unanswerable'>,
): void {
  if (row.inbox_id === inbox_id && row.spam === spam && row.unanswerable === unanswerable) return
  throw refuse(
    'consumer_exists',
    `The consumer ${row.name} is for ${mailOf(scope, row)}: use another name for other mail, or DELETE /consumers/${row.name} first.`,
  )
}

/**
 * Creates a consumer, or finds the one of this name.
 *
 * @throws ServiceError `consumer_exists` if it is for other messages, `consumer_limit_reached`, `not_found`
 * for an inbox
 */
export async function createConsumer(
  ports: MessagePorts,
  scope: Scope,
  { name, from, ...request }: ConsumerBody,
): Promise<{ replayed: boolean; answer: Consumer }> {
  await requireReadable(ports, scope)
  const inbox_id = request.inbox_id ?? scope.inboxId
  if (inbox_id !== null) await inboxRow(ports, scope, inbox_id)
  const wanted = { inbox_id, spam: request.spam ? 1 : 0, unanswerable: request.unanswerable ? 1 : 0 }
  return changeAccount(ports, scope.tenantId, async (change) => {
    const { tx, account } = change
    const held = await selectConsumer(tx, account.tenant_id, name).executeTakeFirst()
    if (held) {
      requireSame(scope, held, wanted)
      return { replayed: true, answer: consumerRecord(held, scope) }
    }
    await requireBelowLimit(change, 'consumers', countLimit)
    const cursor = await firstCursor(change, from)
    const row: ConsumerRow = {
      tenant_id: account.tenant_id,
      name,
      ...wanted,
      began_after: cursor,
      unanswered_until: from === 'unanswered' ? account.seq : 0,
      cursor,
      created_at: change.now,
      paused_at: null,
      paused_by: null,
    }
    await tx.insertInto('consumers').values(row).execute()
    return { replayed: false, answer: consumerRecord(row, scope) }
  })
}

/** Returns the consumers that the key reaches, by name. */
export async function listConsumers(
  ports: MessagePorts,
  scope: Scope,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
) {
  await requireReadable(ports, scope)
  let query = ports.store.db
    .selectFrom('consumers')
    .selectAll()
    .where('tenant_id', '=', scope.tenantId)
    .orderBy('name')
    .limit(limit + 1)
  if (scope.inboxId) query = query.where('inbox_id', '=', scope.inboxId)
  if (cursor !== undefined) query = query.where('name', '>', decodeIdCursor(list, cursor))
  const { page, next_cursor } = pageOf(list, await query.execute(), limit, (row) => row.name)
  return { consumers: page.map((row) => consumerRecord(row, scope)), next_cursor }
}

/** @throws ServiceError `not_found`, `account_expired` */
export async function readConsumer(ports: MessagePorts, scope: Scope, name: string): Promise<ConsumerState> {
  const row = await consumerRow(ports, scope, name)
  const work = await countWork(ports.store.db, row, now(ports))
  const answered_twice = await doubleAnswersOf(ports.store.db, row, ports.clock.now())
  return { ...consumerRecord(row, scope), ...work, answered_twice }
}

/**
 * Pauses a consumer, or resumes it: while it is paused, nobody gets new leases of it.
 *
 * @throws ServiceError `claim_required`, `not_found`
 */
export async function pauseConsumer(
  ports: MessagePorts,
  scope: Scope,
  name: string,
  isPaused: boolean,
): Promise<Consumer> {
  requireManaging(await accountRow(ports, scope.tenantId), now(ports))
  const by = scope.sender ?? administrator
  const row = await changeAccount(ports, scope.tenantId, async (change) => {
    const { tx } = change
    const before = await lockConsumer(ports, tx, scope, name)
    if ((before.paused_at !== null) === isPaused) return before
    const paused = isPaused
      ? { paused_at: change.now, paused_by: senderColumn(by) }
      : { paused_at: null, paused_by: null }
    await tx
      .updateTable('consumers')
      .set(paused)
      .where('tenant_id', '=', scope.tenantId)
      .where('name', '=', name)
      .execute()
    await audit(change, { action: isPaused ? 'consumer.paused' : 'consumer.resumed', by, target: name })
    return { ...before, ...paused }
  })
  ports.signals.publish(consumerTopic(row))
  return consumerRecord(row, scope)
}

/** Deletes consumers with all their state. */
export async function dropConsumers(
  tx: Transaction<Database>,
  tenantId: string,
  names: string[],
): Promise<void> {
  if (names.length === 0) return
  for (const table of ['consumer_leases', 'consumer_settled'] as const)
    await tx.deleteFrom(table).where('tenant_id', '=', tenantId).where('consumer', 'in', names).execute()
  await tx.deleteFrom('consumers').where('tenant_id', '=', tenantId).where('name', 'in', names).execute()
}

/** @throws ServiceError `not_found` */
export async function deleteConsumer(ports: MessagePorts, scope: Scope, name: string): Promise<undefined> {
  await requireReadable(ports, scope)
  const row = await ports.store.write(async (tx) => {
    const row = await lockConsumer(ports, tx, scope, name)
    await dropConsumers(tx, scope.tenantId, [name])
    return row
  }, queueOf(scope))
  ports.signals.publish(consumerTopic(row))
}
