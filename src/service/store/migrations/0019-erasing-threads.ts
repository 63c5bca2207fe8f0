import { sql } from 'kysely'
import { addColumns, type Column } from '../tables'
import type { Step } from './step'

const none: Column = ['bigint', 'not null default 0']

const underWay = `update accounts set erasing_threads = (select count(*) from jobs
  where jobs.tenant_id = accounts.tenant_id and queue = 'erase' and data like '{"of":"thread"%')`

/** Lists look whether a message still has its thread only while one is being erased. */
export const erasingThreads: Step = (dialect) => ({
  async up(db) {
    await addColumns(db, 'accounts', { erasing_threads: none }, dialect)
    await sql.raw(underWay).execute(db)
  },
})
