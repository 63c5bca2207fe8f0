import type { Step } from './step'
import { addColumns, textOrNull } from './tables'

/**
 * Operators get the reason why their address is verified without an emailed link: `existing` if they had
 * claimed an account before, `administrator`, or null.
 */
export const operatorVerification: Step = (dialect) => ({
  async up(db) {
    await addColumns(db, 'operators', { admitted_by: textOrNull }, dialect)
    await db
      .updateTable('operators')
      .set({ admitted_by: 'existing' })
      .where('id', 'in', db.selectFrom('account_operators').select('operator_id'))
      .execute()
  },
})
