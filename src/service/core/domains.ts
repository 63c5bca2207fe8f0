import type { Kysely } from 'kysely'
import type { Domain, DomainBody } from '../../protocol/domain'
import type { Database } from '../store/schema'
import { requireManaging, requireReader, requireWholeAccount } from './account'
import { type Change, changeAccount } from './change'
import { type Core, timeOf } from './context'
import { pageOf, readIdCursor } from './cursor'
import { dkimKeys, makeDkimKey } from './dkim-keys'
import { leaveHost } from './domain-hosts'
import { type DomainRow, domainRecordOf } from './domain-records'
import { firstCheckMs } from './domain-schedule'
import { readHostname } from './hostname'
import { newUuid, randomDigitsOf } from './ids'
import { insertJobs, queueTopic } from './jobs'
import type { Caller, Scope } from './keys'
import { notFound, refuse } from './refuse'
import { type Room, requireRoom } from './require-room'

const list = 'domains'
const mostDomains = 50

/** The row of a domain of an account. */
export const findDomain = (
  db: Kysely<Database>,
  tenantId: string,
  id: string,
): Promise<DomainRow | undefined> =>
  db
    .selectFrom('domains')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst()

/** The same. @throws ServiceError `not_found` */
async function domainRow(db: Kysely<Database>, tenantId: string, id: string): Promise<DomainRow> {
  const row = await findDomain(db, tenantId, id)
  if (!row) throw notFound('domain', id)
  return row
}

/** The domain of the account with this name, in whatever state. */
export const domainByName = (
  db: Kysely<Database>,
  tenantId: string,
  hostname: string,
): Promise<DomainRow | undefined> =>
  db
    .selectFrom('domains')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('hostname', '=', hostname)
    .executeTakeFirst()

/** A domain as the interface shows it. */
export async function domainRecord(core: Core, db: Kysely<Database>, row: DomainRow): Promise<Domain> {
  const keys = await dkimKeys(db, { tenant_id: row.tenant_id, domain_id: row.id })
  return domainRecordOf(row, keys, core.settings.domain)
}

/** Carries out a change to a domain of the account. */
export function changeDomain<T>(
  core: Core,
  scope: Scope,
  id: string,
  work: (change: Change, row: DomainRow) => Promise<T>,
): Promise<T> {
  requireWholeAccount(scope)
  return changeAccount(core, scope.tenantId, async (change) => {
    requireManaging(change.account, change.now)
    return work(change, await domainRow(change.tx, scope.tenantId, id))
  })
}

const room: Room = {
  most: mostDomains,
  code: 'domain_limit_reached',
  message: `The account has ${mostDomains} domains, which is the most: delete one.`,
}

async function requireUnknown({ tx, account }: Change, hostname: string): Promise<void> {
  const same = await domainByName(tx, account.tenant_id, hostname)
  if (!same) return
  throw refuse('domain_exists', `The account has ${hostname} already: GET /domains/${same.id} reads it.`, {
    domain_id: same.id,
  })
}

async function readNames(core: Core, request: DomainBody) {
  const hostname = await readHostname('hostname', request.hostname, core.settings.domain)
  const mailFrom = await readHostname(
    'mail_from_domain',
    request.mail_from_domain ?? `bounces.${hostname}`,
    core.settings.domain,
  )
  if (mailFrom.endsWith(`.${hostname}`)) return { hostname, mail_from_domain: mailFrom }
  throw refuse(
    'invalid_request',
    `mail_from_domain: must be a name below ${hostname}, such as bounces.${hostname}: receivers compare the two.`,
    [{ field: 'mail_from_domain', problem: `must be a name below ${hostname}` }],
  )
}

/**
 * Adds a domain, with a DKIM key of its own. Until it is verified nothing can be done with it, and other accounts
 * may have it too.
 *
 * @throws ServiceError `invalid_request`, `domain_exists`, `domain_limit_reached`, `claim_required`, `insufficient_scope`
 */
