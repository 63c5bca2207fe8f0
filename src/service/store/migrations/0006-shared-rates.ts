import type { Step } from './step'
import { createTables, number, text } from './tables'

/** Rates of keys and addresses, shared by all nodes on one database. */
export const sharedRates: Step = (dialect) => ({
  async up(db) {
    await createTables(
      db,
      {
        rates: {
          columns: { kind: text, key: text, asked_at_us: number, full_at_us: number, granted: number },
          key: ['kind', 'key'],
        },
      },
      dialect,
    )
  },
})
