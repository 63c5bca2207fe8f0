import { copyFileSync, mkdtempSync, renameSync, rmdirSync, rmSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { holdRestoredJobs } from '../jobs/held-jobs'
import { beginLogEpoch } from '../log/log-epoch'
import { databaseFile, openSqlite } from '../store/open-sqlite'
import {
  blobsIn,
  copyBlobs,
  copySecret,
  namedBlobs,
  type OnCopied,
  readManifest,
  takeEmptyFolder,
} from './backup-folder'

interface Restored {
  /** Time of the backup, ISO 8601. */
  madeAt: string
  blobs: number
  /** Number of messages that waited to be sent at that time, and are now held. */
  held: number
}

interface RestoreOptions {
  /** Send messages that waited when the backup was made, instead of holding them. */
  sendPending?: boolean
  onProgress?: OnCopied
}

/**
 * Opens the folder like its next start: migrates the tables, records the last commit, starts a new log epoch.
 *
 * @returns The number of held messages.
 */
async function open(folder: string, sendPending: boolean): Promise<number> {
  const store = await openSqlite(folder, { acceptLoss: true })
  try {
    await beginLogEpoch(store)
    return sendPending ? 0 : await holdRestoredJobs(store)
  } finally {
    await store.close()
  }
}

async function fill(
  from: string,
  folder: string,
  { sendPending = false, onProgress = () => {} }: RestoreOptions,
): Promise<Restored> {
  const { made_at } = readManifest(from)
  const file = databaseFile(folder)
  onProgress({ step: 'the database', done: 0 })
  copyFileSync(databaseFile(from), file)
  const hashes = namedBlobs(file)
  await copyBlobs(blobsIn(from), folder, hashes, onProgress)
  copySecret(from, folder)
  return { madeAt: made_at, blobs: hashes.length, held: await open(folder, sendPending) }
}

/**
 * Makes a data folder from a backup, completely or not at all, and verifies everything. Messages that waited
 * to be sent are held, unless `sendPending`.
 *
 * @throws UsageError `not_a_backup`, `backup_damaged`, `folder_not_empty`
 */
export async function restore(from: string, folder: string, options: RestoreOptions = {}): Promise<Restored> {
  takeEmptyFolder(folder)
  const beside = mkdtempSync(resolve(dirname(resolve(folder)), '.restore-'))
  try {
    const restored = await fill(from, beside, options)
    rmdirSync(folder)
    renameSync(beside, folder)
    return restored
  } finally {
    rmSync(beside, { recursive: true, force: true })
  }
}
