import { type Migration, sql } from 'kysely'
import type { Dialect } from '../tables/schema'
import { searchMigration } from '../tables/search-tables'
import { firstTables } from './0001-tables'
import { searchTables } from './0002-search'
import { holds } from './0003-holds'
import { olderMail } from './0016-older-mail'
import { declaredStep, type Steps } from './create-tables'

/** Every step from an empty database to today's tables, in the order of their names. */
export const allSteps: Steps = {
  '0001-tables': firstTables,
  [searchMigration]: searchTables,
  '0003-holds': holds,
  '0004-hand-over': declaredStep('0004-hand-over'),
  '0005-presence': declaredStep('0005-presence'),
  '0006-suggestions': declaredStep('0006-suggestions'),
  '0007-attachment-texts': declaredStep('0007-attachment-texts'),
  '0008-assignment-and-audit': declaredStep('0008-assignment-and-audit'),
  '0009-text-status': declaredStep('0009-text-status'),
  '0010-invitations': declaredStep('0010-invitations'),
  '0011-consumer-pause': declaredStep('0011-consumer-pause'),
  '0012-saved-replies': declaredStep('0012-saved-replies'),
  '0013-files': declaredStep('0013-files'),
  '0014-calendar': declaredStep('0014-calendar'),
  '0015-connections': declaredStep('0015-connections'),
  '0016-older-mail': olderMail,
}

/**
 * Limits a step's wait for a table that other nodes use, since their statements queue behind it; the step is
 * tried again. PostgreSQL looks for deadlocks after a second. The step has given up by then, so that no
 * message is aborted.
 */
const giveWay = (step: Migration, dialect: Dialect): Migration =>
  dialect === 'sqlite'
    ? step
    : {
        ...step,
        async up(db) {
          await sql`set local lock_timeout = '800ms'`.execute(db)
          await step.up(db)
        },
      }

/** Returns the steps in the order of their names. */
export const migrationsOf = (steps: Steps, dialect: Dialect): [name: string, Migration][] =>
  Object.keys(steps)
    .sort()
    .map((name) => [name, giveWay(steps[name]!(dialect), dialect)])
