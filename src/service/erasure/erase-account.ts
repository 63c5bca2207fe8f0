import type { ExpressionBuilder } from 'kysely'
import { UsageError } from '../../protocol/errors/error'
import { isHome } from '../accounts/host-account'
import { erasedKey } from '../accounts/keys'
import { saveAccount } from '../accounts/pause'
import type { ChangePorts } from '../accounts/ports'
import { erasedSignup } from '../accounts/signup'
import { timeOf } from '../base/time'
import { insertJobs, type Job, queueTopic } from '../jobs/jobs'
import { changeAccount } from '../log/change'
import { isMissingTable } from '../log/log-partitions'
import type { ChangeContext } from '../log/registry'
import { condemnBlobs, erasedTopic } from '../messages/originals'
import type { MessagePorts } from '../messages/ports'
import type { Database } from '../store/tables/schema'
import { deleteTenantRows, type TenantTable, tenantTables } from '../store/tables/tenant-tables'

/** Remains of an erased account: `status` keeps the data that GET /account and a repeated signup return. */
export interface ErasedAccount {
  of: 'account'
  leaves: 'status' | 'nothing'
}

/** Maximum number of rows that one transaction removes. */
const maxRows = 500

/**
 * Tables that are kept. Used addresses are kept forever, so that no other account gets them. So are the
 * hashes of keys and signups: both answer `account_not_found`, and no signup recreates an erased key.
 */
const keptTables = {
  status: ['accounts', 'addresses', 'api_keys', 'signups', 'claim_tokens', 'inboxes'],
  nothing: ['addresses', 'api_keys', 'signups'],
}

/** Tables deleted last and together: neither the account nor its erasing job exists without the other. */
const lastTables = ['jobs', 'accounts']

interface ErasedTables {
  first: TenantTable[]
  last: TenantTable[]
}

async function tablesToErase(
  { store }: MessagePorts,
  { tx }: ChangeContext,
  { leaves }: ErasedAccount,
): Promise<ErasedTables> {
  const tables = await tenantTables(tx, store.dialect)
  const deleted = tables.filter(({ name }) => !keptTables[leaves].includes(name))
  const isLast = ({ name }: TenantTable) => lastTables.includes(name)
  return { first: deleted.filter((table) => !isLast(table)), last: deleted.filter(isLast) }
}

/** Waits for transactions that hold the account while writing (`holdAccount` in search/). */
async function waitForHolders({ store }: MessagePorts, { tx, account }: ChangeContext): Promise<void> {
  if (store.dialect === 'sqlite') return
  const held = tx.selectFrom('accounts').select('tenant_id').where('tenant_id', '=', account.tenant_id)
  await held.forUpdate().execute()
}

/** Removes a bounded number of rows. Returns true if there may be more. */
async function eraseSome(change: ChangeContext, { first, last }: ErasedTables): Promise<boolean> {
  const { tenant_id } = change.account
  let left = maxRows
  for (const table of first) {
    const hashes = await deleteTenantRows(change.tx, table, tenant_id, left)
    await condemnBlobs(change.tx, hashes, change.now)
    left -= hashes.length
    if (left === 0) return true
  }
  for (const table of last) await deleteTenantRows(change.tx, table, tenant_id, maxRows)
  return false
}

/** Removes everything of an account, table by table, in steps that survive a crash after each. */
export async function eraseAccountRows(ports: MessagePorts, job: Job, signal: AbortSignal): Promise<void> {
  const erased = JSON.parse(job.data) as ErasedAccount
  for (let more = true; more; ) {
    signal.throwIfAborted()
    more = await changeAccount(ports, job.tenant_id, async (change) => {
      change.wake(erasedTopic)
      await waitForHolders(ports, change)
      // Read on each step: partitions of the log are created and dropped meanwhile.
      return eraseSome(change, await tablesToErase(ports, change, erased))
    }).catch((error) => {
      if (!isMissingTable(error)) throw error
      return true
    })
  }
}

const startErasing = async (
  ports: ChangePorts,
  change: ChangeContext,
  { leaves, at }: { leaves: ErasedAccount['leaves']; at: string },
): Promise<void> => {
  const { tx, account } = change
  const data: ErasedAccount = { of: 'account', leaves }
  await saveAccount(change, { erased_at: change.now, log_start: account.seq })
  await tx.deleteFrom('jobs').where('tenant_id', '=', account.tenant_id).execute()
  await insertJobs(ports, tx, account.tenant_id, 'erase', [data], at)
  change.wake(queueTopic('erase'))
}

/** Erases the messages of an account that was never claimed; its status and address are kept. */
export async function eraseExpiredAccount(ports: MessagePorts, tenantId: string): Promise<void> {
  await changeAccount(ports, tenantId, (change) =>
    startErasing(ports, change, { leaves: 'status', at: change.now }),
  )
}

async function refuseHome(change: ChangeContext): Promise<void> {
  if (!(await isHome(change))) return
  throw new UsageError(
    'home_account',
    `${change.account.tenant_id} is the account of the service itself: it stays.`,
  )
}

/** Clears the rows of keys and of the signup except for their hashes. */
async function keepHashes({ tx, account: { tenant_id }, now }: ChangeContext): Promise<void> {
  const isUsable = (row: ExpressionBuilder<Database, 'api_keys'>) =>
    row.and([
      row('revoked_at', 'is', null),
      row.or([row('expires_at', 'is', null), row('expires_at', '>', now)]),
    ])
  await tx
    .deleteFrom('api_keys')
    .where('tenant_id', '=', tenant_id)
    .where((row) => row.not(isUsable(row)))
    .execute()
  await tx.updateTable('api_keys').set(erasedKey).where('tenant_id', '=', tenant_id).execute()
  await tx.updateTable('signups').set(erasedSignup).where('tenant_id', '=', tenant_id).execute()
}

/** Delay before erasing an account: other nodes, which check twice a second, must see that it is closed. */
const noticedAfterMs = 10_000

/**
 * Closes an account for the administrator, and starts to erase it. Its keys and its signup answer
 * `account_not_found` from now on. Its addresses receive nothing and are never assigned again; everything
 * else is deleted within the hour.
 *
 * @throws UsageError `home_account`
 */
export async function eraseAccount(ports: ChangePorts, change: ChangeContext): Promise<void> {
  const { tx, account, now } = change
  const { tenant_id } = account
  await refuseHome(change)
  for (const table of ['claim_tokens', 'inboxes', 'webhooks'] as const)
    await tx.deleteFrom(table).where('tenant_id', '=', tenant_id).execute()
  await keepHashes(change)
  await tx
    .updateTable('addresses')
    .set({ retired_at: now })
    .where('tenant_id', '=', tenant_id)
    .where('retired_at', 'is', null)
    .execute()
  await saveAccount(change, { suspended_at: now })
  await startErasing(ports, change, { leaves: 'nothing', at: timeOf(Date.parse(now) + noticedAfterMs) })
  ports.knownRecipients.forgetAccount(tenant_id)
}
