import type { Migration } from 'kysely'
import type { Dialect } from '../tables'

/** One step from yesterday's tables to today's; it is never changed once it was released. */
export type Step = (dialect: Dialect) => Migration

/** Steps by name, which begins with a number: a database remembers the names of those that it went through. */
export type Steps = Readonly<Record<string, Step>>
