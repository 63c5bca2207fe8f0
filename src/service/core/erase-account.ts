import { UsageError } from '../../protocol/error'
import { deleteTenantRows, type TenantTable, tenantTables } from '../store/tenant-tables'
import { type Change, changeAccount } from './change'
import { condemnBlobs } from './condemn-blobs'
import { type Core, type Ground, timeOf } from './context'
import { erasedTopic } from './erase-sweep'
import { insertJobs, type Job, queueTopic } from './jobs'
import { saveAccount } from './pause'

/** What an erased account leaves: `status` keeps what GET /account and a repeated signup answer. */
export interface ErasedAccount {
  of: 'account'
  leaves: 'status' | 'nothing'
}

/** Rows that one transaction removes at most. */
const mostRows = 500

/** That an address was given is never forgotten: nobody else gets it. */
const keptTables = {
  status: ['accounts', 'addresses', 'api_keys', 'signups', 'claim_tokens', 'inboxes'],
  nothing: ['addresses'],
}

/** The account itself, and the job that erases it, go last and together: neither is left without the other. */
const lastTables = ['jobs', 'accounts']

interface ErasedTables {
  first: TenantTable[]
  last: TenantTable[]
}

async function tablesToErase(core: Core, { leaves }: ErasedAccount): Promise<ErasedTables> {
  const tables = await tenantTables(core.store.db, core.store.dialect)
  const gone = tables.filter(({ name }) => !keptTables[leaves].includes(name))
  const isLast = ({ name }: TenantTable) => lastTables.includes(name)
  return { first: gone.filter((table) => !isLast(table)), last: gone.filter(isLast) }
}

/** Removes up to so many rows. True where there may be more. */
async function eraseSome(change: Change, { first, last }: ErasedTables): Promise<boolean> {
  const { tenant_id } = change.account
  let room = mostRows
  for (const table of first) {
    const hashes = await deleteTenantRows(change.tx, table, tenant_id, room)
    await condemnBlobs(change.tx, hashes, change.now)
    room -= hashes.length
    if (room === 0) return true
  }
  for (const table of last) await deleteTenantRows(change.tx, table, tenant_id, mostRows)
  return false
}

/** Removes everything of an account, table by table, in steps that may each be the last of this process. */
export async function eraseAccountRows(core: Core, job: Job, signal: AbortSignal): Promise<void> {
  const tables = await tablesToErase(core, JSON.parse(job.data) as ErasedAccount)
  for (let more = true; more; ) {
    signal.throwIfAborted()
    more = await changeAccount(core, job.tenant_id, async (change) => {
      change.wake(erasedTopic)
      return eraseSome(change, tables)
    })
  }
}

const startErasing = async (
  core: Ground,
  change: Change,
  { leaves, at }: { leaves: ErasedAccount['leaves']; at: string },
): Promise<void> => {
  const { tx, account } = change
  const data: ErasedAccount = { of: 'account', leaves }
  await saveAccount(change, { erased_at: change.now, log_start: account.seq })
  await tx.deleteFrom('jobs').where('tenant_id', '=', account.tenant_id).execute()
  await insertJobs(core, tx, account.tenant_id, 'erase', [data], at)
  change.wake(queueTopic('erase'))
}

/** Erases the mail of an account that nobody claimed; its status stays readable and its address taken. */
export async function eraseExpiredAccount(core: Core, tenantId: string): Promise<void> {
  await changeAccount(core, tenantId, (change) =>
    startErasing(core, change, { leaves: 'status', at: change.now }),
  )
}

async function refuseHome({ tx, account }: Change): Promise<void> {
  const home = await tx.selectFrom('host').select('value').where('key', '=', 'home').executeTakeFirst()
  if (home && (JSON.parse(home.value) as { tenantId: string }).tenantId === account.tenant_id)
    throw new UsageError(
      'home_account',
      `${account.tenant_id} is the account of the service itself: it stays.`,
    )
}

/** Other nodes, which look twice a second, must see that the account is closed before its row is gone. */
const noticedAfterMs = 10_000

/**
 * Closes an account for its host, and begins to erase it. Its keys open nothing from now on, its addresses take
 * nothing and are never given again; everything else is gone within the hour.
 *
 * @throws UsageError `home_account`
 */
export async function eraseAccount(core: Ground, change: Change): Promise<void> {
  const { tx, account, now } = change
  const { tenant_id } = account
  await refuseHome(change)
  for (const table of ['api_keys', 'signups', 'claim_tokens', 'inboxes', 'webhooks'] as const)
    await tx.deleteFrom(table).where('tenant_id', '=', tenant_id).execute()
  await tx
    .updateTable('addresses')
    .set({ retired_at: now })
    .where('tenant_id', '=', tenant_id)
    .where('retired_at', 'is', null)
    .execute()
  await saveAccount(change, { suspended_at: now })
  await startErasing(core, change, { leaves: 'nothing', at: timeOf(Date.parse(now) + noticedAfterMs) })
  core.admissions.forgetAccount(tenant_id)
}
