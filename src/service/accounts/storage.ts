import { type Kysely, type Selectable, sql } from 'kysely'
import { refuse } from '../base/refuse'
import type { ChangeContext } from '../log/registry'
import type { Clock } from '../ports'
import type { AccountTable } from '../store/tables/account-tables'
import type { Database } from '../store/tables/schema'
import { planOf } from './plan'
import type { ChangePorts, TotalStorage } from './ports'

type Standing = Pick<Selectable<AccountTable>, 'plan' | 'stored_bytes'>

/** Returns the bytes that an account may store; null for no limit. */
export function storageLimitOf(
  { settings }: Pick<ChangePorts, 'settings'>,
  account: Pick<Standing, 'plan'>,
): number | null {
  return planOf(settings.plans, account).maxStorageBytes
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
  if (limit === null) return
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
