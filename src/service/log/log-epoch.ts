import { type Selectable, sql } from 'kysely'
import { randomDigitsOf } from '../base/ids'
import { letRunLong } from '../store/postgres/connections'
import type { Store } from '../store/store'
import type { AccountTable } from '../store/tables/account-tables'

/** Columns of an account that name the epoch of its log. */
export type EpochColumns = Pick<Selectable<AccountTable>, 'log_epoch' | 'log_epoch_from'>

/** Epoch of a log: positions after `epoch_from` may be other events than in earlier epochs. */
export interface LogEpoch {
  epoch: string
  epoch_from: number
}

export const epochOf = ({ log_epoch, log_epoch_from }: EpochColumns): LogEpoch => ({
  epoch: log_epoch ?? 'first',
  epoch_from: log_epoch_from,
})

/** Lowest position at which an epoch after the first began: a reader may have missed all of them. */
const lowestStart = sql<number>`case when log_epoch is null or log_epoch_from > seq then seq else log_epoch_from end`

/**
 * Begins a new epoch of every log after a restore, so that a reader that had seen more does not mistake new
 * events for known ones.
 */
export async function beginLogEpoch(store: Store): Promise<void> {
  const epoch = randomDigitsOf(16)
  await store.write(async (tx) => {
    if (store.dialect === 'postgres') await letRunLong(tx)
    await tx.updateTable('accounts').set({ log_epoch: epoch, log_epoch_from: lowestStart }).execute()
  })
}
