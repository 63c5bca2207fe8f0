import type { Kysely } from 'kysely'
import type { Domain, DomainBody } from '../../protocol/records/domain'
import {
  type CountLimit,
  requireBelowLimit,
  requireManaging,
  requireReader,
  requireWholeAccount,
} from '../accounts/account'
import type { Caller, Scope } from '../accounts/keys'
import { decodeIdCursor, pageOf } from '../base/cursor'
import { newUuid, randomDigitsOf } from '../base/ids'
import { notFound, refuse } from '../base/refuse'
import { timeOf } from '../base/time'
import { insertJobs, queueTopic } from '../jobs/jobs'
import { changeAccount } from '../log/change'
import type { ChangeContext } from '../log/registry'
import { readHostname } from '../net/hostname'
import type { Database } from '../store/tables/schema'
import { dkimKeys, makeDkimKey } from './dkim-keys'
import { leaveHost } from './domain-hosts'
import { type DomainRow, domainRecordOf, firstCheckMs } from './domain-records'
import type { DomainPorts } from './ports'

const list = 'domains'
const maxDomains = 50

/** Finds the row of an account's domain. */
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

/** Returns the row of an account's domain. @throws ServiceError `not_found` */
async function domainRow(db: Kysely<Database>, tenantId: string, id: string): Promise<DomainRow> {
  const row = await findDomain(db, tenantId, id)
  if (!row) throw notFound('domain', id)
  return row
}

/** Finds the account's domain with this name, in any state. */
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

/** Returns a domain as the API shows it. */
async function domainRecord(ports: DomainPorts, db: Kysely<Database>, row: DomainRow): Promise<Domain> {
  const keys = await dkimKeys(db, { tenant_id: row.tenant_id, domain_id: row.id })
  return domainRecordOf(row, keys, ports.settings.domain)
}

/** Runs a change to a domain of the account. */
export function changeDomain<T>(
  ports: DomainPorts,
  scope: Scope,
  id: string,
  work: (change: ChangeContext, row: DomainRow) => Promise<T>,
): Promise<T> {
  requireWholeAccount(scope)
  return changeAccount(ports, scope.tenantId, async (change) => {
    requireManaging(change.account, change.now)
    return work(change, await domainRow(change.tx, scope.tenantId, id))
  })
}

const countLimit: CountLimit = {
  max: maxDomains,
  code: 'domain_limit_reached',
  message: `The account has ${maxDomains} domains, which is the most: delete one.`,
}

async function requireUnknown({ tx, account }: ChangeContext, hostname: string): Promise<void> {
  const same = await domainByName(tx, account.tenant_id, hostname)
  if (!same) return
  throw refuse('domain_exists', `The account has ${hostname} already: GET /domains/${same.id} reads it.`, {
    domain_id: same.id,
  })
}

async function readNames(ports: DomainPorts, request: DomainBody) {
  const hostname = await readHostname('hostname', request.hostname, ports.settings.domain)
  const mailFrom = await readHostname(
    'mail_from_domain',
    request.mail_from_domain ?? `bounces.${hostname}`,
    ports.settings.domain,
  )
  if (mailFrom.endsWith(`.${hostname}`)) return { hostname, mail_from_domain: mailFrom }
  throw refuse(
    'invalid_request',
    `mail_from_domain: must be a name below ${hostname}, such as bounces.${hostname}: receivers compare the two.`,
    [{ field: 'mail_from_domain', problem: `must be a name below ${hostname}` }],
  )
}

/**
 * Adds a domain, with its own DKIM key. Until it is verified it cannot be used, and other accounts may add it
 * too.
 *
 * @throws ServiceError `invalid_request`, `domain_exists`, `domain_limit_reached`, `claim_required`,
 * `insufficient_scope`
 */
