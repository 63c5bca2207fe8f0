import type { Migration } from 'kysely'
import type { Dialect } from '../store'

/** One step from yesterday's tables to today's; it is never changed once it was released. */
export type Step = (dialect: Dialect) => Migration
