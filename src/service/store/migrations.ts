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
import { consumers } from './migrations/0013-consumers'
import { destinations } from './migrations/0014-destinations'
import { heldJobs } from './migrations/0015-held-jobs'
import { textStart } from './migrations/0016-text-start'
import { threadFilters } from './migrations/0017-thread-filters'
import { searchPairs } from './migrations/0018-search-pairs'
import { erasingThreads } from './migrations/0019-erasing-threads'
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
  '0013-consumers': consumers,
  '0014-destinations': destinations,
  '0015-held-jobs': heldJobs,
  '0016-text-start': textStart,
  '0017-thread-filters': threadFilters,
  '0018-search-pairs': searchPairs,
  '0019-erasing-threads': erasingThreads,
}

export function migrationsFor(dialect: Dialect): MigrationProvider {
  const migrations = Object.entries(steps).map(([name, step]) => [name, step(dialect)])
  return { getMigrations: async () => Object.fromEntries(migrations) }
}
