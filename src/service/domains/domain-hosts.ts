import type { Kysely, Selectable, Transaction } from 'kysely'
import { padded, runPrepared } from '../store/prepared'
import type { DomainHostTable } from '../store/tables/domain-tables'
import type { Database } from '../store/tables/schema'
import type { DomainRow } from './domain-records'
import type { DomainPorts } from './ports'

export type DomainHost = Selectable<DomainHostTable>

/** Finds the owner of each domain, by name; domains that no account has verified are missing. */
export async function findHosts(
  db: Kysely<Database>,
  hostnames: readonly string[],
): Promise<Map<string, DomainHost>> {
  if (hostnames.length === 0) return new Map()
  const names = padded(hostnames)
  const rows = await runPrepared<DomainHost>(db, `domain hosts ${names.length}`, names, () =>
    db.selectFrom('domain_hosts').selectAll().where('hostname', 'in', names),
  )
  return new Map(rows.map((row) => [row.hostname, row]))
}

const maxAsked = 500

/** Returns for each domain whether its email comes to this service, and so does not leave it. */
export async function receivedHere(ports: DomainPorts, hostnames: readonly string[]): Promise<boolean[]> {
  const others = hostnames.filter((hostname) => hostname !== ports.settings.domain)
  const receiving = new Set<string>()
  for (let i = 0; i < others.length; i += maxAsked) {
    const hosts = await findHosts(ports.store.db, others.slice(i, i + maxAsked))
    for (const [hostname, { receives }] of hosts) if (receives === 1) receiving.add(hostname)
  }
  return hostnames.map((hostname) => hostname === ports.settings.domain || receiving.has(hostname))
}

async function isFailing(tx: Transaction<Database>, host: DomainHost): Promise<boolean> {
  const row = await tx
    .selectFrom('domains')
    .select('status')
    .where('tenant_id', '=', host.tenant_id)
    .where('id', '=', host.domain_id)
    .executeTakeFirst()
  return row?.status !== 'verified'
}

/**
 * Locks a domain, so that two accounts that verify it at once are serialized; neither locks the row of the
 * other.
 */
async function lockHost(tx: Transaction<Database>, hostname: string): Promise<void> {
  await tx
    .updateTable('domain_hosts')
    .set((host) => ({ receives: host.ref('receives') }))
    .where('hostname', '=', hostname)
    .execute()
}

/**
 * Gives a domain to the account that has just verified it. The former owner keeps it as long as it is
 * verified; then this returns false.
 */
export async function takeHost(tx: Transaction<Database>, row: DomainRow): Promise<boolean> {
  const mine = { hostname: row.hostname, tenant_id: row.tenant_id, domain_id: row.id, receives: 0 }
  const added = await tx
    .insertInto('domain_hosts')
    .values(mine)
    .onConflict((conflict) => conflict.column('hostname').doNothing())
    .executeTakeFirst()
  if (Number(added.numInsertedOrUpdatedRows) === 1) return true
  await lockHost(tx, row.hostname)
  const holder = (await findHosts(tx, [row.hostname])).get(row.hostname)
  if (holder?.domain_id === row.id) return true
  if (!holder || !(await isFailing(tx, holder))) return false
  const moved = await tx
    .updateTable('domain_hosts')
    .set(mine)
    .where('hostname', '=', row.hostname)
    .where('domain_id', '=', holder.domain_id)
    .executeTakeFirst()
  return Number(moved.numUpdatedRows) === 1
}

/** Stores whether email to the domain comes here. */
export async function noteReceiving(
  tx: Transaction<Database>,
  row: DomainRow,
  receives: boolean,
): Promise<void> {
  await tx
    .updateTable('domain_hosts')
    .set({ receives: receives ? 1 : 0 })
    .where('hostname', '=', row.hostname)
    .where('domain_id', '=', row.id)
    .execute()
}

/** Frees a domain. */
export async function leaveHost(tx: Transaction<Database>, row: DomainRow): Promise<void> {
  await tx
    .deleteFrom('domain_hosts')
    .where('hostname', '=', row.hostname)
    .where('domain_id', '=', row.id)
    .execute()
}
