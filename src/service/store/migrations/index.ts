import { type Migration, sql } from 'kysely'
import type { Dialect } from '../tables'
import { firstRelease } from './0001-first-release'
import { systemLabels } from './0002-system-labels'
import { draftGrounds } from './0003-draft-grounds'
import { mailLists } from './0004-mail-lists'
import { blobRemovals } from './0005-blob-removals'
import { sharedRates } from './0006-shared-rates'
import { ownTrash } from './0007-own-trash'
import { messageTraces } from './0008-message-traces'
import { logPartitions } from './0009-log-partitions'
import { unmergedSegments } from './0010-unmerged-segments'
import { signedFields } from './0012-signed-fields'
import { storedBytes } from './0015-stored-bytes'
import { draftAuthors } from './0016-draft-authors'
import { operatorVerification } from './0017-operator-verification'
import { repeats } from './0018-repeats'
import { keptAnswers } from './0019-kept-answers'
import { senders } from './0020-senders'
import type { Steps } from './step'

export type { Steps } from './step'

/** Every step from an empty database to today's tables, in the order of their names. */
export const allSteps: Steps = {
  '0001-first-release': firstRelease,
  '0002-system-labels': systemLabels,
  '0003-draft-grounds': draftGrounds,
  '0004-mail-lists': mailLists,
  '0005-blob-removals': blobRemovals,
  '0006-shared-rates': sharedRates,
  '0007-own-trash': ownTrash,
  '0008-message-traces': messageTraces,
  '0009-log-partitions': logPartitions,
  '0010-unmerged-segments': unmergedSegments,
  '0012-signed-fields': signedFields,
  '0015-stored-bytes': storedBytes,
  '0016-draft-authors': draftAuthors,
  '0017-operator-verification': operatorVerification,
  '0018-repeats': repeats,
  '0019-kept-answers': keptAnswers,
  '0020-senders': senders,
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