export async function createDomain(ports: DomainPorts, scope: Scope, request: DomainBody): Promise<Domain> {
  const names = await readNames(ports, request)
  await changeAccount(ports, scope.tenantId, async (change) => requireNew(change, scope, names.hostname))
  const owner = { tenant_id: scope.tenantId, domain_id: newUuid(ports.clock.now()) }
  // This is slow, so the account must not be locked meanwhile.
  const key = await makeDkimKey(ports, owner, 'current')
  return changeAccount(ports, scope.tenantId, async (change) => {
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
    const runAt = timeOf(ports.clock.now() + firstCheckMs)
    await insertJobs(ports, change.tx, scope.tenantId, 'domains', [{ domainId: row.id }], runAt)
    change.wake(queueTopic('domains'))
    return domainRecord(ports, change.tx, row)
  })
}

async function requireNew(change: ChangeContext, scope: Scope, hostname: string): Promise<void> {
  requireWholeAccount(scope)
  requireManaging(change.account, change.now)
  await requireUnknown(change, hostname)
  await requireBelowLimit(change, 'domains', countLimit)
}

/** Returns the domain of a key's inbox; undefined for a key of the whole account. */
async function onlyHostname(db: Kysely<Database>, { tenantId, inboxId }: Scope): Promise<string | undefined> {
  if (inboxId === null) return undefined
  const inbox = await db
    .selectFrom('inboxes')
    .select('address')
    .where('tenant_id', '=', tenantId)
    .where('id', '=', inboxId)
    .executeTakeFirst()
  return inbox?.address.split('@')[1] ?? ''
}

/** Returns domains of the account, oldest first. A key of one inbox sees only the domain of that inbox. */
export async function listDomains(
  ports: DomainPorts,
  scope: Caller,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
) {
  requireReader(ports, scope)
  const { db } = ports.store
  let query = db
    .selectFrom('domains')
    .selectAll()
    .where('tenant_id', '=', scope.tenantId)
    .orderBy('id')
    .limit(limit + 1)
  const only = await onlyHostname(db, scope)
  if (only !== undefined) query = query.where('hostname', '=', only)
  if (cursor !== undefined) query = query.where('id', '>', decodeIdCursor(list, cursor))
  const { page, next_cursor } = pageOf(list, await query.execute(), limit, (row) => row.id)
  return { domains: await Promise.all(page.map((row) => domainRecord(ports, db, row))), next_cursor }
}

/** @throws ServiceError `not_found`, `account_expired` */
export async function readDomain(ports: DomainPorts, scope: Caller, id: string): Promise<Domain> {
  requireReader(ports, scope)
  const { db } = ports.store
  const [row, only] = [await domainRow(db, scope.tenantId, id), await onlyHostname(db, scope)]
  if (only !== undefined && row.hostname !== only) throw notFound('domain', id)
  return domainRecord(ports, db, row)
}

/**
 * Adds a new DKIM key, which signs once its record is found; until then the same call returns the same key.
 *
 * @throws ServiceError `not_found`, `claim_required`, `insufficient_scope`
 */
export async function rotateDomainKey(ports: DomainPorts, scope: Scope, id: string): Promise<Domain> {
  const before = await changeDomain(ports, scope, id, async ({ tx }, row) => domainRecord(ports, tx, row))
  if (before.records.some(({ purpose }) => purpose === 'dkim_next')) return before
  const key = await makeDkimKey(ports, { tenant_id: scope.tenantId, domain_id: id }, 'next')
  return changeDomain(ports, scope, id, async ({ tx }, row) => {
    const keys = await dkimKeys(tx, key)
    if (!keys.some(({ state }) => state === 'next')) await tx.insertInto('dkim_keys').values(key).execute()
    return domainRecord(ports, tx, row)
  })
}

/** Counts the inboxes with an address at this domain. */
async function countInboxes({ tx, account }: ChangeContext, hostname: string): Promise<number> {
  const { count } = await tx
    .selectFrom('inboxes')
    .select((inboxes) => inboxes.fn.countAll<number>().as('count'))
    .where('tenant_id', '=', account.tenant_id)
    .where('address', 'like', `%@${hostname}`)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** @throws ServiceError `domain_in_use`, `not_found`, `claim_required`, `insufficient_scope` */
export async function deleteDomain(ports: DomainPorts, scope: Scope, id: string): Promise<undefined> {
  return changeDomain(ports, scope, id, async (change, row) => {
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
