import type { MigrationProvider } from 'kysely'
import type { Dialect } from '../tables'
import { firstRelease } from './0001-first-release'
import type { Steps } from './step'

export type { Steps } from './step'

/** Every step from an empty database to today's tables, in the order of their names. */
export const allSteps: Steps = {
  '0001-first-release': firstRelease,
}

export function migrationsOf(steps: Steps, dialect: Dialect): MigrationProvider {
  const migrations = Object.entries(steps).map(([name, step]) => [name, step(dialect)])
  return { getMigrations: async () => Object.fromEntries(migrations) }
}
