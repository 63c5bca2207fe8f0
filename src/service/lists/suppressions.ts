import type { Kysely, Selectable } from 'kysely'
import type { Suppression } from '../../protocol/records/suppression'
import { requireManaging, requireReader, requireWholeAccount } from '../accounts/account'
import type { Caller, Scope } from '../accounts/keys'
import type { AccountPorts } from '../accounts/ports'
import { decodeIdCursor, pageOf } from '../base/cursor'
import { newId } from '../base/ids'
import { notFound, refuse } from '../base/refuse'
import { changeAccount } from '../log/change'
import type { ChangeContext, CheckContext } from '../log/registry'
import type { Database } from '../store/tables/schema'
import type { SuppressionTable } from '../store/tables/send-tables'
import { normalizePattern } from './list-match'

type SuppressionRow = Selectable<SuppressionTable>

const list = 'suppressions'
/** Maximum of addresses that are added by hand; bounces and complaints are always added. */
const maxByHand = 10_000

const suppressionRecord = ({ id, address, reason, detail, created_at }: SuppressionRow): Suppression => ({
  id,
  address,
  reason,
  detail,
  created_at,
})

async function count({ tx, account }: ChangeContext, by: number): Promise<void> {
  account.suppressions += by
  await tx
    .updateTable('accounts')
    .set({ suppressions: account.suppressions })
    .where('tenant_id', '=', account.tenant_id)
    .execute()
}

const findRow = ({ tx, account }: ChangeContext, address: string) =>
  tx
    .selectFrom('suppressions')
    .selectAll()
    .where('tenant_id', '=', account.tenant_id)
    .where('address', '=', normalizePattern(address))
    .executeTakeFirst()

/** Suppresses an address; if it is suppressed already, its first reason stays. */
export async function suppress(
  change: ChangeContext,
  { address, reason, detail }: Pick<SuppressionRow, 'address' | 'reason' | 'detail'>,
): Promise<{ row: SuppressionRow; added: boolean }> {
  const before = await findRow(change, address)
  if (before) return { row: before, added: false }
  const row: SuppressionRow = {
    tenant_id: change.account.tenant_id,
    id: newId('sup', Date.parse(change.now)),
    address: normalizePattern(address),
    reason,
    detail,
    created_at: change.now,
  }
  await change.tx.insertInto('suppressions').values(row).execute()
  await count(change, 1)
  return { row, added: true }
}

/** Returns for each address why nothing may be sent to it; null if sending is allowed. */
export async function suppressionReasons(
  db: Kysely<Database>,
  tenantId: string,
  addresses: readonly string[],
): Promise<(string | null)[]> {
  if (addresses.length === 0) return []
  const rows = await db
    .selectFrom('suppressions')
    .select(['address', 'reason'])
    .where('tenant_id', '=', tenantId)
    .where('address', 'in', addresses.map(normalizePattern))
    .execute()
  const reasons = new Map(rows.map((row) => [row.address, whyInWords[row.reason]]))
  return addresses.map((address) => reasons.get(normalizePattern(address)) ?? null)
}

const whyInWords = { bounce: 'bounced', complaint: 'complained', manual: 'put there by hand' } as const
const maxNamed = 5

/**
 * Refuses a message with suppressed recipients: it goes to all of its recipients or to none.
 *
 * @throws ServiceError `recipient_suppressed`, naming which
 */
export async function requireUnsuppressed(
  { tx, account }: CheckContext,
  addresses: readonly string[],
): Promise<void> {
  if (account.suppressions === 0) return
  const rows = await tx
    .selectFrom('suppressions')
    .selectAll()
    .where('tenant_id', '=', account.tenant_id)
    .where('address', 'in', addresses.map(normalizePattern))
    .orderBy('address')
    .execute()
  if (rows.length === 0) return
  const named = rows.slice(0, maxNamed).map(({ address, reason }) => `${address} (${whyInWords[reason]})`)
  const more = rows.length > maxNamed ? ` and ${rows.length - maxNamed} more` : ''
  throw refuse(
    'recipient_suppressed',
    `Nothing was sent, because these addresses are suppressed: ${named.join(', ')}${more}. Leave them out. If an address works again, DELETE /suppressions/{id}.`,
    { suppressions: rows.map(({ id, address, reason }) => ({ id, address, reason })) },
  )
}