export async function createDomain(core: Core, scope: Scope, request: DomainBody): Promise<Domain> {
  const names = await readNames(core, request)
  await changeAccount(core, scope.tenantId, async (change) => requireNew(change, scope, names.hostname))
  const owner = { tenant_id: scope.tenantId, domain_id: newUuid(core.clock.now()) }
  // It takes a while, in which the account must not be held.
  const key = await makeDkimKey(core, owner, 'current')
  return changeAccount(core, scope.tenantId, async (change) => {
    await requireNew(change, scope, names.hostname)
    const row: DomainRow = {
      tenant_id: owner.tenant_id,
      id: owner.domain_id,
      ...names,
      status: 'pending',
      token: randomDigitsOf(32),
      verified_at: null,
      checked_at: null,
      lost_since: null,
      return_path: 0,
      findings: '{}',
      created_at: change.now,
    }
    await change.tx.insertInto('domains').values(row).execute()
    await change.tx.insertInto('dkim_keys').values(key).execute()
    const runAt = timeOf(core.clock.now() + firstCheckMs)
    await insertJobs(core, change.tx, scope.tenantId, 'domains', [{ domainId: row.id }], runAt)
    change.wake(queueTopic('domains'))
    return domainRecord(core, change.tx, row)
  })
}

async function requireNew(change: Change, scope: Scope, hostname: string): Promise<void> {
  requireWholeAccount(scope)
  requireManaging(change.account, change.now)
  await requireUnknown(change, hostname)
  await requireRoom(change, 'domains', room)
}

/** Domains of the account, oldest first. */
export async function listDomains(
  core: Core,
  scope: Caller,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
) {
  requireReader(core, scope)
  const { db } = core.store
  let query = db
    .selectFrom('domains')
    .selectAll()
    .where('tenant_id', '=', scope.tenantId)
    .orderBy('id')
    .limit(limit + 1)
  if (cursor !== undefined) query = query.where('id', '>', readIdCursor(list, cursor))
  const { page, next_cursor } = pageOf(list, await query.execute(), limit, (row) => row.id)
  return { domains: await Promise.all(page.map((row) => domainRecord(core, db, row))), next_cursor }
}

/** @throws ServiceError `not_found`, `account_expired` */
export async function readDomain(core: Core, scope: Caller, id: string): Promise<Domain> {
  requireReader(core, scope)
  const { db } = core.store
  return domainRecord(core, db, await domainRow(db, scope.tenantId, id))
}

/**
 * Gives a new DKIM key, which signs once its record is found; until then the same call answers the same key.
 *
 * @throws ServiceError `not_found`, `claim_required`, `insufficient_scope`
 */
export async function rotateDomainKey(core: Core, scope: Scope, id: string): Promise<Domain> {
  const before = await changeDomain(core, scope, id, async ({ tx }, row) => domainRecord(core, tx, row))
  if (before.records.some(({ purpose }) => purpose === 'dkim_next')) return before
  const key = await makeDkimKey(core, { tenant_id: scope.tenantId, domain_id: id }, 'next')
  return changeDomain(core, scope, id, async ({ tx }, row) => {
    const keys = await dkimKeys(tx, key)
    if (!keys.some(({ state }) => state === 'next')) await tx.insertInto('dkim_keys').values(key).execute()
    return domainRecord(core, tx, row)
  })
}

/** How many inboxes have an address at this domain. */
async function countInboxes({ tx, account }: Change, hostname: string): Promise<number> {
  const { count } = await tx
    .selectFrom('inboxes')
    .select((inboxes) => inboxes.fn.countAll<number>().as('count'))
    .where('tenant_id', '=', account.tenant_id)
    .where('address', 'like', `%@${hostname}`)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** @throws ServiceError `domain_in_use`, `not_found`, `claim_required`, `insufficient_scope` */
export async function deleteDomain(core: Core, scope: Scope, id: string): Promise<undefined> {
  return changeDomain(core, scope, id, async (change, row) => {
    const inboxes = await countInboxes(change, row.hostname)
    if (inboxes > 0)
      throw refuse(
        'domain_in_use',
        `The account has ${inboxes} inboxes at ${row.hostname}: delete them first (GET /inboxes, DELETE /inboxes/{id}).`,
        { inboxes },
      )
    const { tx } = change
    await leaveHost(tx, row)
    await tx
      .deleteFrom('dkim_keys')
      .where('tenant_id', '=', scope.tenantId)
      .where('domain_id', '=', id)
      .execute()
    await tx.deleteFrom('domains').where('tenant_id', '=', scope.tenantId).where('id', '=', id).execute()
    return undefined
  })
}
