import { sql, type Transaction } from 'kysely'
import type { Store } from '../service/store'
import type { Database } from '../service/store/tables'

/** A store that outlives the services on it, and how one of them loses it. */
export interface KeptStore {
  readonly store: Store
  /** Nothing that this service still does reaches the store; resolves once what had begun is over. */
  cut(): Promise<void>
}

/** Lends a store to one service; `onChange` hears of each transaction that changed rows. */
export const lendStore = (kept: Store, onChange: () => void): KeptStore => {
  const running = new Set<Promise<unknown>>()
  let isCut = false
  let changes = 0
  const noteChanges = async (tx: Transaction<Database>) => {
    const { rows } = await sql<{ total: number }>`select total_changes() as total`.execute(tx)
    const total = Number(rows[0]?.total)
    if (total !== changes) onChange()
    changes = total
  }
  const write: Store['write'] = (work) => {
    if (isCut) return Promise.reject(new Error('this service was killed'))
    const writing = kept.write(async (tx) => {
      const result = await work(tx)
      await noteChanges(tx)
      return result
    })
    running.add(writing)
    const over = () => void running.delete(writing)
    writing.then(over, over)
    return writing
  }
  return {
    store: { ...kept, write, close: async () => {} },
    cut: async () => {
      isCut = true
      await Promise.allSettled(running)
    },
  }
}
