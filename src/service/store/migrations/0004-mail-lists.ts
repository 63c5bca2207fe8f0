import type { Step } from './step'
import { addColumns, textOrNull } from './tables'

/** Messages store the mailing list that they came through; unknown for earlier ones. */
export const mailLists: Step = (dialect) => ({
  async up(db) {
    await addColumns(db, 'messages', { list: textOrNull }, dialect)
  },
})
