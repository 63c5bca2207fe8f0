import type { Step } from './step'
import { addColumns, textOrNull } from './tables'

/**
 * Drafts record the key that wrote them. Older drafts have no author: a key without `read` cannot access
 * them.
 */
export const draftAuthors: Step = (dialect) => ({
  async up(db) {
    await addColumns(db, 'drafts', { author_key_id: textOrNull }, dialect)
  },
})
