import type { Step } from './step'
import { addColumns, textOrNull } from './tables'

/** Drafts store the messages read before they were written, and why they wait. */
export const draftGrounds: Step = (dialect) => ({
  async up(db) {
    const columns = {
      read_message_ids: ['text', "not null default '[]'"],
      approval_reason: textOrNull,
    } as const
    await addColumns(db, 'drafts', columns, dialect)
  },
})
