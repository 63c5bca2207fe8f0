import { sql, type Transaction } from 'kysely'
import type { Store } from '../service/store/store'
import type { Database } from '../service/store/tables/schema'

/** A store that outlives the services that use it, and the means to cut one of them off. */
export interface KeptStore {
  readonly store: Store
  /** Keeps later writes of this service from the store; resolves once its current writes are done. */
  cut(): Promise<void>
}

/** Lends a store to one service. `onChange` is called after each transaction that changed rows. */
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
