import type { Step } from './step'
import { createTables, text, textOrNull } from './tables'

/** Removals of large blobs from a bucket, for concurrent writers of the same bytes. */
export const blobRemovals: Step = (dialect) => ({
  async up(db) {
    await createTables(
      db,
      {
        blob_removals: {
          columns: { id: text, hash: text, started_at: text, ended_at: textOrNull },
          key: ['hash', 'id'],
        },
      },
      dialect,
    )
  },
})
