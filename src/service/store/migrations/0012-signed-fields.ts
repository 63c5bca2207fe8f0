import type { Step } from './step'
import { count, createTables, number, text } from './tables'

/**
 * Adds seen signatures, to recognize replays, and the progress of reading stored messages for signed fields.
 */
export const signedFields: Step = (dialect) => ({
  async up(db) {
    await createTables(
      db,
      {
        seen_signatures: {
          columns: { signature: text, recipient: text, arrived_at: text },
          key: ['signature', 'recipient'],
          indexes: { seen_signatures_by_time: '(arrived_at)' },
        },
        proof_readings: {
          columns: { tenant_id: text, reached_seq: number, started_at: text, done: count },
          key: ['tenant_id'],
        },
      },
      dialect,
    )
  },
})
