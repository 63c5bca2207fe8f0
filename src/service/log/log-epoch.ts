import { type Selectable, sql } from 'kysely'
import { randomDigitsOf } from '../base'
import { letRunLong, type Store } from '../store'
import type { AccountTable } from '../store/tables'

/** The columns of an account that name the epoch of its log. */
export type EpochColumns = Pick<Selectable<AccountTable>, 'log_epoch' | 'log_epoch_from'>

/** An epoch as readers of a log see it: positions after `epoch_from` may mean other events than in any epoch before. */
export interface LogEpoch {
  epoch: string
  epoch_from: number
}

export const epochOf = ({ log_epoch, log_epoch_from }: EpochColumns): LogEpoch => ({
  epoch: log_epoch ?? 'first',
  epoch_from: log_epoch_from,
})

/** The lowest position at which any epoch after the first began: a reader may have missed all of them. */
const lowestStart = sql<number>`case when log_epoch is null or log_epoch_from > seq then seq else log_epoch_from end`

/**
 * Begins a new epoch of every log, after the database was restored: a reader that had seen more must not take what comes
 * now for what it knows.
 */
export async function beginLogEpoch(store: Store): Promise<void> {
  const epoch = randomDigitsOf(16)
  await store.write(async (tx) => {
    if (store.dialect === 'postgres') await letRunLong(tx)
    await tx.updateTable('accounts').set({ log_epoch: epoch, log_epoch_from: lowestStart }).execute()
  })
}
