import { type Kysely, type Selectable, sql } from 'kysely'
import { refuse } from '../base'
import { type ChangeContext, changeAccount } from '../log'
import type { Clock } from '../ports'
import type { AccountTable, Database } from '../store/tables'
import { planOf } from './plan'
import type { ChangePorts, TotalStorage } from './ports'

type Standing = Pick<
  Selectable<AccountTable>,
  'plan' | 'stored_bytes' | 'storage_counted' | 'storage_allowance'
>

/** Bytes that an account above its limit gets on top of its size, at an upgrade. */
const headroomBytes = 1024 ** 3
/** Accounts that one query returns. */
const maxAccounts = 100

/** Returns the bytes that an account may store; null for no limit. */
export function storageLimitOf(
  { settings }: Pick<ChangePorts, 'settings'>,
  account: Pick<Standing, 'plan' | 'storage_allowance'>,
): number | null {
  const { maxStorageBytes } = planOf(settings.plans, account)
  return maxStorageBytes === null ? null : Math.max(maxStorageBytes, account.storage_allowance ?? 0)
}

const sizeText = (bytes: number) => `${(bytes / 1024 ** 3).toFixed(2)} GiB`

const storageFull = (limit: number) =>
  refuse(
    'storage_limit_reached',
    `The account has reached its storage limit (${sizeText(limit)}). Erase messages, or ask the administrator of the service for a larger plan.`,
  )

/** Requires that an account may store these bytes too. @throws ServiceError `storage_limit_reached` */
export function requireStorage(ports: Pick<ChangePorts, 'settings'>, account: Standing, bytes: number): void {
  const limit = storageLimitOf(ports, account)
  // After an upgrade its size is unknown until it is counted.
  if (limit === null || account.storage_counted === 0) return
  const isFull = bytes === 0 ? account.stored_bytes >= limit : account.stored_bytes + bytes > limit
  if (isFull) throw storageFull(limit)
}

const sumForMs = 1_000

export function createTotalStorage(maxBytes: number | undefined, clock: Pick<Clock, 'now'>): TotalStorage {
  let known = { bytes: 0, untilMs: Number.NEGATIVE_INFINITY }
  async function refresh(db: Kysely<Database>): Promise<void> {
    const { bytes } = await db
      .selectFrom('accounts')
      .select(sql<number>`coalesce(sum(stored_bytes), 0)`.as('bytes'))
      .executeTakeFirstOrThrow()
    known = { bytes: Number(bytes), untilMs: clock.now() + sumForMs }
  }
  return {
    async take(db, bytes) {
      if (maxBytes === undefined) return
      const nowMs = clock.now()
      if (nowMs >= known.untilMs || nowMs < known.untilMs - sumForMs) await refresh(db)
      const isFull = bytes === 0 ? known.bytes >= maxBytes : known.bytes + bytes > maxBytes
      if (isFull)
        throw refuse(
          'storage_limit_reached',
          `The accounts of this service have reached its storage limit (${sizeText(maxBytes)}). Its administrator sets the limit with RESTANTE_MAX_STORAGE_BYTES.`,
        )
      known.bytes += bytes
    },
  }
}

/**
 * Counts the bytes that this change stores.
 *
 * @throws ServiceError `storage_limit_reached`
 */
export async function takeStorage(
  ports: Pick<ChangePorts, 'settings'> & { readonly totalStorage: TotalStorage },
  { tx, account }: ChangeContext,
  bytes: number,
): Promise<void> {
  if (bytes <= 0) return
  requireStorage(ports, account, bytes)
  await ports.totalStorage.take(tx, bytes)
  // Database triggers update the row; this is for the rest of the change.
  account.stored_bytes += bytes
}

/** Computes the stored bytes of an account from its rows, by the same rules as the triggers. */
export async function measureStorage(db: Kysely<Database>, tenantId: string): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select (select coalesce(sum(case when raw is not null then length(raw)
        when size > 262144 and flaws like '%"too_large"%' then 262144 else size end), 0)
        from messages where tenant_id = ${tenantId})
      + (select coalesce(sum(size), 0) from uploads where tenant_id = ${tenantId})
      + (select coalesce(sum(case when raw is null and blob_hash is null then 0 else size end), 0)
        from draft_files where tenant_id = ${tenantId}) as bytes`.execute(db)
  return Number(rows[0]!.bytes)
}

async function countAccount(ports: ChangePorts, { tx, account }: ChangeContext): Promise<void> {
  if (account.storage_counted === 1) return
  const stored_bytes = await measureStorage(tx, account.tenant_id)
  const limit = storageLimitOf(ports, account)
  const isOver = limit !== null && stored_bytes > limit
  const storage_allowance = isOver ? stored_bytes + headroomBytes : null
  await tx
    .updateTable('accounts')
    .set({ stored_bytes, storage_counted: 1, storage_allowance })
    .where('tenant_id', '=', account.tenant_id)
    .execute()
}

/** Counts accounts that an earlier version did not. Those above their limit may store 1 GiB more than now. */
export async function countStorage(ports: ChangePorts): Promise<void> {
  for (let after = ''; ; ) {
    const rows = await ports.store.db
      .selectFrom('accounts')
      .select('tenant_id')
      .where('storage_counted', '=', 0)
      .where('tenant_id', '>', after)
      .orderBy('tenant_id')
      .limit(maxAccounts)
      .execute()
    for (const { tenant_id } of rows)
      await changeAccount(ports, tenant_id, (change) => countAccount(ports, change))
    if (rows.length < maxAccounts) return
    after = rows.at(-1)!.tenant_id
  }
}
