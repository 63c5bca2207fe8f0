import type { Migration } from 'kysely'
import type { Dialect } from '../tables'

/** One step from yesterday's tables to today's; never changed after its release. */
export type Step = (dialect: Dialect) => Migration

/** Steps by name, which starts with a number: a database stores the names of the completed ones. */
export type Steps = Readonly<Record<string, Step>>
