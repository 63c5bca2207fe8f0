import { createTables, type TableShape, text } from '../tables'
import type { Step } from './step'

const tables: Record<string, TableShape> = {
  blobs: {
    columns: { hash: text, content: ['blob', 'not null'], written_at: text },
    key: ['hash'],
  },
}

/** Large bytes, where there is no folder for them. */
export const blobs: Step = (dialect) => ({
  up: (db) => createTables(db, tables, dialect),
})
