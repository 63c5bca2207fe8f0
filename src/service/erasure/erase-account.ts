import type { ExpressionBuilder } from 'kysely'
import { UsageError } from '../../protocol/errors'
import { type ChangePorts, erasedKey, erasedSignup, isHome, saveAccount } from '../accounts'
import { timeOf } from '../base'
import { insertJobs, type Job, queueTopic } from '../jobs'
import { type ChangeContext, changeAccount, isGone } from '../log'
import { condemnBlobs, erasedTopic, type MessagePorts } from '../messages'
import { type Database, deleteTenantRows, type TenantTable, tenantTables } from '../store/tables'

/** The rest of an erased account: `status` keeps what GET /account and a repeated signup answer. */
export interface ErasedAccount {
  of: 'account'
  leaves: 'status' | 'nothing'
}

/** Rows that one transaction removes at most. */
const maxRows = 500

/**
 * The tables that are kept. That an address was given is never forgotten: nobody else gets it. Nor are the hashes of keys
 * and signups: both answer `account_not_found`, and no signup makes an erased key again.
 */
const keptTables = {
  status: ['accounts', 'addresses', 'api_keys', 'signups', 'claim_tokens', 'inboxes'],
  nothing: ['addresses', 'api_keys', 'signups'],
}

/** The tables that go last and together: neither the account nor the job that erases it is left without the other. */
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
  const gone = tables.filter(({ name }) => !keptTables[leaves].includes(name))
  const isLast = ({ name }: TenantTable) => lastTables.includes(name)
  return { first: gone.filter((table) => !isLast(table)), last: gone.filter(isLast) }
}

/** Waits for those who hold the account while they write of it (`holdAccount` in search/): then their rows are seen. */
async function waitForHolders({ store }: MessagePorts, { tx, account }: ChangeContext): Promise<void> {
  if (store.dialect === 'sqlite') return
  const held = tx.selectFrom('accounts').select('tenant_id').where('tenant_id', '=', account.tenant_id)
  await held.forUpdate().execute()
}

/** Removes up to so many rows. True where there may be more. */
async function eraseSome(change: ChangeContext, { first, last }: ErasedTables): Promise<boolean> {
  const { tenant_id } = change.account
  let room = maxRows
  for (const table of first) {
    const hashes = await deleteTenantRows(change.tx, table, tenant_id, room)
    await condemnBlobs(change.tx, hashes, change.now)
    room -= hashes.length
    if (room === 0) return true
  }
  for (const table of last) await deleteTenantRows(change.tx, table, tenant_id, maxRows)
  return false
}

/** Removes everything of an account, table by table, in steps that may each be the last of this process. */
export async function eraseAccountRows(ports: MessagePorts, job: Job, signal: AbortSignal): Promise<void> {
  const erased = JSON.parse(job.data) as ErasedAccount
  for (let more = true; more; ) {
    signal.throwIfAborted()
    more = await changeAccount(ports, job.tenant_id, async (change) => {
      change.wake(erasedTopic)
      await waitForHolders(ports, change)
      // Partitions of the log come and go meanwhile.
      return eraseSome(change, await tablesToErase(ports, change, erased))
    }).catch((error) => {
      if (!isGone(error)) throw error
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

/** Erases the mail of an account that nobody claimed; its status stays readable and its address taken. */
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

/** Empties the rows of keys and of the signup but for their hashes. */
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

/** The pause before an account is erased: other nodes, which look twice a second, must see first that it is closed. */
const noticedAfterMs = 10_000

/**
 * Closes an account for its host, and begins to erase it. Its keys and its signup answer `account_not_found` from now
 * on, its addresses take nothing and are never given again; everything else is gone within the hour.
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
