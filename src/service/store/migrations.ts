import type { MigrationProvider } from 'kysely'
import { firstTables } from './migrations/0001-first-tables'
import { operators } from './migrations/0002-operators'
import { sendingLimits } from './migrations/0003-sending-limits'
import { domains } from './migrations/0004-domains'
import { retention } from './migrations/0006-retention'
import { machines } from './migrations/0007-machines'
import { search } from './migrations/0008-search'
import { blobs } from './migrations/0009-blobs'
import { messageFilters } from './migrations/0010-filters'
import { scheduledSends } from './migrations/0012-scheduled-sends'
import type { Step } from './migrations/step'
import type { Dialect } from './store'

/** Every step from an empty database to today's tables, in the order of their names. */
const steps: Record<string, Step> = {
  '0001-first-tables': firstTables,
  '0002-operators': operators,
  '0003-sending-limits': sendingLimits,
  '0004-domains': domains,
  '0006-retention': retention,
  '0007-machines': machines,
  '0008-search': search,
  '0009-blobs': blobs,
  '0010-filters': messageFilters,
  '0012-scheduled-sends': scheduledSends,
}

export function migrationsFor(dialect: Dialect): MigrationProvider {
  const migrations = Object.entries(steps).map(([name, step]) => [name, step(dialect)])
  return { getMigrations: async () => Object.fromEntries(migrations) }
}
