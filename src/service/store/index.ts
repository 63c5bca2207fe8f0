/** The database: opening, both dialects, group commit, blobs, the witness of the last commit. */

export {
  type BlobSettings,
  createFileBlobs,
  type ListedBlobs,
  openBlobs,
  openForReading,
  openMove,
  tryBucket,
} from './blobs'
export { databaseId } from './database-id'
export { labelled, notLabelled } from './labelled'
export { connectLibsql, openLibsql } from './libsql-database'
export {
  bodyTextOf,
  listedTextOf,
  type ShortTextRow,
  selectListedText,
  selectShortText,
  selectVerbatim,
  shortReplyText,
  shortTextOf,
  storedText,
} from './message-text'
export { connectPostgres } from './open-postgres'
export {
  acceptLoss,
  databaseFile,
  filesOpenToOthers,
  lockFolder,
  openSqlite,
  requireDatabase,
} from './open-sqlite'
export { openExistingStore, openNodeStore, openStore } from './open-store'
export { cutOff, letRunLong } from './postgres'
export { insertPrepared, padded, runPrepared } from './prepared'
export { createRateSlices, dropOldRates } from './rate-slices'
export type { Store } from './store'
export { checkWal } from './wal-check'
export { readLastCommit, readWitness } from './witness'