function changeSuppressions<T>(
  ports: AccountPorts,
  scope: Scope,
  work: (change: ChangeContext) => Promise<T>,
): Promise<T> {
  requireWholeAccount(scope)
  return changeAccount(ports, scope.tenantId, async (change) => {
    requireManaging(change.account, change.now)
    return work(change)
  })
}

/** Tells whether as many addresses as may be were added by hand. */
async function isFullByHand({ tx, account }: ChangeContext): Promise<boolean> {
  if (account.suppressions < maxByHand) return false
  const { count } = await tx
    .selectFrom('suppressions')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('tenant_id', '=', account.tenant_id)
    .where('reason', '=', 'manual')
    .executeTakeFirstOrThrow()
  return Number(count) >= maxByHand
}

/**
 * Adds an address by hand; one that is listed already is returned unchanged.
 *
 * @throws ServiceError `suppression_limit_reached`, `claim_required`, `insufficient_scope`
 */
export async function createSuppression(
  ports: AccountPorts,
  scope: Scope,
  { address }: { address: string },
): Promise<{ replayed: boolean; answer: Suppression }> {
  return changeSuppressions(ports, scope, async (change) => {
    if ((await isFullByHand(change)) && !(await findRow(change, address)))
      throw refuse(
        'suppression_limit_reached',
        `The list has ${maxByHand} manually added addresses, which is the limit. Delete some first.`,
      )
    const { row, added } = await suppress(change, { address, reason: 'manual', detail: null })
    return { replayed: !added, answer: suppressionRecord(row) }
  })
}

interface SuppressionQuery {
  address?: string | undefined
  limit: number
  cursor?: string | undefined
}

/** Addresses that an inbox wrote to, in lower case like suppressions. */
const writtenToBy = (db: Kysely<Database>, tenantId: string, inboxId: string) =>
  db
    .selectFrom('recipients')
    .innerJoin('messages', (join) =>
      join
        .onRef('messages.tenant_id', '=', 'recipients.tenant_id')
        .onRef('messages.id', '=', 'recipients.message_id'),
    )
    .select((row) => row.fn<string>('lower', ['recipients.address']).as('address'))
    .where('recipients.tenant_id', '=', tenantId)
    .where('messages.inbox_id', '=', inboxId)

/** Returns the suppressed addresses, oldest first. A key of one inbox sees those that its inbox wrote to. */
export async function listSuppressions(
  ports: AccountPorts,
  scope: Caller,
  { address, limit, cursor }: SuppressionQuery,
) {
  requireReader(ports, scope)
  const { db } = ports.store
  const { tenantId, inboxId } = scope
  let query = db
    .selectFrom('suppressions')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .orderBy('id')
    .limit(limit + 1)
  if (inboxId !== null) query = query.where('address', 'in', writtenToBy(db, tenantId, inboxId))
  if (address !== undefined) query = query.where('address', '=', normalizePattern(address))
  if (cursor !== undefined) query = query.where('id', '>', decodeIdCursor(list, cursor))
  const { page, next_cursor } = pageOf(list, await query.execute(), limit, (row) => row.id)
  return { suppressions: page.map(suppressionRecord), next_cursor }
}

/**
 * Allows sending to an address again. @throws ServiceError `not_found`, `claim_required`,
 * `insufficient_scope`
 */
export async function deleteSuppression(ports: AccountPorts, scope: Scope, id: string): Promise<undefined> {
  await changeSuppressions(ports, scope, async (change) => {
    const gone = await change.tx
      .deleteFrom('suppressions')
      .where('tenant_id', '=', scope.tenantId)
      .where('id', '=', id)
      .executeTakeFirst()
    if (Number(gone.numDeletedRows) === 0) throw notFound('suppression', id)
    await count(change, -1)
  })
}
