import type { Kysely, Selectable, Transaction } from 'kysely'
import type { Consumer, ConsumerBody, ConsumerState } from '../../protocol/consumer'
import type { ConsumerTable } from '../store/consumer-tables'
import type { Database } from '../store/schema'
import { requireReadable } from './account'
import { type Change, changeAccount } from './change'
import { countWork } from './consumer-work'
import { type Core, now } from './context'
import { pageOf, readIdCursor } from './cursor'
import { inboxRow } from './inboxes'
import type { Scope } from './keys'
import { matches } from './message-filters'
import { notFound, refuse } from './refuse'
import { type Room, requireRoom } from './require-room'

export type ConsumerRow = Selectable<ConsumerTable>

const list = 'consumers'
const mostConsumers = 100

/** Topic that is woken when a consumer may have something to hand out that is no new mail. */
export const consumerTopic = ({ tenant_id, name }: Pick<ConsumerRow, 'tenant_id' | 'name'>): string =>
  `consumer:${tenant_id}:${name}`

const consumerRecord = ({ name, inbox_id, spam, created_at }: ConsumerRow): Consumer => ({
  name,
  inbox_id,
  spam: spam === 1,
  created_at,
})

const selectConsumer = (db: Kysely<Database>, tenantId: string, name: string) =>
  db.selectFrom('consumers').selectAll().where('tenant_id', '=', tenantId).where('name', '=', name)

/** A key of one inbox sees the consumers of this inbox only. @throws ServiceError `not_found` */
function requireReached({ inboxId }: Scope, row: ConsumerRow | undefined, name: string): ConsumerRow {
  if (!row || (inboxId !== null && row.inbox_id !== inboxId)) throw notFound('consumer', name)
  return row
}

/** The row of a consumer that the key reaches, locked: who hands out or takes back is alone. @throws ServiceError `not_found` */
export async function lockConsumer(
  core: Pick<Core, 'store'>,
  tx: Transaction<Database>,
  scope: Scope,
  name: string,
): Promise<ConsumerRow> {
  const query = selectConsumer(tx, scope.tenantId, name)
  const row = await (core.store.dialect === 'postgres' ? query.forUpdate() : query).executeTakeFirst()
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

/** The row of a consumer that the key reaches. @throws ServiceError `not_found`, `account_expired` */
export async function consumerRow(core: Core, scope: Scope, name: string): Promise<ConsumerRow> {
  await requireReadable(core, scope)
  return requireReached(
    scope,
    await selectConsumer(core.store.db, scope.tenantId, name).executeTakeFirst(),
    name,
  )
}

/** The position before the first message that it gets. */
async function firstCursor(core: Core, { tx, account }: Change, from: ConsumerBody['from']): Promise<number> {
  if (from === 'start') return 0
  if (from === 'now') return account.seq
  const first = await tx
    .selectFrom('messages')
    .select('created_seq')
    .where('tenant_id', '=', account.tenant_id)
    .where(
      matches(
        core,
        { tenantId: account.tenant_id, inboxId: null, account },
        { after: from, include: 'spam' },
      ),
    )
    .orderBy('created_seq')
    .limit(1)
    .executeTakeFirst()
  return first ? first.created_seq - 1 : account.seq
}

const room: Room = {
  most: mostConsumers,
  code: 'consumer_limit_reached',
  message: `The account has ${mostConsumers} consumers, which is the most: delete one. Workers that share the mail use one name.`,
}

function mailOf({ inboxId }: Scope, { inbox_id, spam }: ConsumerRow): string {
  if (inboxId !== null && inbox_id !== inboxId) return 'other inboxes'
  const where = inbox_id === null ? 'every inbox' : `the inbox ${inbox_id}`
  return `${where}, ${spam ? 'with' : 'without'} spam`
}

function requireSame(scope: Scope, row: ConsumerRow, wanted: Pick<ConsumerRow, 'inbox_id' | 'spam'>): void {
  if (row.inbox_id === wanted.inbox_id && row.spam === wanted.spam) return
  throw refuse(
    'consumer_exists',
    `The consumer ${row.name} is for ${mailOf(scope, row)}: use another name for other mail, or DELETE /consumers/${row.name} first.`,
  )
}

/**
 * Creates a consumer, or finds the one of this name.
 *
 * @throws ServiceError `consumer_exists` where it is for other mail, `consumer_limit_reached`, `not_found` for an inbox
 */
export async function createConsumer(
  core: Core,
  scope: Scope,
  { name, from, ...request }: ConsumerBody,
): Promise<{ replayed: boolean; answer: Consumer }> {
  await requireReadable(core, scope)
  const inbox_id = request.inbox_id ?? scope.inboxId
  if (inbox_id !== null) await inboxRow(core, scope, inbox_id)
  const wanted = { inbox_id, spam: request.spam ? 1 : 0 }
  return changeAccount(core, scope.tenantId, async (change) => {
    const { tx, account } = change
    const held = await selectConsumer(tx, account.tenant_id, name).executeTakeFirst()
    if (held) {
      requireSame(scope, held, wanted)
      return { replayed: true, answer: consumerRecord(held) }
    }
    await requireRoom(change, 'consumers', room)
    const cursor = await firstCursor(core, change, from)
    const row: ConsumerRow = {
      tenant_id: account.tenant_id,
      name,
      ...wanted,
      cursor,
      created_at: change.now,
    }
    await tx.insertInto('consumers').values(row).execute()
    return { replayed: false, answer: consumerRecord(row) }
  })
}

/** Consumers that the key reaches, by name. */
export async function listConsumers(
  core: Core,
  scope: Scope,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
) {
  await requireReadable(core, scope)
  let query = core.store.db
    .selectFrom('consumers')
    .selectAll()
    .where('tenant_id', '=', scope.tenantId)
    .orderBy('name')
    .limit(limit + 1)
  if (scope.inboxId) query = query.where('inbox_id', '=', scope.inboxId)
  if (cursor !== undefined) query = query.where('name', '>', readIdCursor(list, cursor))
  const { page, next_cursor } = pageOf(list, await query.execute(), limit, (row) => row.name)
  return { consumers: page.map(consumerRecord), next_cursor }
}

/** @throws ServiceError `not_found`, `account_expired` */
export async function readConsumer(core: Core, scope: Scope, name: string): Promise<ConsumerState> {
  const row = await consumerRow(core, scope, name)
  return { ...consumerRecord(row), ...(await countWork(core.store.db, row, now(core))) }
}

/** Removes consumers with all that they remember. */
export async function dropConsumers(
  tx: Transaction<Database>,
  tenantId: string,
  names: string[],
): Promise<void> {
  if (names.length === 0) return
  for (const table of ['consumer_deliveries', 'consumer_settled'] as const)
    await tx.deleteFrom(table).where('tenant_id', '=', tenantId).where('consumer', 'in', names).execute()
  await tx.deleteFrom('consumers').where('tenant_id', '=', tenantId).where('name', 'in', names).execute()
}

/** @throws ServiceError `not_found` */
export async function deleteConsumer(core: Core, scope: Scope, name: string): Promise<undefined> {
  await requireReadable(core, scope)
  const row = await core.store.write(async (tx) => {
    const row = await lockConsumer(core, tx, scope, name)
    await dropConsumers(tx, scope.tenantId, [name])
    return row
  })
  core.signals.publish(consumerTopic(row))
}
