import { addColumns, type Column } from '../tables'
import type { Step } from './step'

const numberOrNull: Column = ['bigint', '']

/** A text that its original holds as it stands is not stored a second time. */
export const textStart: Step = (dialect) => ({
  up: (db) => addColumns(db, 'messages', { text_start: numberOrNull }, dialect),
})
